// A visitor of the PGN reader for games whose annotations are kept. It passes the moves to the
// game's replay and the annotations to a stream.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chess/san.hpp"
#include "codec/annotation.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/lexer.hpp"
#include "pgn/reader.hpp"

namespace fendex::ingest {

/// A visitor of the PGN reader that keeps the words of a variation.
struct WordKeeper : pgn::IgnoredText, pgn::IgnoredAnnotations {
    codec::AnnotationStreamWriter& annotation;
    void word(std::string_view text) { annotation.word(text); }
};

class AnnotatedReplay {
  public:
    /// `words`, unless null, has replacements for the words of variations, in order; an empty one
    /// removes the word. Words beyond its end stay as they are.
    AnnotatedReplay(GameReplay& replay, codec::AnnotationStreamWriter& annotation,
                    const std::vector<std::string>* words = nullptr)
        : replay_(replay), annotation_(annotation), words_(words) {
        annotation_.clear();
    }
    /// Returns whether variations have words that are not English SAN but may be moves.
    bool has_other_words() const { return other_words_; }

    void tag(std::string_view name, std::string_view value) { replay_.tag(name, value); }
    bool move(std::string_view san, const char* where) {
        if (!replay_.move(san, where)) return false;
        annotation_.move();
        return true;
    }
    bool play(chess::Move move, std::string_view text, const char* where) {
        if (!replay_.play(move, text, where)) return false;
        annotation_.move();
        return true;
    }
    void result(std::string_view marker) {
        replay_.result(marker);
        annotation_.result();
    }
    void problem(const char* where, std::string_view reason) { replay_.problem(where, reason); }

    void comment(std::string_view text) {
        const std::string clean = pgn::clean_text(text);
        annotation_.comment(clean);
        if (variations_ == 0) replay_.read_score(clean);
    }
    void glyph(std::string_view text) { annotation_.glyph(pgn::clean_text(text)); }
    void open_variation() {
        annotation_.open();
        ++variations_;
    }
    void word(std::string_view text) {
        if (words_ != nullptr) {
            if (next_word_ < words_->size()) text = (*words_)[next_word_++];
            if (text.empty()) return;
        } else if (!other_words_ && pgn::is_move_word(text)) {
            chess::SanMove san;
            other_words_ = chess::parse_san(text, san) != chess::SanError::kNone;
        }
        std::string word = pgn::clean_text(text);
        std::erase_if(word, pgn::is_space);  // 1/2 - 1/2
        if (word == text) return annotation_.word(word);
        // A promotion letter of an old code page may become too long for a promotion in UTF-8.
        pgn::keep_promotions_only(word);
        // In UTF-8 the word may have blanks and symbols (a no-break space, «). The reader finds
        // them now, as it would when it reads the exported game.
        WordKeeper keeper{{}, {}, annotation_};
        pgn::read_game(std::string(1, '(').append(word) + ')', false, keeper);
    }
    void close_variation() {
        annotation_.close();
        --variations_;
    }

  private:
    GameReplay& replay_;
    codec::AnnotationStreamWriter& annotation_;
    const std::vector<std::string>* words_;
    std::size_t next_word_ = 0;
    bool other_words_ = false;
    unsigned variations_ = 0;  // around the place
};

}  // namespace fendex::ingest
