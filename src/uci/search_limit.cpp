#include "uci/search_limit.hpp"

#include <algorithm>

#include "chess/movegen.hpp"
#include "chess/variant_movegen.hpp"

namespace fendex::uci {

bool SearchLimit::is_met_by(const codec::PositionRecord& record, std::size_t pvs) const {
    return std::ranges::any_of(record.evaluations, [&](const codec::Evaluation& search) {
        if (search.pvs.size() < pvs) return false;
        if (search.pvs.front().score.is_mate) return true;
        switch (kind) {
            case Kind::kNodes: return search.nodes >= value;
            case Kind::kDepth: return search.depth >= value;
            case Kind::kMilliseconds: return true;
        }
        return false;
    });
}

std::size_t count_moves(const chess::AnyPosition& position) {
    return position.visit([](const auto& board) {
        return board.is_over() ? std::size_t{0} : chess::legal_moves(board).size();
    });
}

bool is_chess960(const chess::AnyPosition& position) {
    return position.visit([](const auto& board) {
        chess::Bitboard rooks = board.castling_rooks();
        while (rooks != 0) {
            const chess::Square rook = chess::pop_lowest(rooks);
            const chess::Color side =
                chess::rank_of(rook) == 0 ? chess::Color::kWhite : chess::Color::kBlack;
            const unsigned file = chess::file_of(rook);
            if ((file != 0 && file != 7) || chess::file_of(board.king(side)) != 4) return true;
        }
        return false;
    });
}

}  // namespace fendex::uci
