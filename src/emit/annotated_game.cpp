#include "emit/annotated_game.hpp"

#include <algorithm>
#include <utility>

#include "base/hex.hpp"
#include "chess/san.hpp"
#include "codec/annotation.hpp"
#include "codec/comment_commands.hpp"
#include "pgn/lexer.hpp"
#include "query/annotated_plies.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

/// Variations nested deeper are left out, to bound the recursion.
constexpr std::size_t kDeepestVariation = 100;

void append_comment(std::string_view text, std::optional<std::string>& comment) {
    if (comment) {
        comment->append("\n").append(text);
    } else {
        comment = text;
    }
}

/// Builds the tree from the moves of the game and the tokens of its annotation.
class TreeBuilder {
  public:
    TreeBuilder(const chess::AnyPosition& start, chess::Variant variant, chess::FenDialect dialect)
        : variant_(variant), dialect_(dialect) {
        open_.emplace_back().position = start;
    }

    void play(chess::Move move) {
        Open& line = open_.back();
        line.before = line.position;
        AnnotatedMove& out = line.made.moves.emplace_back();
        out.ply = line.made.ply + static_cast<std::uint32_t>(line.made.moves.size()) - 1;
        chess::append_san(line.position, move, out.san);
        chess::append_uci(line.position, move, variant_, out.uci);
        line.position.play(move);
        out.key = base::hex_key(line.position.key());
        out.fen = chess::to_fen(line.position, dialect_);
        out.epd = chess::to_epd(line.position);
        // Variations before any move replace the first one.
        out.variations = std::exchange(line.early, {});
    }

    void comment(std::string_view text) {
        if (is_left_out()) return;
        AnnotatedLine& line = open_.back().made;
        append_comment(text, line.moves.empty() ? line.comment : line.moves.back().comment);
    }

    void glyph(std::string_view text) {
        if (is_left_out() || open_.back().made.moves.empty()) return;
        query::append_nag(text, open_.back().made.moves.back().nags);
    }

    void open() {
        if (is_left_out() || open_.size() > kDeepestVariation) {
            ++left_out_;
            return;
        }
        Open line;
        const Open& parent = open_.back();
        const bool first = parent.made.moves.empty();
        line.position = first ? parent.position : parent.before;
        line.made.ply = first ? parent.made.ply : parent.made.moves.back().ply;
        open_.push_back(std::move(line));
    }

    void close() {
        if (left_out_ > 0) {
            --left_out_;
            return;
        }
        AnnotatedLine done = std::move(open_.back().made);
        open_.pop_back();
        Open& parent = open_.back();
        (parent.made.moves.empty() ? parent.early : parent.made.moves.back().variations)
            .push_back(std::move(done));
    }

    /// Takes a word of a variation: a move, its number, or a glyph.
    void word(std::string_view text) {
        Open& line = open_.back();
        if (is_left_out()) return;
        if (!pgn::is_move_word(text)) {
            if (!text.empty() && (text[0] < '0' || text[0] > '9')) glyph(text);
            return;
        }
        chess::Move move;
        const chess::SanError error = line.position.visit(
            [&](const auto& position) { return chess::read_san(position, text, move); });
        if (error != chess::SanError::kNone) {
            line.broken = true;
            return;
        }
        play(move);
        const std::size_t mark = text.find_first_of("!?");
        if (mark != text.npos) glyph(text.substr(mark));
    }

    AnnotatedLine take() { return std::move(open_.front().made); }

  private:
    /// A line around the current token.
    struct Open {
        AnnotatedLine made;
        chess::AnyPosition position;
        chess::AnyPosition before;  // the position before the last move
        std::vector<AnnotatedLine> early;
        bool broken = false;  // a word was not a move
    };

    bool is_left_out() const { return left_out_ > 0 || open_.back().broken; }

    chess::Variant variant_;
    chess::FenDialect dialect_;
    std::vector<Open> open_;
    std::size_t left_out_ = 0;  // number of open variations that are left out
};

void add_comment(const std::optional<std::string>& comment, json::Object& object) {
    const std::string text = comment ? codec::without_numbers(*comment) : std::string();
    object.add("comment", json::known(text));
}

void add_move(const AnnotatedMove& move, json::Object& object);

void add_moves(const AnnotatedLine& line, const AddToMove& add_to_move, json::Object& object) {
    std::size_t index = 0;
    object.add_objects("line", line.moves, [&](json::Object& of_move, const AnnotatedMove& move) {
        add_move(move, of_move);
        if (add_to_move) add_to_move(index++, of_move);
    });
}

void add_eval(const std::string& comment, json::Object& object) {
    if (const auto mate = codec::eval_mate(comment)) {
        object.add("eval", '#' + std::to_string(*mate));
    } else if (const auto pawns = codec::eval_pawns(comment)) {
        std::string text;
        json::append_value(*pawns, text);
        object.add("eval", text);
    } else {
        object.add_null("eval");
    }
}

void add_move(const AnnotatedMove& move, json::Object& object) {
    const std::string comment = move.comment.value_or("");
    object.add("ply", move.ply);
    object.add("san", move.san);
    object.add("uci", move.uci);
    object.add("key", move.key);
    object.add("fen", move.fen);
    object.add("epd", move.epd);
    object.add("clock", codec::clock_seconds(comment));
    object.add("emt", codec::elapsed_seconds(comment));
    add_eval(comment, object);
    add_comment(move.comment, object);
    object.add("nags", json::Raw{move.nags.empty() ? "[]" : move.nags + ']'});
    object.add_objects("variations", move.variations,
                       [](json::Object& variation, const AnnotatedLine& line) {
                           variation.add("ply", line.ply);
                           add_line(line, {}, variation);
                       });
}

}  // namespace

AnnotatedLine annotated_game(store::GameId id, const store::StoredMoves& moves,
                             std::string_view annotation, chess::FenDialect dialect) {
    using Token = codec::AnnotationToken;
    replay::AnyWalk walk(id, moves);
    TreeBuilder builder(walk.position(), moves.facts.variant, dialect);
    codec::AnnotationStreamReader tokens(annotation);
    const auto play = [&] {
        builder.play(walk.next_move());
        walk.advance();
    };
    while (!annotation.empty() && tokens.next()) {
        switch (tokens.token()) {
            case Token::kMove:
                if (walk.at_end()) replay::throw_damaged_annotation(id);
                play();
                break;
            case Token::kComment: builder.comment(tokens.text()); break;
            case Token::kGlyph: builder.glyph(tokens.text()); break;
            case Token::kOpen: builder.open(); break;
            case Token::kClose: builder.close(); break;
            case Token::kWord: builder.word(tokens.text()); break;
            case Token::kResult: break;
        }
    }
    if (!annotation.empty() && tokens.corrupt()) replay::throw_damaged_annotation(id);
    while (!walk.at_end()) play();
    walk.require_intact();
    return builder.take();
}

void add_line(const AnnotatedLine& line, const AddToMove& add_to_move, json::Object& object) {
    add_comment(line.comment, object);
    add_moves(line, add_to_move, object);
}

}  // namespace fendex::emit
