// A game with its comments, NAGs and variations, move by move, as a tree and as JSON. Pure
// functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "chess/any_position.hpp"
#include "store/records.hpp"

namespace fendex::emit {

struct AnnotatedMove;

/// The game's own moves, or those of a variation.
struct AnnotatedLine {
    std::uint32_t ply = 1;               // of the first move
    std::optional<std::string> comment;  // before the first move
    std::vector<AnnotatedMove> moves;
};

struct AnnotatedMove {
    std::uint32_t ply = 0;  // moves of the game up to this one
    std::string san;
    std::string uci;
    std::string key;  // of the position after it
    std::string fen;
    std::string epd;
    std::string nags;                       // a JSON array without its closing bracket, or empty
    std::optional<std::string> comment;     // several are joined with line ends
    std::vector<AnnotatedLine> variations;  // that replace this move
};

/// Returns the moves of a game that has positions. `annotation` is that of StoreReader, empty if
/// there is none. A variation ends before the first word that is not a legal move. Throws
/// StoreError if stored data is damaged.
AnnotatedLine annotated_game(store::GameId id, const store::StoredMoves& moves,
                             std::string_view annotation, chess::FenDialect dialect);

/// Adds the last members of a move's object; `move` is the index of the move in the game.
using AddToMove = std::function<void(std::size_t move, json::Object&)>;

/// Adds the members comment and moves. add_to_move() is called for the game's own moves.
void add_line(const AnnotatedLine& line, const AddToMove& add_to_move, json::Object& object);

}  // namespace fendex::emit
