// Moves typed by hand, as in "1.e4 c5 2.Nf3" or "e2e4 c7c5", in any language: played from a
// position to its end, whole or not at all.
#pragma once

#include <stdexcept>
#include <string>

#include "chess/any_position.hpp"

namespace fendex::ingest {

/// Why a line cannot be played. what() continues the name of the moves: ": ..." or ", after ply 3:
/// ...".
class TypedLineError : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

struct TypedLine {
    chess::AnyPosition end;
    std::string other_reading;  // another language reads other moves; empty if none does
};

/// Plays `moves` from `start`. PGN's move numbers, comments in braces, glyphs and a result at the
/// end may stand between the moves. Throws TypedLineError if a move is illegal or if any part of
/// the text would not be played.
TypedLine play_typed_line(const chess::AnyPosition& start, const std::string& moves);

}  // namespace fendex::ingest
