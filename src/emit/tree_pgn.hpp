// A tree of the moves that games played, as one game of PGN with variations. The move that was
// played most is the main line of each position, the others are variations that replace it. A
// comment after each move says how many games played it and how they ended (White's wins, draws,
// Black's wins), and the evaluation of the position after it, if one is known:
//
//     1. e4 { [%eval 0.31,40] 12 games, +5 =4 -3 } ( 1. d4 { 7 games, +2 =5 -0 } ) 1... e5 ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chess/san_language.hpp"
#include "pgn/writer.hpp"
#include "query/opening_tree.hpp"

namespace fendex::emit {

/// The position of a tree, and the moves by which a game gets there.
struct TreePlace {
    chess::Variant variant = chess::Variant::kStandard;  // may be Chess960
    chess::AnyPosition start;
    std::vector<chess::Move> moves;
};

/// Writes the tree piece by piece. Memory holds one position's moves for each ply of the current
/// line. Belongs to the thread of the descent's readers.
class TreePgn {
  public:
    TreePgn(query::TreeDescent descent, TreePlace place, chess::SanSpelling spelling = {});
    TreePgn(const TreePgn&) = delete;
    TreePgn& operator=(const TreePgn&) = delete;

    /// Appends the next piece. Returns false after the end. A tree without games has no text.
    [[nodiscard]] bool append_piece(std::string& out);
    /// Returns how many games reached the position. Known after the first piece.
    [[nodiscard]] std::uint64_t games() const { return games_; }

  private:
    /// A position of the current line.
    struct Node {
        query::Tree tree;
        std::size_t next = 0;       // the move to write next
        bool is_variation = false;  // it began with a move in brackets
    };

    /// Returns false if there are no games.
    bool begin();
    void write_tags();
    void write_next();
    void write_move(const query::Tree& tree, const query::TreeMove& move);
    void go_on_after(const query::TreeMove& move, bool is_variation);

    query::TreeDescent descent_;
    TreePlace place_;
    chess::SanSpelling spelling_;
    std::string text_;  // the next piece
    pgn::GameWriter writer_{text_};
    std::string spelled_;
    std::uint64_t games_ = 0;
    std::vector<Node> line_;
};

}  // namespace fendex::emit
