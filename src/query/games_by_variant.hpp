// Counts the games of each variant in a database.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "store/store_reader.hpp"

namespace fendex::query {

struct VariantGames {
    chess::Variant variant;
    std::uint64_t games;
};

/// Returns the variants that have games, in the order of chess::Variant. Throws base::Stopped soon
/// after a stop was requested.
std::vector<VariantGames> games_by_variant(store::StoreReader& reader, std::stop_token stop = {});

}  // namespace fendex::query
