// Answers of a database with joined names: those of a database whose games came with the names that
// stand for others, and filters fit a game if any of the joined names does.
#include "store/joined_names.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/stop_check.hpp"
#include "base/text_fold.hpp"
#include "ingest/importer.hpp"
#include "query/game_filter.hpp"
#include "query/near_names.hpp"
#include "query/player_json.hpp"
#include "query/player_list.hpp"
#include "query/preparation_json.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/all_players.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using store::GameId;
using store::NameKind;

using Random = std::mt19937_64;
using Person = std::vector<std::string>;  // spellings; the first stands for the others

const std::vector<Person> kPersons{
    {"Karpov, Anatoly", "Karpov,An", "A. Karpov", "Карпов, Анатолий"},
    {"Karpova, Anna", "Karpova,A"},
    {"Korchnoi, Viktor", "Kortschnoj, V", "KORCHNOI,VIKTOR"},
    {"Karpov, Ivan"},
    {"Polugaevsky, Lev", "Polugajewski, L"},
};
const std::vector<Person> kEvents{{"Baguio WCh", "World Championship 30th"}, {"Moscow"}};

const Person& one_of(Random& random, const std::vector<Person>& persons) {
    return persons[random() % persons.size()];
}
std::size_t person_of(const std::string& name, const std::vector<Person>& persons) {
    const auto has = [&](const Person& each) {
        return std::ranges::find(each, name) != each.end();
    };
    return static_cast<std::size_t>(std::ranges::find_if(persons, has) - persons.begin());
}

struct Game {
    std::string white;
    std::string black;
    std::string event;
    std::string rest;  // tags and moves

    std::string text() const {
        return "[Event \"" + event + "\"]\n[White \"" + white + "\"]\n[Black \"" + black + "\"]\n" +
               rest;
    }
};

Game random_game(Random& random) {
    const auto spelling = [&](const Person& person) { return person[random() % person.size()]; };
    const auto number = [&](std::uint64_t least, std::uint64_t most) {
        return std::to_string(least + random() % (most - least + 1));
    };
    const char* const moves[]{"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. e4 c5 2. Nf3 d6 3. d4 cxd4",
                              "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4", "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6"};
    const char* const results[]{"1-0", "0-1", "1/2-1/2"};
    const std::string result = results[random() % 3];
    Game game{spelling(one_of(random, kPersons)), spelling(one_of(random, kPersons)),
              spelling(one_of(random, kEvents)), ""};
    game.rest = "[Date \"19" + number(70, 85) + ".0" + number(1, 9) + ".1" + number(0, 9) +
                "\"]\n[Result \"" + result + "\"]\n[WhiteElo \"2" + number(400, 700) +
                "\"]\n[BlackElo \"2" + number(400, 700) + "\"]\n\n" + moves[random() % 4] + " " +
                result + "\n\n";
    return game;
}

/// The same games as they came, with names joined, and with the names that stand for others.
class Twins {
  public:
    explicit Twins(unsigned seed) : random_(seed) {
        std::string came;
        std::string canonical;
        for (int i = 0; i < 300; ++i) {
            games.push_back(random_game(random_));
            came += games.back().text();
            Game game = games.back();
            for (std::string* const name : {&game.white, &game.black}) {
                *name = kPersons[person_of(*name, kPersons)].front();
            }
            game.event = kEvents[person_of(game.event, kEvents)].front();
            canonical += game.text();
        }
        ingest::import_files(directory_ / "joined.db", {directory_.write("a.pgn", came)}, {});
        ingest::import_files(directory_ / "twin.db", {directory_.write("b.pgn", canonical)}, {});
        const auto joined_store = store::file_store(directory_ / "joined.db");
        const auto writer = joined_store->writer("names");
        const auto join = [&](NameKind kind, const std::vector<Person>& persons) {
            for (const Person& person : persons) {
                for (const std::string& name : person) {
                    writer->joined_names()->join_name(kind, name, person.front(), "test");
                }
            }
        };
        join(NameKind::kPlayer, kPersons);
        join(NameKind::kEvent, kEvents);
        writer->commit();
        writer->close();
        joined = joined_store->reader();
        twin = store::file_store(directory_ / "twin.db")->reader();
    }

    std::vector<Game> games;
    store::Reader joined;
    store::Reader twin;

  private:
    Random random_;
    TemporaryDirectory directory_;
};

/// Whether one of the joined names has these words.
bool fits(const std::string& typed, const std::string& name, const std::vector<Person>& persons) {
    const base::NameWords words(base::fold(typed));
    return std::ranges::any_of(persons[person_of(name, persons)], [&](const std::string& each) {
        return words.fit(base::fold(each));
    });
}

std::vector<query::PlayerCount> players_of(store::StoreReader& reader) {
    std::vector<query::PlayerCount> players = test::all_players(reader);
    for (query::PlayerCount& each : players) each.spellings.clear();
    std::ranges::sort(players, {}, &query::PlayerCount::name);
    return players;
}

std::string report_of(store::StoreReader& reader, const std::string& typed) {
    query::GameMatcher matcher(reader);
    const auto players = reader.engine().players({}, {});
    query::PlayerChoice choice = query::choose_players({&players, 1}, typed);
    REQUIRE(choice.named.size() == 1);
    choice.named.front().spellings.clear();
    const std::vector<std::string> names{choice.named.front().name};
    query::PlayerReporter reporter(names);
    reporter.add(reader, matcher);
    std::string out;
    json::append_line(out, [&](json::Object& object) {
        query::add_player_report({choice.named, {}, ""}, reporter.report(), object);
    });
    for (const chess::Color color : {chess::Color::kWhite, chess::Color::kBlack}) {
        const query::Preparation found = query::prepare(reader, matcher, names, color);
        json::append_line(out, [&](json::Object& object) {
            query::add_preparation(names, color, found, object);
        });
    }
    return out;
}

std::vector<GameId> games_that_fit(store::StoreReader& reader, const query::GameFilter& filter) {
    query::GameMatcher matcher(reader, filter);
    std::vector<GameId> one_by_one;
    for (GameId game = 1; game <= reader.last_game(); ++game) {
        if (matcher(game)) one_by_one.push_back(game);
    }
    CHECK(query::select_games(reader, matcher) == one_by_one);
    CHECK(matcher.count() == one_by_one.size());
    return one_by_one;
}

}  // namespace

TEST_CASE("Players, reports and preparations take joined names as one") {
    for (const unsigned seed : {1U, 2U, 3U}) {
        const Twins twins(seed);
        CHECK(players_of(*twins.joined) == players_of(*twins.twin));
        for (const Person& person : kPersons) {
            for (const std::string& spelling : person) {
                CAPTURE(spelling);
                CHECK(report_of(*twins.joined, spelling) == report_of(*twins.twin, person.front()));
            }
        }
    }
}

TEST_CASE("Filters fit a game if any of the joined names does") {
    const Twins twins(4);
    Random random(5);
    const std::vector<std::string> words{"karpov",  "karpov an", "anatoly", "анатолий", "kor",
                                         "karpova", "v",         "lev",     "pol l",    "nobody"};
    const std::vector<std::string> events{"baguio", "30th", "moscow", "w"};
    for (int round = 0; round < 150; ++round) {
        const auto word = [&] { return base::fold(words[random() % words.size()]); };
        query::GameFilter filter;
        if (random() % 3 == 0) filter.white = word();
        if (random() % 3 == 0) filter.black = word();
        if (random() % 2 == 0) filter.player = word();
        if (!filter.player.empty() && random() % 2 == 0) filter.opponent = word();
        if (random() % 4 == 0) filter.event = events[random() % events.size()];
        CAPTURE(filter.white, filter.black, filter.player, filter.opponent, filter.event);
        std::vector<GameId> expected;
        for (std::size_t i = 0; i < twins.games.size(); ++i) {
            const Game& game = twins.games[i];
            const auto white = [&](const std::string& typed) {
                return fits(typed, game.white, kPersons);
            };
            const auto black = [&](const std::string& typed) {
                return fits(typed, game.black, kPersons);
            };
            const bool fit =
                (filter.white.empty() || white(filter.white)) &&
                (filter.black.empty() || black(filter.black)) &&
                (filter.event.empty() || fits(filter.event, game.event, kEvents)) &&
                (filter.player.empty() ||
                 (filter.opponent.empty() ? white(filter.player) || black(filter.player)
                                          : (white(filter.player) && black(filter.opponent)) ||
                                                (white(filter.opponent) && black(filter.player))));
            if (fit) expected.push_back(i + 1);
        }
        CHECK(games_that_fit(*twins.joined, filter) == expected);
        // What the command line says of the names accounts for every game.
        for (const query::MetNames& met : query::met_names(*twins.joined, filter, expected)) {
            if (met.field == "event") {
                std::uint64_t games = 0;
                for (const query::NameCount& each : met.names) games += each.games;
                CHECK(games == expected.size());
            }
        }
    }
}

TEST_CASE("An exact name fits the names that are joined with it, and no others") {
    const Twins twins(6);
    for (const Person& person : kPersons) {
        for (const std::string& spelling : person) {
            CAPTURE(spelling);
            query::GameFilter filter;
            filter.white_named = spelling;
            query::GameFilter of_twin;
            of_twin.white_named = person.front();
            CHECK(games_that_fit(*twins.joined, filter) == games_that_fit(*twins.twin, of_twin));
        }
    }
}
