// Folded names (base/text_fold.hpp) in the order of their words, each name once for each of its
// words, in rows of some four thousand bytes: names that have a word with a certain beginning are
// found without reading others. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::codec {

/// Each row says what the next one begins with, so that a reader notices if that one is lost.
struct NameWordRow {
    std::string first_word;  // less than that of the next row; empty in the first row
    std::string data;

    bool operator==(const NameWordRow&) const = default;
};

/// Sorts words and encodes them.
class NameWordEncoder {
  public:
    /// Adds the words of a folded name. `number` is less than 2^32. Returns false if the names are
    /// too long together: each word takes as many bytes as its name.
    [[nodiscard]] bool add(std::uint32_t number, std::string_view folded);
    /// Returns the rows; one without words if there are none.
    [[nodiscard]] std::vector<NameWordRow> rows();

  private:
    std::vector<std::string> entries_;
    std::size_t bytes_ = 0;  // of the entries
};

/// Calls visit(number, folded) for the names of a row that have a word with this beginning: a name
/// with several such words comes several times. Returns the first word of the next row, empty if
/// there is none; nothing if the bytes are damaged.
[[nodiscard]] std::optional<std::string_view> decode_name_words(
    std::string_view data, std::string_view beginning,
    const std::function<void(std::uint32_t number, std::string_view folded)>& visit);

}  // namespace fendex::codec
