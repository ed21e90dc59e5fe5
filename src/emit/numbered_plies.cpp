#include "emit/numbered_plies.hpp"

#include <algorithm>

#include "store/local_reader.hpp"

namespace fendex::emit {

namespace {

bool is_consecutive(const GameList& games, GameBatch batch) {
    for (std::uint64_t i = batch.begin; i < batch.end; ++i) {
        if (games[i] != games[batch.begin] + (i - batch.begin)) return false;
    }
    return true;
}

/// Calls visit(game, number of plies including the start) for the games of a list that can be
/// replayed, in order.
template <typename Visit>
void for_each_length(store::StoreReader& reader, const GameList& games, Visit visit) {
    constexpr std::uint64_t kAtOnce = 4096;
    std::vector<std::uint32_t> plies;
    std::vector<std::uint32_t> variants;
    for (std::uint64_t begin = 0; begin < games.size(); begin += kAtOnce) {
        const GameBatch batch{begin, std::min(begin + kAtOnce, games.size())};
        plies.resize(batch.end - batch.begin);
        variants.resize(plies.size());
        store::LocalReader* const local = reader.local();
        if (local == nullptr) {
            std::size_t i = 0;
            reader.headers(ids_of(games, batch), [&](const store::GameHeader& header) {
                while (games[begin + i] != header.id) ++i;
                plies[i] = header.plies;
                variants[i] = static_cast<std::uint32_t>(header.variant);
            });
        } else if (is_consecutive(games, batch)) {
            local->column(store::GameColumn::kPlies, games[begin], plies);
            local->column(store::GameColumn::kVariant, games[begin], variants);
        } else {
            for (std::size_t i = 0; i < plies.size(); ++i) {
                const codec::GameFacts facts = reader.facts(games[begin + i]);
                plies[i] = facts.plies;
                variants[i] = static_cast<std::uint32_t>(facts.variant);
            }
        }
        for (std::size_t i = 0; i < plies.size(); ++i) {
            if (variants[i] == static_cast<std::uint32_t>(chess::Variant::kOther)) continue;
            visit(games[begin + i], std::uint64_t{plies[i]} + 1);
        }
    }
}

}  // namespace

std::uint64_t count_plies(store::StoreReader& reader, const GameList& games) {
    std::uint64_t all = 0;
    for_each_length(reader, games, [&](store::GameId, std::uint64_t plies) { all += plies; });
    return all;
}

std::vector<SampledPlies::Place> places_of(store::StoreReader& reader, const GameList& games,
                                           std::span<const std::uint64_t> numbers) {
    std::vector<SampledPlies::Place> places;
    places.reserve(numbers.size());
    std::uint64_t begin = 0;  // the number of the game's first ply
    for_each_length(reader, games, [&](store::GameId game, std::uint64_t plies) {
        while (places.size() < numbers.size() && numbers[places.size()] < begin + plies) {
            places.push_back({game, static_cast<std::uint32_t>(numbers[places.size()] - begin)});
        }
        begin += plies;
    });
    return places;
}

}  // namespace fendex::emit
