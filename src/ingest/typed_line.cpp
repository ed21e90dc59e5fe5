#include "ingest/typed_line.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <string_view>
#include <vector>

#include "chess/fen.hpp"
#include "ingest/game_languages.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/reader.hpp"

namespace fendex::ingest {

namespace {

/// Returns whether letters or digits follow the signs of a move, as in e4+e5. The reader ignores
/// them.
bool has_text_after_move(std::string_view san) {
    std::string_view rest = san.substr(std::min(san.find_first_of("+#!?"), san.size()));
    for (const std::string_view en_passant : {"e.p.", "ep"}) {
        if (rest.ends_with(en_passant)) rest.remove_suffix(en_passant.size());
    }
    return std::ranges::any_of(rest, [](unsigned char c) { return std::isalnum(c); });
}

/// A visitor of the reader that notices text which an import would skip. Typed moves must be read
/// whole, or the answer would be about other moves.
struct WholeLine : pgn::IgnoredAnnotations {
    std::string unread;  // text that would not be played, and why; empty if all would
    bool ended = false;

    void refuse(std::string reason) {
        if (unread.empty()) unread = std::move(reason);
    }
    void tag(std::string_view name, std::string_view) {
        refuse("tag pair '" + std::string(name) + "': give only its moves");
    }
    bool move(std::string_view san, const char*) {
        if (ended) refuse("'" + std::string(san) + "' comes after the result");
        if (has_text_after_move(san)) refuse("'" + std::string(san) + "' is more than a move");
        return true;
    }
    void result(std::string_view) { ended = true; }
    void problem(const char*, std::string_view reason) { refuse(std::string(reason)); }
    void comment(std::string_view text) {
        if (text.data()[-1] == ';') {
            refuse("';' begins a comment: separate moves with blanks");
        }
    }
    void open_variation() { refuse("leave out variations: one line of moves is played"); }
};

/// Throws TypedLineError unless every part of the text is a move or belongs to one.
void require_whole_line(const std::string& moves) {
    WholeLine line;
    pgn::read_game(moves, false, line);
    // The reader skips these silently.
    bool in_comment = false;
    bool line_start = true;
    std::size_t word = 0;
    for (std::size_t i = 0; i <= moves.size(); ++i) {
        const char c = i < moves.size() ? moves[i] : ' ';
        if (pgn::is_space(c)) {
            // The reader takes a single N for the sign of a novelty.
            if (i - word == 1 && !in_comment && pgn::is_letter(moves[word])) {
                line.refuse(std::string("'") + moves[word] + "' alone is not a move");
            }
            word = i + 1;
        }
        if (c == '{' || c == '}') {
            if (c == '}' && !in_comment) line.refuse("'}' without '{'");
            in_comment = c == '{';
        } else if (!in_comment && (std::string_view("[]<>").find(c) != std::string_view::npos ||
                                   (c == '%' && line_start))) {
            line.refuse(std::string("'") + c + "' is not part of a move");
        }
        line_start = c == '\n' || c == '\r';
    }
    if (!line.unread.empty()) throw TypedLineError(": " + line.unread);
}

}  // namespace

TypedLine play_typed_line(const chess::AnyPosition& start, const std::string& moves) {
    require_whole_line(moves);
    TypedLine line;
    std::vector<store::TagPair> tags;
    std::deque<std::string> owned;
    GameReplay replay;
    replay.start(tags, owned, start.variant());
    replay.tag("FEN", owned.emplace_back(chess::to_fen(start)));
    pgn::read_game(moves, false, replay);
    GameWords words;
    const auto choice = choose_language(moves, false, replay, nullptr, words);
    if (choice && choice->ambiguity) {
        line.other_reading = choice->ambiguity->text + ": " + choice->ambiguity->reason;
    }
    if (choice && !choice->as_read) {
        tags.clear();
        replay.start(tags, owned, start.variant());
        replay.tag("FEN", owned.front());
        AsChosen chosen(replay, replay, choice->reading);
        pgn::read_game(moves, false, chosen);
    }
    replay.finish();
    if (!replay.problems().empty()) {
        const GameReplay::Problem& problem = replay.problems().front();
        throw TypedLineError(", after ply " + std::to_string(problem.ply) + ": " + problem.reason +
                                 (problem.text.empty() ? "" : ": '" + problem.text + "'"),
                             problem.text);
    }
    line.end = replay.start_position();
    line.moves.assign(replay.moves().begin(), replay.moves().end());
    for (const chess::Move move : line.moves) line.end.play(move);
    return line;
}

}  // namespace fendex::ingest
