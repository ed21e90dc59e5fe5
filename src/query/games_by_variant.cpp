#include "query/games_by_variant.hpp"

#include <span>
#include <utility>

#include "base/stop_check.hpp"
#include "store/engine.hpp"

namespace fendex::query {

std::vector<VariantGames> games_by_variant(store::StoreReader& reader, std::stop_token stop) {
    const auto with_games = [](std::span<const std::uint64_t> counts) {
        std::vector<VariantGames> out;
        for (std::size_t i = 0; i < chess::kVariants; ++i) {
            if (counts[i] != 0) out.push_back({static_cast<chess::Variant>(i), counts[i]});
        }
        return out;
    };
    if (store::Engine* const engine = reader.engine()) {
        return with_games(engine->count_by_variant(std::move(stop)));
    }
    base::StopCheck check(std::move(stop));
    check();
    const std::uint64_t games = reader.info().games;
    if (!reader.may_have_variants()) {
        if (games == 0) return {};
        return {{chess::Variant::kStandard, games}};
    }
    std::uint64_t counts[chess::kVariants]{};
    const store::GameId last = reader.last_game();
    for (store::GameId game = 1; game <= last; ++game) {
        check();
        ++counts[static_cast<std::size_t>(reader.facts(game).variant)];
    }
    // The facts of a deleted game are empty, so it was counted as standard chess.
    counts[static_cast<std::size_t>(chess::Variant::kStandard)] -= last - games;
    return with_games(counts);
}

}  // namespace fendex::query
