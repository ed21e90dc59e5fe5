// Damaged packed moves: every returned move can be played, and kings stay on the board. The input
// may begin with a FEN and a newline.
#include "chess/fen.hpp"
#include "codec/game_walk.hpp"
#include "fuzz.hpp"

using namespace fendex;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes = fuzz::text_of(data, size);
    chess::Position start;
    if (const std::size_t line = bytes.find('\n'); line != std::string_view::npos) {
        const chess::FenResult fen = chess::parse_fen(bytes.substr(0, line));
        if (fen.position) {
            start = *fen.position;
            bytes.remove_prefix(line + 1);
        }
    }
    codec::GameWalk walk(start, bytes, 100'000);
    for (; !walk.at_end(); walk.advance()) {
        const chess::Position& p = walk.position();
        for (const chess::Color c : {chess::Color::kWhite, chess::Color::kBlack}) {
            fuzz::require(chess::count(p.pieces(c, chess::PieceType::kKing)) == 1);
        }
        fuzz::require(p.key() == p.computed_key());
    }
    return 0;
}
