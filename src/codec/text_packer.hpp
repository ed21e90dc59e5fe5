// Texts of one kind, each compressed by itself with zstd and a common dictionary. A packer or
// unpacker is used by one thread at a time; threads may share the bytes of a dictionary.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fendex::codec {

/// Trains a dictionary of at most `max_bytes` from samples, which are concatenated in `samples`.
/// Returns an empty string if there are too few of them or if they have nothing in common.
[[nodiscard]] std::string train_dictionary(std::string_view samples,
                                           std::span<const std::size_t> sizes,
                                           std::size_t max_bytes);

class TextPacker {
  public:
    /// An empty `dictionary` means none.
    explicit TextPacker(std::string_view dictionary);
    ~TextPacker();
    TextPacker(TextPacker&&) noexcept;
    TextPacker& operator=(TextPacker&&) noexcept;

    /// Appends the text as a zstd frame without its magic number.
    void pack(std::string_view text, std::string& out);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

class TextUnpacker {
  public:
    /// With a damaged dictionary, unpack() returns false.
    explicit TextUnpacker(std::string_view dictionary);
    [[nodiscard]] bool is_usable() const;
    ~TextUnpacker();
    TextUnpacker(TextUnpacker&&) noexcept;
    TextUnpacker& operator=(TextUnpacker&&) noexcept;

    /// False if the bytes are damaged or if the text is longer than `max_bytes`.
    [[nodiscard]] bool unpack(std::string_view packed, std::size_t max_bytes, std::string& out);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace fendex::codec
