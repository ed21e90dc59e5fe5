#include "ingest/variation_words.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "chess/san.hpp"
#include "chess/san_word.hpp"
#include "ingest/game_languages.hpp"
#include "ingest/play_word.hpp"
#include "pgn/reader.hpp"

namespace fendex::ingest {

namespace {

/// A line around the current word: the game or a variation.
template <typename Position>
struct Line {
    Position position;
    Position before;  // the position before the last move, which a variation replaces
    bool broken = false;

    void play(chess::Move move) {
        before = position;
        position.play(move);
    }
    Line branch() const { return {before, before, broken}; }
};

/// Translates a word without a board: letters are replaced, squares stay.
std::string in_letters(std::string_view text, const chess::SanWord& word,
                       const chess::SanAlphabet& alphabet) {
    const chess::EnglishSan san(word, alphabet);
    return san.empty() ? std::string(text) : std::string(san.text()).append(word.glyphs);
}

/// Plays a word on the line and translates it. If the word cannot be played, the line is broken
/// from here on, and the result is empty.
template <typename Position>
std::optional<std::string> play_in_english(std::string_view text, const chess::SanWord& word,
                                           const chess::SanAlphabet& alphabet,
                                           Line<Position>& line) {
    chess::Move move;
    Position after = line.position;
    line.broken = line.broken || play_word(after, word, alphabet, move) != chess::SanError::kNone;
    if (line.broken) return std::nullopt;
    std::string english = word.names_files_only()
                              ? chess::to_san(line.position, move).append(word.glyphs)
                              : in_letters(text, word, alphabet);
    line.play(move);
    return english;
}

}  // namespace

template <typename Position>
VariationWords::Result VariationWords::play(const Position& start, const Reading& reading,
                                            const chess::SanAlphabet& alphabet) const {
    Result out;
    std::vector<Line<Position>> open(1, {start, start});
    std::size_t too_deep = 0;
    std::size_t game_words = 0;  // number of the game's words so far
    std::size_t remarks = 0;     // number of remarks among those
    for (const Event& event : events_) {
        Line<Position>& line = open.back();
        switch (event.kind) {
            case Event::Kind::kMove:
                if (game_words == reading.words) return out;  // the game has ended before it
                if (remarks < reading.remarks.size() && reading.remarks[remarks] == game_words) {
                    ++remarks;
                } else {
                    line.play(reading.moves[game_words - remarks]);
                }
                ++game_words;
                break;
            case Event::Kind::kOpen:
                if (open.size() > kMaxDepth) {
                    ++too_deep;
                } else {
                    open.push_back(line.branch());
                }
                break;
            case Event::Kind::kClose:
                if (too_deep > 0) {
                    --too_deep;
                } else {
                    open.pop_back();
                }
                break;
            case Event::Kind::kWord: {
                if (!pgn::is_move_word(event.text)) {
                    out.words.emplace_back(event.text);
                    break;
                }
                const chess::SanWord word = chess::read_san_word(event.text);
                std::optional<std::string> english;
                if (word.kind == chess::SanWord::Kind::kRemark) {
                    english = word.glyphs;
                } else if (too_deep == 0) {
                    english = play_in_english(event.text, word, alphabet, line);
                }
                ++(english ? out.moves : out.unread);
                out.words.push_back(english ? std::move(*english)
                                            : in_letters(event.text, word, alphabet));
                break;
            }
        }
    }
    return out;
}

void VariationWords::read(std::string_view text, bool truncated, const chess::AnyPosition& start,
                          const Reading& reading,
                          std::span<const chess::SanAlphabet* const> alphabets) {
    events_.clear();
    words_.clear();
    changed_ = false;
    pgn::read_game(text, truncated, *this);
    const bool any = std::ranges::any_of(
        events_, [](const Event& event) { return event.kind == Event::Kind::kWord; });
    if (!any) return;
    std::optional<Result> best;
    for (const chess::SanAlphabet* alphabet : alphabets) {
        Result result =
            start.visit([&](const auto& position) { return play(position, reading, *alphabet); });
        if (best && result.moves <= best->moves) continue;
        best = std::move(result);
        if (best->unread == 0) break;
    }
    words_ = std::move(best->words);
    auto word = words_.begin();
    for (const Event& event : events_) {
        if (word == words_.end()) break;
        if (event.kind == Event::Kind::kWord) changed_ |= *word++ != event.text;
    }
}

}  // namespace fendex::ingest
