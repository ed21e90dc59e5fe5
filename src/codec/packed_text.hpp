// Texts of one kind, each compressed by itself (zstd) with what they have in common as a
// dictionary. A packer or unpacker is used by one thread at a time; a dictionary's bytes may be
// shared.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fendex::codec {

/// A dictionary of at most `max_bytes` for texts like these, one behind the other; empty where they
/// are too few, or have nothing in common.
std::string train_dictionary(std::string_view samples, std::span<const std::size_t> sizes,
                             std::size_t max_bytes);

class TextPacker {
  public:
    /// Without a dictionary where `dictionary` is empty.
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
    explicit TextUnpacker(std::string_view dictionary);
    ~TextUnpacker();
    TextUnpacker(TextUnpacker&&) noexcept;
    TextUnpacker& operator=(TextUnpacker&&) noexcept;

    /// False where the bytes are damaged, or stand for more than `max_bytes`.
    bool unpack(std::string_view packed, std::size_t max_bytes, std::string& out);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace fendex::codec
