#include "replay/variation_walk.hpp"

#include <vector>

#include "chess/san.hpp"
#include "codec/annotation.hpp"
#include "codec/posting.hpp"
#include "pgn/lexer.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::replay {

namespace {

/// Variations nested deeper are stored but not replayed, to bound the memory.
constexpr std::size_t kMaxDepth = 100;

/// A line around the current token: the game or a variation.
template <typename Position>
struct Line {
    Position position;
    Position before;  // the position before the last move, which a variation replaces
    bool moved = false;
    bool broken = false;
    std::uint32_t ply = 0;
    std::uint32_t node = 0;  // the last node; 0: none yet
    std::string text;
    std::string text_before;

    void play(chess::Move move) {
        before = position;
        moved = true;
        position.play(move);
        ++ply;
    }
    /// Returns the line of a variation that replaces the last move.
    Line branch() const {
        Line out;
        out.position = moved ? before : position;
        out.ply = moved ? ply - 1 : ply;
        out.text = text_before;
        return out;
    }
};

template <typename Position>
void append_move(const Line<Position>& line, chess::Move move, std::string& text) {
    const bool white = line.position.side_to_move() == chess::Color::kWhite;
    if (white || text.empty()) {
        if (!text.empty()) text += ' ';
        text += std::to_string(line.position.fullmove_number()) + (white ? "." : "...");
    } else {
        text += ' ';
    }
    chess::append_san(line.position, move, text);
}

template <typename Position>
void walk_along(store::GameId game, codec::BasicGameWalk<Position>& walk,
                std::string_view annotation, bool lines, VariationVisitor& visitor) {
    using Token = codec::AnnotationToken;
    codec::AnnotationStreamReader reader(annotation);
    std::vector<Line<Position>> open(1);
    open[0].position = walk.position();
    std::uint32_t nodes = 0;
    std::size_t too_deep = 0;
    while (reader.next()) {
        Line<Position>& line = open.back();
        switch (reader.token()) {
            case Token::kMove:
                if (walk.at_end()) throw_damaged_annotation(game);
                line.play(walk.next_move());
                walk.advance();
                break;
            case Token::kOpen:
                if (line.broken || open.size() > kMaxDepth) {
                    if (!line.broken)
                        visitor.unread(line.ply, "(", "variations are nested too deep");
                    ++too_deep;
                } else {
                    open.push_back(line.branch());
                }
                break;
            case Token::kClose:
                if (too_deep > 0) {
                    --too_deep;
                } else {
                    open.pop_back();
                }
                break;
            case Token::kWord: {
                if (too_deep > 0 || line.broken || !pgn::is_move_word(reader.text())) break;
                chess::Move move;
                const chess::SanError error = chess::read_san(line.position, reader.text(), move);
                if (error != chess::SanError::kNone || nodes == codec::Posting::kMaxPly) {
                    line.broken = true;
                    visitor.unread(line.ply, reader.text(),
                                   error == chess::SanError::kNone
                                       ? "the variations of the game have too many moves"
                                       : chess::describe(error));
                    break;
                }
                if (line.node != 0) visitor.next(line.node, move);
                if (lines) {
                    line.text_before = line.text;
                    append_move(line, move, line.text);
                }
                line.play(move);
                line.node = ++nodes;
                visitor.node({line.node, line.ply, line.before, move, line.position, line.text});
                break;
            }
            default: break;
        }
    }
    if (reader.corrupt()) throw_damaged_annotation(game);
}

}  // namespace

void walk_variations(store::GameId game, const store::StoredMoves& moves,
                     std::string_view annotation, bool lines, VariationVisitor& visitor) {
    with_walk(game, moves, [&](auto& walk) { walk_along(game, walk, annotation, lines, visitor); });
}

}  // namespace fendex::replay
