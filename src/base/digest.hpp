// A digest of any number of bytes: XXH3, 128 bits. It detects accidental differences; it does not
// protect against somebody who constructs two texts with the same digest.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fendex::base {

/// Takes bytes piece by piece; hex() may be called at any time. One thread at a time.
class Digest {
  public:
    Digest();
    Digest(const Digest& other);
    Digest(Digest&&) noexcept;
    Digest& operator=(const Digest&) = delete;
    Digest& operator=(Digest&&) noexcept;
    ~Digest();

    void add(std::string_view bytes);
    /// Returns the digest of all bytes so far: 32 hexadecimal digits, as `xxhsum -H2` prints them.
    /// Do not change: on disk.
    std::string hex() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Returns two lower-case hexadecimal digits for each byte.
std::string hex_of(std::string_view bytes);
/// Returns the bytes that the digits of hex_of() stand for; arbitrary bytes for any other text.
std::string bytes_of_hex(std::string_view digits);

}  // namespace fendex::base
