// How many games a database has of each variant.
#pragma once

#include <cstdint>
#include <vector>

#include "store/store_reader.hpp"

namespace fendex::query {

struct VariantGames {
    chess::Variant variant;
    std::uint64_t games;
};

/// Those that there are games of, in the order of chess::Variant.
std::vector<VariantGames> games_by_variant(store::StoreReader& reader);

/// Whether games of `variant` are among those asked for with --variant `asked`: kStandard is
/// Chess960 too.
constexpr bool is_of_variant(chess::Variant variant, chess::Variant asked) {
    return variant == asked ||
           (asked == chess::Variant::kStandard && variant == chess::Variant::kChess960);
}

}  // namespace fendex::query
