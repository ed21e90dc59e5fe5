// Plays moves typed by hand, as in "1.e4 c5 2.Nf3" or "e2e4 c7c5", in any language, from a
// position: all of them or none.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "chess/any_position.hpp"

namespace fendex::ingest {

/// Says why a line cannot be played. what() continues a sentence that begins with a name for the
/// moves: ": ..." or ", after ply 3: ...".
class TypedLineError : public std::invalid_argument {
  public:
    explicit TypedLineError(const std::string& what, std::string text = {})
        : std::invalid_argument(what), text_(std::move(text)) {}
    /// The move that cannot be played; empty if something else is wrong.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

  private:
    std::string text_;
};

struct TypedLine {
    std::vector<chess::Move> moves;
    chess::AnyPosition end;
    std::string other_reading;  // another language reads other moves; empty if none does
};

/// Plays `moves` from `start`. PGN's move numbers, comments in braces, glyphs and a result at the
/// end may stand between the moves. Throws TypedLineError if a move is illegal or if any part of
/// the text would not be played.
TypedLine play_typed_line(const chess::AnyPosition& start, const std::string& moves);

}  // namespace fendex::ingest
