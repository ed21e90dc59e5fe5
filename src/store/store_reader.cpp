#include "store/store_reader.hpp"

namespace fendex::store {

bool StoreReader::header(GameId game, GameHeader& out) {
    bool found = false;
    headers({&game, 1}, [&](const GameHeader& header) {
        out = header;
        found = true;
    });
    return found;
}

bool StoreReader::moves(GameId game, StoredMoves& out) {
    bool found = false;
    moves({&game, 1}, [&](GameId, const StoredMoves& moves) {
        out = moves;
        found = true;
    });
    return found;
}

bool StoreReader::game(GameId game, StoredGame& out) {
    bool found = false;
    games({&game, 1}, [&](GameId, const StoredGame& stored) {
        out = stored;
        found = true;
    });
    return found;
}

void StoreReader::annotations(std::span<const GameId> games,
                              const std::function<void(GameId, std::string_view stream)>& visit) {
    std::string stream;
    for (const GameId game : games) {
        if (annotation(game, stream)) visit(game, stream);
    }
}

}  // namespace fendex::store
