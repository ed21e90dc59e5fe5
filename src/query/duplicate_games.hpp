// Games that a database has more than once, in groups. Hashes (32 bytes a game) propose groups;
// comparing the stored games decides.
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
    /// The longest game; among equals one with annotations, then the one with the most tag pairs of
    /// known value, then the first.
    store::GameId keep = 0;
};

/// "identical", "moves", "prefix".
std::string_view name_of(DuplicateKind kind);

/// Returns the groups among the games that fit, kind by kind, in the order of their first games.
/// Throws base::Stopped soon after a stop was requested.
std::vector<DuplicateGroup> find_duplicates(store::StoreReader& reader, GameMatcher& matcher,
                                            std::span<const DuplicateKind> kinds,
                                            std::stop_token stop = {});

/// Returns all games of the groups except those to keep, ascending.
std::vector<store::GameId> superfluous_games(std::span<const DuplicateGroup> groups);

}  // namespace fendex::query
