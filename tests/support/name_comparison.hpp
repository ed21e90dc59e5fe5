// Compares what an engine says of players, openings and earlier games with what engines say that
// look at every game (support/brute_store.hpp), and whose databases it has.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text_fold.hpp"
#include "chess/random_play.hpp"
#include "query/alike_names.hpp"
#include "query/player_list.hpp"
#include "store/engine.hpp"

namespace fendex::test {

inline std::string text_of(const store::PlayerCount& player) {
    std::string out = player.name;
    for (const std::uint64_t number :
         {player.games, player.white, player.black, std::uint64_t{player.first_year},
          std::uint64_t{player.last_year}}) {
        out += ' ' + std::to_string(number);
    }
    for (const std::string& each : player.spellings) out += " = " + each;
    return out + '\n';
}

inline std::string text_of(const codec::ResultCounts& results) {
    std::string out;
    for (const std::uint64_t games : results.by_code) out += ' ' + std::to_string(games);
    return out + '\n';
}

inline void add_results(const codec::ResultCounts& more, codec::ResultCounts& sum) {
    for (std::size_t i = 0; i < 4; ++i) sum.by_code[i] += more.by_code[i];
}

/// The sums of several engines as one text.
class SideTexts {
  public:
    void add(const store::Engine::SideSums& sums) {
        for (const auto& each : sums.scores) {
            add_results(each.results, results_["year " + std::to_string(each.year) + " against " +
                                               std::to_string(each.opponents)]);
        }
        for (const auto& each : sums.openings) {
            add_results(each.results, results_["opening " + each.opening]);
        }
        for (const auto& each : sums.months) {
            store::Engine::SideSums::Month& month = months_[each.month];
            const std::uint64_t games = month.games + each.games;
            if (std::tie(month.date, month.game) < std::tie(each.date, each.game)) month = each;
            month.games = games;
        }
    }
    [[nodiscard]] std::string text() const {
        std::string out;
        for (const auto& [what, results] : results_) out += what + text_of(results);
        for (const auto& [number, month] : months_) {
            for (const std::uint64_t each :
                 {std::uint64_t{number}, month.games, month.game,
                  std::uint64_t{month.date.number()}, std::uint64_t{month.rating}}) {
                out += std::to_string(each) + ' ';
            }
        }
        return out;
    }

  private:
    std::map<std::string, codec::ResultCounts> results_;
    std::map<std::uint32_t, store::Engine::SideSums::Month> months_;
};

/// Compares the players that an engine lists for a question with those of the doubles.
template <typename ForEachDouble>
void compare_players(store::Engine& engine, ForEachDouble for_each_double,
                     const store::GameFilter& filter, const store::AskedPlayers& asked,
                     std::size_t most) {
    std::vector<std::vector<store::PlayerCount>> lists;
    for_each_double([&](store::Engine& one) {
        lists.push_back(one.players(filter, {})->first(asked, 1'000'000, {}));
    });
    std::vector<store::PlayerCount> expected = query::joined_players(std::move(lists));
    const auto players = engine.players(filter, {});
    CHECK(players->count(asked, {}) == expected.size());
    if (expected.size() > most) expected.resize(most);
    std::string text;
    for (const store::PlayerCount& each : expected) text += text_of(each);
    std::string found;
    for (const store::PlayerCount& each : players->first(asked, most, {})) found += text_of(each);
    CHECK(found == text);
}

/// Asks about random names of the database's players. for_each_double(ask) calls ask(engine) for
/// each double.
template <typename ForEachDouble>
void compare_names(Random& random, store::Engine& engine, ForEachDouble for_each_double,
                   const store::GameFilter& filter) {
    const std::size_t most = random() % 2 == 0 ? 3 : 1'000;
    CAPTURE(most);
    compare_players(engine, for_each_double, filter, store::AllPlayers(), most);
    const auto all = engine.players({}, {})->first(store::AllPlayers(), 1'000, {});
    if (all.empty()) return;
    const std::string name = all[random() % all.size()].name;
    CAPTURE(name);
    const std::vector<std::string> names{name, "nobody of this name"};
    compare_players(engine, for_each_double, filter, names, most);
    compare_players(engine, for_each_double, filter,
                    base::NameWords(base::fold(name).substr(0, 1 + random() % 5)), most);
    compare_players(engine, for_each_double, filter, query::like_names({&name, 1}), most);

    std::map<std::string, codec::Tally> openings;
    for_each_double([&](store::Engine& one) {
        for (const auto& each : one.openings(filter, {})) openings[each.opening].add(each.tally);
    });
    std::map<std::string, codec::Tally> found;
    for (const auto& each : engine.openings(filter, {})) found[each.opening] = each.tally;
    CHECK(found == openings);

    for (const chess::Color color : {chess::Color::kWhite, chess::Color::kBlack}) {
        SideTexts expected;
        std::vector<store::Engine::FactsOfGame> games;
        for_each_double([&](store::Engine& one) {
            expected.add(one.side_sums(names, filter, {})[chess::index(color)]);
            const auto more = one.latest_games(names, color, filter, most, {});
            games.insert(games.end(), more.begin(), more.end());
        });
        SideTexts sums;
        sums.add(engine.side_sums(names, filter, {})[chess::index(color)]);
        CHECK(sums.text() == expected.text());
        std::sort(games.begin(), games.end(), [](const auto& a, const auto& b) {
            return std::tuple(b.facts.date, a.game) < std::tuple(a.facts.date, b.game);
        });
        if (games.size() > most) games.resize(most);
        std::map<store::GameId, codec::GameFacts> latest;
        for (const auto& each : games) latest[each.game] = each.facts;
        std::map<store::GameId, codec::GameFacts> of_engine;
        for (const auto& each : engine.latest_games(names, color, filter, most, {})) {
            of_engine[each.game] = each.facts;
        }
        CHECK(of_engine == latest);
    }
}

}  // namespace fendex::test
