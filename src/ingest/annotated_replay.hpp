// A visitor of the PGN reader for games whose annotations are kept: passes the game on to its
// replay, and what stands around the moves to a stream.
#pragma once

#include <string>
#include <string_view>

#include "codec/annotation.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/lexer.hpp"

namespace fendex::ingest {

class AnnotatedReplay {
  public:
    AnnotatedReplay(GameReplay& replay, codec::AnnotationStreamWriter& annotation)
        : replay_(replay), annotation_(annotation) {
        annotation_.clear();
    }

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

    void comment(std::string_view text) { annotation_.comment(pgn::clean_text(text)); }
    void glyph(std::string_view text) { annotation_.glyph(pgn::clean_text(text)); }
    void open_variation() { annotation_.open(); }
    void word(std::string_view text) {
        std::string word = pgn::clean_text(text);
        std::erase_if(word, pgn::is_space);  // 1/2 - 1/2
        annotation_.word(word);
    }
    void close_variation() { annotation_.close(); }

  private:
    GameReplay& replay_;
    codec::AnnotationStreamWriter& annotation_;
};

}  // namespace fendex::ingest
