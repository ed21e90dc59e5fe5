// Tables `player_game` and `player_word`: the games of each player, and the words of players'
// names, so that a question about a player reads neither all games nor all names. They are made for
// ranges of games and of names, one after the other, when a range is full; what comes after the
// last one is read from the tables that both are made from. They say nothing that those do not, so
// a program may ignore them; and what a program has written that does not know them is not used
// (sums/row_sums.hpp). Deleted games stay in them, because their numbers are not used again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/stop_check.hpp"
#include "codec/name_words.hpp"
#include "codec/player_games.hpp"
#include "store/game_range.hpp"
#include "store/player_lists.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// How many games and names a range has. Readers do not depend on it.
struct ListSizes {
    std::uint64_t games = std::uint64_t{1} << 19;
    std::int64_t names = std::int64_t{1} << 16;
};

/// The ranges of one of the tables: the number with which each begins, ascending, and the one after
/// the last range. Empty if there are none.
using ListRanges = std::vector<std::int64_t>;

/// Reads both tables, in the connection's thread and snapshot.
class PlayerListReader final : public PlayerLists {
  public:
    explicit PlayerListReader(const Connection& connection) : connection_(&connection) {}

    /// Must be called first, and again when the connection's snapshot may be another one, with the
    /// database's last game.
    void load(GameId last_game);
    /// Returns whether a range, the end of a table or a table is lost: then there are no lists.
    [[nodiscard]] bool is_damaged() const { return is_damaged_; }
    [[nodiscard]] const ListRanges& games() const { return games_; }
    [[nodiscard]] const ListRanges& names() const { return names_; }

    [[nodiscard]] GameId last_game() const override {
        return games_.empty() ? 0 : static_cast<GameId>(games_.back() - 1);
    }
    [[nodiscard]] std::int64_t last_name() const override {
        return names_.empty() ? 0 : names_.back() - 1;
    }
    void for_each_game(
        std::span<const std::uint32_t> players, base::StopCheck& stop,
        const std::function<void(std::uint32_t, GameId, chess::Color)>& visit) override;
    void for_each_name(std::string_view beginning, base::StopCheck& stop,
                       const std::function<void(std::int64_t, std::string_view)>& visit) override;

    /// Returns the games of a range, which begins with game `first`, sorted.
    [[nodiscard]] std::vector<codec::PlayerGame> games_from(std::int64_t first);
    /// Returns the rows of words of a range, which begins with id `first`, as they were encoded.
    [[nodiscard]] std::vector<codec::NameWordRow> words_from(std::int64_t first);

  private:
    void for_each_name_of(std::int64_t first, std::string_view beginning, base::StopCheck& stop,
                          const std::function<void(std::int64_t, std::string_view)>& visit);
    std::uint32_t read_games(Statement& row, std::int64_t first,
                             std::vector<codec::PlayerGame>& out) const;
    std::string read_words(Statement& row, std::int64_t first, std::string_view beginning,
                           const std::function<void(std::int64_t, std::string_view)>& visit) const;
    [[noreturn]] void damaged(const char* table, std::int64_t first) const;

    const Connection* connection_;
    ListRanges games_;
    ListRanges names_;
    bool is_damaged_ = false;
    std::optional<Statement> games_before_;
    std::optional<Statement> games_from_;
    std::optional<Statement> words_before_;
    std::optional<Statement> words_from_;
};

/// Writes both tables, in a writer's thread and transaction.
class PlayerListWriter {
  public:
    explicit PlayerListWriter(Connection& connection, const ListSizes& sizes = {})
        : connection_(&connection), sizes_(sizes) {}

    /// Reads what is there, and removes it if it cannot be used. Must be called first, except
    /// before drop(), and after a rollback.
    void load(GameId last_game);
    /// Removes both tables.
    void drop();
    /// Adds the next ranges that are full, at most `most` of each table. Returns whether there are
    /// more. Chunks and names must be written.
    bool extend(GameId last_game, unsigned most);
    /// Removes the ranges with games after `last`, which other games will replace.
    void cut_games(GameId last);
    /// Makes the ranges of these names, which were removed, again; or removes them if the ids of
    /// their last names may be given again.
    void remove_names(const std::unordered_set<std::int64_t>& ids);

  private:
    bool add_games(std::int64_t first, std::int64_t end);
    bool add_names(std::int64_t first, std::int64_t end);
    void put_words(std::int64_t first, std::vector<codec::NameWordRow>& words);
    void make_tables();

    Connection* connection_;
    ListSizes sizes_;
    bool exists_ = false;
    bool has_long_names_ = false;  // the names of the next range are too long for a list
    ListRanges games_;
    ListRanges names_;
};

/// Returns the games of a range by their players, sorted, from table `game_players`: those that the
/// range of table `player_game` has when it is made. Empty if a player's name has no code.
[[nodiscard]] std::optional<std::vector<codec::PlayerGame>> listed_games(
    const Connection& connection, const GameRange& range);

/// Returns the rows of words of the players with ids from `first` up to, but not including, `end`,
/// as a range of table `player_word` has them. Empty if the names are too long for a list.
[[nodiscard]] std::optional<std::vector<codec::NameWordRow>> listed_words(
    const Connection& connection, std::int64_t first, std::int64_t end);

}  // namespace fendex::store
