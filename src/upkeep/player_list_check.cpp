#include "upkeep/player_list_check.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/sqlite/tables/player_lists.hpp"

namespace fendex::upkeep {

namespace {

/// Returns whether the list of a range has the players of the games that are there. Deleted games
/// stay in the list.
bool games_are_right(store::RawRows& raw_rows, store::PlayerListReader& lists,
                     const MarkedGames& deleted, const store::GameRange& range) {
    const auto expected = store::listed_games(raw_rows.connection(), range);
    std::vector<codec::PlayerGame> found = lists.games_from(store::as_signed(range.first));
    std::erase_if(found, [&](const codec::PlayerGame& each) {
        return deleted.contains(range.first + each.game());
    });
    return expected == found;
}

}  // namespace

void check_player_lists(store::RawRows& raw_rows, const MarkedGames& deleted,
                        store::GameId last_game, Findings& findings) {
    store::PlayerListReader lists(raw_rows.connection());
    lists.load(last_game);
    const auto check = [&](const char* table, std::int64_t row, auto is_right) {
        std::string message = "is not what the games and names say";
        try {
            if (is_right()) return;
        } catch (const store::DamageError& error) {
            message = error.what();
        }
        findings.add({.kind = table, .row = row, .message = std::move(message)});
    };
    if (lists.is_damaged()) {
        findings.add({.kind = "player_game",
                      .message = "this table or player_word, a range or the end of one is lost"});
    }
    for (std::size_t i = 1; i < lists.games().size(); ++i) {
        const std::int64_t first = lists.games()[i - 1];
        const store::GameRange range{static_cast<store::GameId>(first),
                                     static_cast<store::GameId>(lists.games()[i] - 1)};
        check("player_game", first,
              [&] { return games_are_right(raw_rows, lists, deleted, range); });
    }
    for (std::size_t i = 1; i < lists.names().size(); ++i) {
        const std::int64_t first = lists.names()[i - 1];
        check("player_word", first, [&] {
            return store::listed_words(raw_rows.connection(), first, lists.names()[i]) ==
                   lists.words_from(first);
        });
    }
}

}  // namespace fendex::upkeep
