// The players of the games that fit a filter: a question that each store answers in its own way
// (store/engine.hpp). Names that the database has joined are one player. Other spellings are never
// merged: the caller decides which names are one player.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text_fold.hpp"

namespace fendex::store {

struct PlayerCount {
    std::string name;
    std::uint64_t games = 0;  // not 0; a game against oneself counts once
    std::uint64_t white = 0;
    std::uint64_t black = 0;
    std::uint32_t first_year = 0;  // 0: no game has a date
    std::uint32_t last_year = 0;
    std::vector<std::string> spellings = {};  // names that are joined to this one, in their order

    bool operator==(const PlayerCount&) const = default;
};

/// Returns whether a player is before another in lists: the one with more games, then by name.
[[nodiscard]] inline bool is_listed_before(const PlayerCount& a, const PlayerCount& b) {
    return a.games != b.games ? a.games > b.games : a.name < b.name;
}

/// A test of names, which are folded (base/text_fold.hpp). A plain value.
struct LikeNames {
    std::string key;  // different tests have different keys, by which their results are kept
    /// Returns whether a word with these first letters can be in a name that is like others. A word
    /// of one letter is no pair; a letter that is not Latin has two bytes and is a pair.
    std::function<bool(std::string_view pair)> may_begin;
    std::function<bool(std::string_view folded)> fits;
};

/// Which players a question is about: all; those with a name that has these words, each as the
/// beginning of a word, in any order; those with one of exactly these names; or those with a name
/// that passes a test. A player fits if any of the joined names does.
struct AllPlayers {};
using AskedPlayers = std::variant<AllPlayers, base::NameWords, std::vector<std::string>, LikeNames>;

/// Belongs to the thread of its engine, which must outlive it; the reader must not be refreshed.
/// Functions throw base::Stopped soon after a stop was requested, and StoreError.
class Players {
  public:
    Players() = default;
    Players(const Players&) = delete;
    Players& operator=(const Players&) = delete;
    virtual ~Players() = default;

    [[nodiscard]] virtual std::uint64_t count(const AskedPlayers& asked, std::stop_token stop) = 0;
    /// Returns the first `most` players, in the order of is_listed_before().
    [[nodiscard]] virtual std::vector<PlayerCount> first(const AskedPlayers& asked,
                                                         std::size_t most,
                                                         std::stop_token stop) = 0;
};

}  // namespace fendex::store
