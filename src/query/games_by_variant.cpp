#include "query/games_by_variant.hpp"

#include <utility>

#include "store/engine.hpp"

namespace fendex::query {

std::vector<VariantGames> games_by_variant(store::StoreReader& reader, std::stop_token stop) {
    const std::vector<std::uint64_t> counts = reader.engine().count_by_variant(std::move(stop));
    std::vector<VariantGames> out;
    for (std::size_t i = 0; i < chess::kVariants; ++i) {
        if (counts[i] != 0) out.push_back({static_cast<chess::Variant>(i), counts[i]});
    }
    return out;
}

}  // namespace fendex::query
