#include "base/digest.hpp"

// In this file's own code: no library to link, and the vector instructions of the target.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fendex::base {

struct Digest::State {
    XXH3_state_t xxh3;
};

Digest::Digest() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh3); }
Digest::Digest(const Digest& other) : state_(std::make_unique<State>(*other.state_)) {}
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;
Digest::~Digest() = default;

void Digest::add(std::string_view bytes) {
    XXH3_128bits_update(&state_->xxh3, bytes.data(), bytes.size());
}

std::string Digest::hex() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->xxh3));
    std::string out;
    for (const unsigned char byte : canonical.digest) {
        out += "0123456789abcdef"[byte >> 4];
        out += "0123456789abcdef"[byte & 15];
    }
    return out;
}

}  // namespace fendex::base
