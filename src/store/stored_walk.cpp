#include "store/stored_walk.hpp"

#include "chess/fen.hpp"
#include "store/sqlite.hpp"

namespace fendex::store {

codec::GameWalk walk(GameId game, const StoredMoves& moves) {
    static const chess::Position standard;
    if (moves.start.empty()) return codec::GameWalk(standard, moves.moves, moves.facts.plies);
    const chess::FenResult start = chess::parse_fen(moves.start);
    if (!start.position) {
        throw StoreError("damaged database: the start of game " + std::to_string(game) +
                         " is no position");
    }
    return codec::GameWalk(*start.position, moves.moves, moves.facts.plies);
}

void require_intact(GameId game, const codec::GameWalk& walk) {
    if (walk.corrupt()) {
        throw StoreError("damaged database: the moves of game " + std::to_string(game) +
                         " cannot be replayed beyond ply " + std::to_string(walk.ply()));
    }
}

}  // namespace fendex::store
