#include "ingest/play_word.hpp"

#include "chess/san.hpp"
#include "chess/variant_san.hpp"

namespace fendex::ingest {

namespace {

/// Plays the move; why not, else.
std::string_view play_san(chess::Position& position, std::string_view san, chess::Move& move) {
    if (san.empty()) return chess::describe(chess::SanParseError::kUnknownCharacter);
    const std::string_view error = chess::read_san(position, san, move);
    if (error.empty()) position.play(move);
    return error;
}

std::string_view play_san(chess::VariantPosition& position, std::string_view san,
                          chess::Move& move) {
    const std::string_view error = chess::read_san(position, san, move);
    if (error.empty()) position.play(move);
    return error;
}

/// "ed": the one rank where that is legal.
template <typename Position>
std::string_view play_files(Position& position, const chess::SanWord& word,
                            const chess::SanAlphabet& alphabet, chess::Move& move) {
    const Position before = position;
    unsigned found = 0;
    for (char rank = '2'; rank <= '8' + 1; ++rank) {
        // The first rank last: only what is played there promotes, and has a piece to say so.
        const chess::EnglishSan san(word, alphabet, rank <= '8' ? rank : '1');
        Position after = before;
        chess::Move there;
        if (!play_san(after, san.text(), there).empty()) continue;
        ++found;
        position = after;
        move = there;
    }
    if (found == 1) return {};
    position = before;
    return chess::describe(found == 0 ? chess::SanResolveError::kNoSuchPiece
                                      : chess::SanResolveError::kAmbiguous);
}

template <typename Position>
std::string_view play(Position& position, const chess::SanWord& word,
                      const chess::SanAlphabet& alphabet, chess::Move& move) {
    return word.kind == chess::SanWord::Kind::kPawnFiles
               ? play_files(position, word, alphabet, move)
               : play_san(position, chess::EnglishSan(word, alphabet).text(), move);
}

}  // namespace

std::string_view play_word(chess::Position& position, const chess::SanWord& word,
                           const chess::SanAlphabet& alphabet, chess::Move& move) {
    return play(position, word, alphabet, move);
}

std::string_view play_word(chess::VariantPosition& position, const chess::SanWord& word,
                           const chess::SanAlphabet& alphabet, chess::Move& move) {
    return play(position, word, alphabet, move);
}

}  // namespace fendex::ingest
