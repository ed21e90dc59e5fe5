// Finds groups of duplicate games in a database. Hashes (32 bytes a game) select possible
// duplicates; comparing the stored games decides.
#pragma once

#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

enum class DuplicateKind {
    kIdentical,  // the same game, as store/game_identity.hpp defines it
    kMoves,      // the same moves from the same start, but not all of them identical
    kPrefix,     // the same players, and the shortest game is the beginning of the others
};

/// Shorter games may share all moves by chance, so they are compared only for identity.
inline constexpr std::uint32_t kFewestSharedPlies = 20;

struct DuplicateGroup {
    DuplicateKind kind = DuplicateKind::kIdentical;
    std::vector<store::GameId> games;  // ascending
    /// The game to keep: the longest one; among equally long ones, one with annotations, then the
    /// one with the most known tag values, then the one with the lowest id.
    store::GameId keep = 0;
};

/// Returns "identical", "moves" or "prefix".
std::string_view name_of(DuplicateKind kind);

/// Returns the groups of the games that fit, in the order of `kinds`, then of their first games.
/// Throws base::Stopped soon after a stop was requested.
[[nodiscard]] std::vector<DuplicateGroup> find_duplicates(store::StoreReader& reader,
                                                          GameMatcher& matcher,
                                                          std::span<const DuplicateKind> kinds,
                                                          std::stop_token stop = {});

/// Returns all games of the groups except those to keep, ascending.
std::vector<store::GameId> superfluous_games(std::span<const DuplicateGroup> groups);

}  // namespace fendex::query
