// Translates the moves of a game's variations to English, in which they are stored. They are read
// on a board, in the possible language of the game in which most moves can be played. One object
// per worker, used for one game after the other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "chess/san_language.hpp"
#include "pgn/reader.hpp"

namespace fendex::ingest {

struct Reading;

class VariationWords : public pgn::IgnoredText, public pgn::IgnoredAnnotations {
  public:
    /// Limits that bound the memory. Words nested deeper are read without a board. Words after this
    /// many moves, words and parentheses are not translated.
    static constexpr std::size_t kMaxDepth = 100;
    static constexpr std::size_t kMaxEvents = 1'000'000;

    /// Reads the variations of a game whose moves are `reading` in the alphabet that reads most
    /// words; the first one among equals. There must be at least one.
    void read(std::string_view text, bool truncated, const chess::AnyPosition& start,
              const Reading& reading, std::span<const chess::SanAlphabet* const> alphabets);

    /// The words of the variations in the order of the text: moves in English, other words
    /// unchanged, and empty texts for remarks on the move before ("ch", "mate").
    const std::vector<std::string>& words() const { return words_; }
    /// Returns whether any word was changed.
    bool changed() const { return changed_; }

    // The reader's visitor.
    bool move(std::string_view, const char*) { return add(Event::Kind::kMove); }
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
    /// The result of walking through the variations in an alphabet.
    struct Result {
        std::vector<std::string> words;
        std::size_t moves = 0;   // words that are moves or remarks on one
        std::size_t unread = 0;  // words that look like moves but cannot be played
    };
    template <typename Position>
    Result play(const Position& start, const Reading& reading,
                const chess::SanAlphabet& alphabet) const;

    std::vector<Event> events_;
    std::vector<std::string> words_;
    bool changed_ = false;
};

}  // namespace fendex::ingest
