// The players of games: how many games each has, and whom a typed name means. Names that the
// database has joined are one player. Other spellings are never merged here: the caller decides
// which names are one player.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "query/game_filter.hpp"
#include "store/joined_names.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

struct PlayerCount {
    std::string name;
    std::uint64_t games = 0;  // not 0; a game against oneself counts once
    std::uint64_t white = 0;
    std::uint64_t black = 0;
    std::uint32_t first_year = 0;  // 0: no game has a date
    std::uint32_t last_year = 0;
    std::vector<std::string> spellings = {};  // names that are joined to this one

    bool operator==(const PlayerCount&) const = default;
};

/// The players of the games that fit, those with most games first. Reads columns of all these
/// games. Throws base::Stopped after a stop was requested.
class PlayerCounts {
  public:
    PlayerCounts(store::StoreReader& reader, GameMatcher& matcher, std::stop_token stop = {});

    [[nodiscard]] store::LocalReader& reader() const { return reader_; }
    /// Keeps only the players whose names have these words, each as the beginning of a word, in any
    /// order. Throws base::Stopped after a stop was requested.
    void keep_named(std::string_view words, std::stop_token stop = {});
    /// The number of players.
    [[nodiscard]] std::size_t size() const { return ranked_.size(); }
    /// Returns the first `most` players. Reads all names, unless only a few are wanted.
    [[nodiscard]] std::vector<PlayerCount> first(std::size_t most);
    [[nodiscard]] std::vector<PlayerCount> all() { return first(size()); }
    /// Returns those of these codes (codec/game_codes.hpp) that are players.
    [[nodiscard]] std::vector<PlayerCount> of(std::vector<std::uint32_t> codes) const;

  private:
    struct ByCode;

    [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t b) const;
    [[nodiscard]] std::vector<PlayerCount> players(std::span<const std::uint32_t> ranked) const;

    store::LocalReader& reader_;
    std::shared_ptr<const store::JoinedNames> joined_;
    std::shared_ptr<const ByCode> by_code_;  // kept for the snapshot, if all games fit
    std::vector<std::uint32_t> ranked_;      // codes with games; sorted as far as needed
};

/// Adds up the players of several databases by their names; those with most games first.
[[nodiscard]] std::vector<PlayerCount> joined_players(
    std::vector<std::vector<PlayerCount>> databases);

/// The codes (codec/game_codes.hpp) of some players in one database, and of the names that are
/// joined with theirs.
class PlayerCodes {
  public:
    PlayerCodes(store::LocalReader& reader, std::span<const std::string> names);
    [[nodiscard]] bool contain(std::uint32_t code) const {
        return code < codes_.size() && codes_[code];
    }

  private:
    std::vector<bool> codes_;
};

/// The players that a typed name may mean.
struct PlayerChoice {
    /// As typed: the player with exactly this name, else all whose words fit; a player fits if any
    /// of the joined names does.
    std::vector<PlayerCount> named;
    /// Others that may be the same person (alike_names.hpp); none if too many are named.
    std::vector<PlayerCount> alike;
};

/// Chooses among the players of all databases together. In both lists, those with most games are
/// first. Throws base::Stopped after a stop was requested.
[[nodiscard]] PlayerChoice choose_players(std::span<const PlayerCounts> databases,
                                          std::string_view typed, std::stop_token stop = {});

}  // namespace fendex::query
