// A digest of any amount of bytes: XXH3, 128 bits. It tells texts apart that differ by accident; it
// is no protection against somebody who wants two texts to have the same one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fendex::base {

/// Takes bytes piece by piece, and can be asked at any time. One thread at a time.
class Digest {
  public:
    Digest();
    Digest(const Digest& other);
    Digest(Digest&&) noexcept;
    Digest& operator=(const Digest&) = delete;
    Digest& operator=(Digest&&) noexcept;
    ~Digest();

    void add(std::string_view bytes);
    /// Of all bytes so far: 32 hexadecimal digits, as `xxhsum -H2` prints them. Do not change: on
    /// disk.
    std::string hex() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Two digits for each byte, as above.
std::string hex_of(std::string_view bytes);
/// The bytes of hex_of(); a pair that is no number is 0.
std::string bytes_of_hex(std::string_view digits);

}  // namespace fendex::base
