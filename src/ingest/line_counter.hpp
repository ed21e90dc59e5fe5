// Counts lines for error messages, without counting the whole text again for each error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pgn/lexer.hpp"

namespace fendex::ingest {

/// Counts the line ends before places in a text. The text is read in items (games or junk). The
/// places in an item come nearly in order. Counting continues from the last place, or at worst from
/// the beginning of the item, so no line is counted more than twice if places are in order. Offsets
/// are in bytes. One thread.
class LineCounter {
  public:
    explicit LineCounter(std::string_view text) : text_(text) {}

    /// Begins an item. Items must come in order.
    void begin_item(std::size_t offset) { item_start_ = offset; }

    /// Returns the number of line ends before a place in the current item, or at its end.
    std::uint64_t lines_before(std::size_t offset) {
        if (item_.offset < item_start_) count_to(item_, item_start_);
        if (last_.offset < item_.offset || last_.offset > offset) last_ = item_;
        if (last_.offset < offset) count_to(last_, offset);
        return last_.lines;
    }

  private:
    struct Mark {
        std::size_t offset = 0;
        std::uint64_t lines = 0;  // line ends before it
    };

    void count_to(Mark& mark, std::size_t offset) const {
        mark.lines += pgn::count_lines(text_.substr(mark.offset), offset - mark.offset);
        mark.offset = offset;
    }

    std::string_view text_;
    std::size_t item_start_ = 0;
    Mark item_;  // the beginning of the last item that had a place
    Mark last_;  // the last place
};

}  // namespace fendex::ingest
