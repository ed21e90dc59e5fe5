// SAN: a FEN, a newline, then words. A word that resolves to a move must be legal, and must be
// written and read back as the same move. Every word is also read in every language: its English
// form is short, and that form spelled in the language again has the same
// meaning; the move it names must be legal.
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/san_language.hpp"
#include "chess/san_word.hpp"
#include "fuzz.hpp"

using namespace fendex;

namespace {

void require_legal(const chess::Position& position, chess::Move move) {
    if (move.kind() == chess::MoveKind::kNull) return;
    chess::MoveList legal;
    chess::legal_moves(position, legal);
    fuzz::require(legal.contains(move));
}

void read_in_all_alphabets(const chess::Position& position, std::string_view text) {
    const chess::SanWord word = chess::read_san_word(text);
    for (const std::string_view letter : {word.piece, word.promotion}) {
        fuzz::require(letter.size() <= text.size());
    }
    std::string spelled;
    for (const chess::SanAlphabet& alphabet : chess::san_alphabets()) {
        chess::Move move;
        if (chess::read_san(position, word, alphabet, move) == chess::SanError::kNone) {
            require_legal(position, move);
        }
        const chess::EnglishSan san(word, alphabet);
        if (san.empty()) continue;
        fuzz::require(word.kind != chess::SanWord::Kind::kUnknown);
        const auto spelling = chess::SanSpelling::of(*alphabet.language);
        const chess::SanWord again = chess::read_san_word(spelling.spell(san.text(), spelled));
        const chess::SanAlphabet& own = chess::alphabets_of(*alphabet.language).front();
        fuzz::require(chess::EnglishSan(again, own).text() == san.text());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = fuzz::text_of(data, size);
    const std::size_t line = text.find('\n');
    chess::Position position;
    if (line != std::string_view::npos) {
        const chess::FenResult fen =
            chess::parse_fen(text.substr(0, line), chess::FenMode::kLenient);
        if (fen.position) position = *fen.position;
        text.remove_prefix(line + 1);
    }
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        read_in_all_alphabets(position, word);
        chess::SanMove san;
        chess::Move move;
        if (chess::parse_san(word, san) != chess::SanError::kNone) continue;
        if (chess::resolve_san(position, san, move) != chess::SanError::kNone) continue;
        require_legal(position, move);
        chess::Move again;
        fuzz::require(chess::parse_san(chess::to_san(position, move), san) ==
                      chess::SanError::kNone);
        fuzz::require(chess::resolve_san(position, san, again) == chess::SanError::kNone);
        fuzz::require(again == move);
        position.play(move);
        fuzz::require(position.key() == position.computed_key());
    }
    return 0;
}
