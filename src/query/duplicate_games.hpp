// Finds groups of duplicate games in a database. Hashes (32 bytes a game, except for similar games)
// select possible duplicates; comparing the stored games decides.
#pragma once

#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "query/game_filter.hpp"
#include "query/same_game.hpp"
#include "query/similar_games.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

enum class DuplicateKind {
    kIdentical,  // the same game, as store/game_identity.hpp defines it
    kMoves,      // the same moves from the same start, but not all of them identical
    kPrefix,     // the same players, and the shortest game is the beginning of the others
    kSimilar,    // one game by the rule of query/same_game.hpp, but not all of them identical
};
inline constexpr DuplicateKind kDuplicateKinds[]{DuplicateKind::kIdentical, DuplicateKind::kMoves,
                                                 DuplicateKind::kPrefix, DuplicateKind::kSimilar};

/// Which game of a group to keep; among equals, the one with the lowest id. A game is whole if it
/// is at most one ply shorter than the longest of its group.
enum class Keep {
    kBest,       // a whole one; then an annotated one, the one with the most known tag values
    kFirst,      // the one with the lowest id
    kLongest,    // then an annotated one, the one with the most known tag values
    kAnnotated,  // an annotated one; then a whole one, the one with the most known tag values
};

struct DuplicateGroup {
    DuplicateKind kind = DuplicateKind::kIdentical;
    std::vector<store::GameId> games;  // ascending
    store::GameId keep = 0;
    /// For kSimilar: how certain it is that these are one game, from 50 to 99.
    unsigned score = 0;
};

/// Returns "identical", "moves", "prefix" or "similar".
std::string_view name_of(DuplicateKind kind);

struct DuplicateOptions {
    Keep keep = Keep::kBest;
    SimilarResources resources = {};  // for kSimilar
    std::stop_token stop = {};
};

/// Returns the groups of the games that fit, in the order of `kinds`, then of their first games.
/// Throws base::Stopped soon after a stop was requested.
[[nodiscard]] std::vector<DuplicateGroup> find_duplicates(store::StoreReader& reader,
                                                          GameMatcher& matcher,
                                                          std::span<const DuplicateKind> kinds,
                                                          const DuplicateOptions& options = {});

/// Returns all games of the groups except those to keep, ascending.
std::vector<store::GameId> superfluous_games(std::span<const DuplicateGroup> groups);

}  // namespace fendex::query
