// The moves of a game's variations as they are stored, in English: read on a board, in whichever of
// the game's possible languages they can be played furthest. One object per worker, used for one
// game after the other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "chess/san_language.hpp"

namespace fendex::ingest {

struct Reading;

class VariationWords {
  public:
    /// Nested deeper, words are read without a board; behind so many moves, words and parentheses
    /// they stay as they are. That bounds the memory.
    static constexpr std::size_t kMaxDepth = 100;
    static constexpr std::size_t kMaxEvents = 1'000'000;

    /// Reads the variations of a game whose moves are `reading`, in one of the alphabets; of those
    /// that read as many words, the first. At least one is given.
    void read(std::string_view text, bool truncated, const chess::AnyPosition& start,
              const Reading& reading, std::span<const chess::SanAlphabet* const> alphabets);

    /// The words of the variations in the order of the text: moves in English, what is no move as
    /// it is, empty what is said of the move before ("ch", "mate").
    const std::vector<std::string>& words() const { return words_; }
    /// Whether any is another than the text has.
    bool changed() const { return changed_; }

    // The reader's visitor.
    void tag(std::string_view, std::string_view) {}
    bool move(std::string_view, const char*) { return add(Event::Kind::kMove); }
    void result(std::string_view) {}
    void problem(const char*, std::string_view) {}
    void comment(std::string_view) {}
    void glyph(std::string_view) {}
    void open_variation() { add(Event::Kind::kOpen); }
    void word(std::string_view text) { add(Event::Kind::kWord, text); }
    void close_variation() { add(Event::Kind::kClose); }

  private:
    struct Event {
        enum class Kind : unsigned char { kMove, kOpen, kClose, kWord };
        Kind kind;
        std::string_view text;
    };

    bool add(Event::Kind kind, std::string_view text = {}) {
        if (events_.size() < kMaxEvents) events_.push_back({kind, text});
        return true;
    }
    /// What a walk along the variations comes to in an alphabet.
    struct Result {
        std::vector<std::string> words;
        std::size_t moves = 0;   // words that are moves, or said of one
        std::size_t unread = 0;  // words that could be moves and are none here
    };
    template <typename Position>
    Result play(const Position& start, const Reading& reading,
                const chess::SanAlphabet& alphabet) const;

    std::vector<Event> events_;
    std::vector<std::string> words_;
    bool changed_ = false;
};

}  // namespace fendex::ingest
