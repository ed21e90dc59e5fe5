// A word of a game's text, in a language, as the legal move that it is.
#pragma once

#include <string_view>

#include "chess/position.hpp"
#include "chess/san_language.hpp"
#include "chess/san_word.hpp"
#include "chess/variant_position.hpp"

namespace fendex::ingest {

/// Plays the move that a word is in an alphabet; no remark. Returns why it is none, in words, and
/// leaves the position as it was; empty where `move` has been played.
std::string_view play_word(chess::Position& position, const chess::SanWord& word,
                           const chess::SanAlphabet& alphabet, chess::Move& move);
std::string_view play_word(chess::VariantPosition& position, const chess::SanWord& word,
                           const chess::SanAlphabet& alphabet, chess::Move& move);

}  // namespace fendex::ingest
