#include "store/stored_walk.hpp"

#include "chess/fen.hpp"
#include "store/sqlite.hpp"

namespace fendex::store {

chess::Position start_position(GameId game, const StoredMoves& moves) {
    static const chess::Position standard;
    if (moves.start.empty()) return standard;
    const chess::FenResult start = chess::parse_fen(moves.start);
    if (!start.position) {
        throw StoreError("damaged database: the start of game " + std::to_string(game) +
                         " is no position");
    }
    return *start.position;
}

codec::GameWalk walk(GameId game, const StoredMoves& moves) {
    return codec::GameWalk(start_position(game, moves), moves.moves, moves.facts.plies);
}

void require_intact(GameId game, const codec::GameWalk& walk) {
    if (walk.corrupt()) throw_damaged_moves(game, walk.ply());
}

void throw_damaged_moves(GameId game, std::uint32_t ply) {
    throw StoreError("damaged database: the moves of game " + std::to_string(game) +
                     " cannot be replayed beyond ply " + std::to_string(ply));
}

}  // namespace fendex::store
