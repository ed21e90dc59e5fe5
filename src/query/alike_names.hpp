// Names of players that may be other spellings of given names (base/name_fit.hpp), but are not
// joined with them: what a question about a player leaves out. They do not affect which games fit.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "store/players.hpp"

namespace fendex::query {

/// If a question is about more players, the names alike are not looked up: the user must first say
/// who is meant.
inline constexpr std::size_t kMostCompared = 10;

/// Returns the test for names that may be spellings of one of these names. Names whose last names
/// begin with another sound are not compared.
[[nodiscard]] store::LikeNames like_names(std::span<const std::string> names);

/// A name that a condition leaves out.
struct AlikeName {
    std::string name;
    std::uint64_t games = 0;  // games that fit the other conditions; at least 1
    std::string of;           // the fullest of the names that fit the condition and are alike

    bool operator==(const AlikeName&) const = default;
};

/// Returns the names that the filter's conditions on players leave out, those with most games
/// first. Clusters are not searched. Throws base::Stopped soon after a stop was requested.
[[nodiscard]] std::vector<AlikeName> alike_names(std::span<store::StoreReader* const> readers,
                                                 const GameFilter& filter,
                                                 const std::stop_token& stop = {});

}  // namespace fendex::query
