#include "base/digest.hpp"

// Compiled into this file: no library to link, and it uses the vector instructions of the target.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>

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
    return hex_of({reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest});
}

std::string hex_of(std::string_view bytes) {
    std::string out;
    for (const char each : bytes) {
        const auto byte = static_cast<unsigned char>(each);
        out += "0123456789abcdef"[byte >> 4];
        out += "0123456789abcdef"[byte & 15];
    }
    return out;
}

std::string bytes_of_hex(std::string_view digits) {
    std::string out;
    for (std::size_t i = 0; i + 2 <= digits.size(); i += 2) {
        unsigned byte = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
        out += static_cast<char>(byte);
    }
    return out;
}

}  // namespace fendex::base
