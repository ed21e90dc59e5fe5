#include "store/sqlite/reader/signature_scan.hpp"

#include <algorithm>

namespace fendex::store {

void SignatureScan::load(GameId last_game) {
    signatures_.forget();
    last_game_ = last_game;
}

/// Calls visit(game, signature) for the games of a range, up to the last game.
template <typename Visit>
void SignatureScan::for_each(const GameRange& games, Visit visit) {
    const GameId last = std::min(games.last, last_game_);
    for (GameId game = games.first; game <= last;) {
        const std::uint64_t chunk = (game - 1) / codec::kGamesPerChunk;
        const std::uint64_t before = chunk * codec::kGamesPerChunk;
        const std::vector<codec::GameSignature> of_chunk = signatures_.chunk(chunk);
        if (of_chunk.size() !=
            std::min<std::uint64_t>(codec::kGamesPerChunk, last_game_ - before)) {
            throw DamageError(connection_->path() + ": damaged: signatures do not match the games");
        }
        for (; game <= last && game - before <= of_chunk.size(); ++game) {
            visit(game, of_chunk[game - before - 1]);
        }
    }
}

std::vector<codec::GameSignature> SignatureScan::signatures(const GameRange& games) {
    std::vector<codec::GameSignature> out;
    for_each(games, [&](GameId, const codec::GameSignature& each) { out.push_back(each); });
    return out;
}

std::vector<GameId> SignatureScan::possible_games(
    const GameRange& games, std::span<const codec::SignatureCondition> any_of) {
    std::vector<GameId> out;
    for_each(games, [&](GameId game, const codec::GameSignature& signature) {
        const auto may_hold = [&](const auto& each) { return each.may_hold(signature); };
        // A deleted game has no positions, even if a damaged signature says otherwise.
        if (std::any_of(any_of.begin(), any_of.end(), may_hold) && !deleted_->contains(game)) {
            out.push_back(game);
        }
    });
    return out;
}

}  // namespace fendex::store
