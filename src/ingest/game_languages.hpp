// Finds the language of a game: the one in which its moves can be played. Games are read in English
// first. If that fails, the words of their moves are read in every language that has their letters,
// and the reading that gets furthest is chosen. One object per worker, used for one game after the
// other.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "chess/san_language.hpp"
#include "chess/san_word.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/byte_source.hpp"
#include "pgn/reader.hpp"

namespace fendex::ingest {

/// Languages in order of preference; empty means all known ones, English first ("auto").
using Languages = std::vector<const chess::SanLanguage*>;

/// The moves of a game in one language, as far as they can be played.
struct Reading {
    const chess::SanAlphabet* alphabet = nullptr;
    std::size_t words = 0;  // words that were read
    std::vector<chess::Move> moves;
    std::vector<std::size_t> remarks;  // which of the words are not moves
    chess::SanError error{};           // why the next word was not read; kNone if all were
};

/// A visitor of the PGN reader that collects the words of a game's moves.
class GameWords : public pgn::IgnoredText {
  public:
    /// Real games have fewer words. A longer text is not tried in other languages.
    static constexpr std::size_t kMaxWords = 100'000;

    explicit GameWords(std::size_t max_words = kMaxWords) : max_words_(max_words) {}
    void clear();

    bool move(std::string_view text, const char* where);

    /// Returns the readings that get furthest, in order of preference and without repeating the
    /// same moves; at least one. Only languages that have the game's letters are tried, or, if none
    /// has all, those with the most letters from the start.
    std::vector<Reading> read(const chess::AnyPosition& start, const Languages& languages);

    /// Returns the alphabets of these languages in which the game's letters have the same meaning
    /// as in a reading.
    std::vector<const chess::SanAlphabet*> fitting(const Reading& reading,
                                                   const Languages& languages) const;
    /// Returns whether an alphabet has all letters that any alphabet has.
    bool has_all_letters(const chess::SanAlphabet& alphabet) const {
        return limit(alphabet) == readable_;
    }
    /// Returns whether there are letters of pieces, other than figurines, so that the language
    /// matters.
    bool has_letters() const { return letters_.size() > figurines_; }
    /// Returns whether the limit was reached, so that there may be more words.
    bool full() const;
    /// Returns the word from which a ply was read.
    std::string_view word_of(std::size_t ply) const;

  private:
    struct Word {
        std::string_view text;
        chess::SanWord san;
    };
    /// The piece of each letter of the game, three bits each.
    using Meaning = std::uint64_t;
    struct Candidate {
        const chess::SanAlphabet* alphabet;
        Meaning meaning;
        std::size_t limit;  // words before one with a letter that the alphabet does not have
    };

    bool note_letter(std::string_view text);
    Meaning meaning(const chess::SanAlphabet& alphabet) const;
    std::size_t limit(const chess::SanAlphabet& alphabet) const;
    std::vector<Candidate> candidates(const Languages& languages) const;
    template <typename Position>
    Reading play(Position position, const Candidate& candidate) const;

    struct Letter {
        std::string_view text;
        const chess::PieceType* pieces;  // see pieces_of_letter()
        std::size_t first_word;
    };
    std::size_t max_words_;
    std::vector<Word> words_;
    std::vector<Letter> letters_;
    std::size_t figurines_ = 0;  // figurines among letters_
    std::size_t readable_ = 0;   // words before the first with a letter that no language has
};

/// The language of most of a file's first games. It is determined at the first call; any thread may
/// call.
class SourceLanguage {
  public:
    /// `preferred` are the languages of the command line. `head` is the beginning of the text, if
    /// the file should not be opened again. A stream has no majority, because it can be read only
    /// once.
    SourceLanguage(std::string path, pgn::SourceOptions options, Languages preferred,
                   std::string head = {})
        : path_(std::move(path)),
          options_(std::move(options)),
          preferred_(std::move(preferred)),
          head_(std::move(head)) {}

    const Languages& preferred() const { return preferred_; }
    /// Returns null if the first games do not show it.
    const chess::SanLanguage* majority();

  private:
    const chess::SanLanguage* count() const;

    std::string path_;
    pgn::SourceOptions options_;
    Languages preferred_;
    std::string head_;
    std::once_flag counted_;
    const chess::SanLanguage* majority_ = nullptr;
};

/// How a game is to be read.
struct LanguageChoice {
    Reading reading;
    /// The alphabets that fit the moves; that of the reading comes first. Any of them may be the
    /// game's, since words of variations can have letters that its moves do not have.
    std::vector<const chess::SanAlphabet*> alphabets;
    /// Set if another language reads the game to its end as well, with other moves.
    std::optional<GameReplay::Problem> ambiguity;
    bool as_read = false;  // `replay` already has this reading
};

/// Chooses the language of a game that `replay` has read in English. Returns nullopt if English is
/// right. `source` may be null.
std::optional<LanguageChoice> choose_language(std::string_view text, bool truncated,
                                              const GameReplay& replay, SourceLanguage* source,
                                              GameWords& words);
/// Returns the choice that matches the reading in `replay`, so that variations can be read in all
/// languages that fit. Returns nullopt if the game has no positions or too many words.
std::optional<LanguageChoice> choose_as_read(std::string_view text, bool truncated,
                                             const GameReplay& replay, SourceLanguage* source,
                                             GameWords& words);

/// Passes a game to `visitor`, which works on `replay`, with the moves of a chosen reading.
template <typename Visitor>
class AsChosen {
  public:
    AsChosen(Visitor& visitor, GameReplay& replay, const Reading& reading)
        : visitor_(visitor), replay_(replay), reading_(reading) {}

    void tag(std::string_view name, std::string_view value) { visitor_.tag(name, value); }
    bool move(std::string_view text, const char* where) {
        if (words_ == reading_.words)
            return replay_.stop(chess::describe(reading_.error), text, where);
        const std::size_t word = words_++;
        if (remarks_ < reading_.remarks.size() && reading_.remarks[remarks_] == word) {
            ++remarks_;
            return true;
        }
        return visitor_.play(reading_.moves[word - remarks_], text, where);
    }
    void result(std::string_view marker) { visitor_.result(marker); }
    void problem(const char* where, std::string_view reason) { visitor_.problem(where, reason); }

    void comment(std::string_view text) requires requires(Visitor& visitor) {
        visitor.comment(text);
    }
    { visitor_.comment(text); }
    void left_out(pgn::Annotation what, std::string_view text) requires requires(Visitor& visitor) {
        visitor.left_out(what, text);
    }
    { visitor_.left_out(what, text); }
    void glyph(std::string_view text) { visitor_.glyph(text); }
    void open_variation() { visitor_.open_variation(); }
    void word(std::string_view text) { visitor_.word(text); }
    void close_variation() { visitor_.close_variation(); }

  private:
    Visitor& visitor_;
    GameReplay& replay_;
    const Reading& reading_;
    std::size_t words_ = 0;
    std::size_t remarks_ = 0;
};

}  // namespace fendex::ingest
