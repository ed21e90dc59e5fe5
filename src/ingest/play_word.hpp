// Finds the legal move that a word of a game's text names in a language.
#pragma once

#include "chess/san_word.hpp"

namespace fendex::ingest {

/// Plays the move that a word names in an alphabet. After an error the position is unchanged.
template <chess::Board B>
chess::SanError play_word(B& position, const chess::SanWord& word,
                          const chess::SanAlphabet& alphabet, chess::Move& move) {
    const chess::SanError error = chess::read_san(position, word, alphabet, move);
    if (error == chess::SanError::kNone) position.play(move);
    return error;
}

}  // namespace fendex::ingest
