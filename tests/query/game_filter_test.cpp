// Compares every condition of a filter with a simple one that reads the game's tags.
#include "query/game_filter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "ask/filter_fields.hpp"
#include "base/text_fold.hpp"
#include "query/replayed_games.hpp"
#include "replay/tag_facts.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

using Conditions = std::vector<std::pair<std::string, std::string>>;

query::GameFilter filter_of(const Conditions& conditions) {
    query::GameFilter filter;
    for (const auto& [name, value] : conditions) ask::set_field(filter, name, value);
    return filter;
}

/// Returns the letters in lower case. Accents stay, and letters with accents do not end a word:
/// Sämisch.
std::string plain(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x80 || std::isalnum(byte) != 0) {
            out += static_cast<char>(std::tolower(byte));
        } else if (!out.empty() && out.back() != ' ') {
            out += ' ';
        }
    }
    return out;
}

/// Returns whether the word is a prefix of a word of the name.
bool begins(const std::string& name, const std::string& word) {
    return (' ' + plain(name)).find(' ' + word) != std::string::npos;
}

bool rated(const ReplayedGame& game, unsigned low, unsigned high) {
    for (const char* const name : {"WhiteElo", "BlackElo"}) {
        const unsigned elo = game.elo(name);
        if (elo == 0 || elo < low || elo > high) return false;
    }
    return true;
}

/// Returns the seconds of a game of 40 moves, if known.
std::optional<unsigned> seconds(const ReplayedGame& game) {
    const std::string text = game.tag("TimeControl");
    const std::size_t plus = text.find('+');
    if (text.find_first_of("0123456789") != 0 || text.find('/') != std::string::npos) {
        return std::nullopt;
    }
    const unsigned long increment =
        plus == std::string::npos ? 0 : std::stoul(text.substr(plus + 1));
    return static_cast<unsigned>(std::stoul(text) + 40 * increment);
}

template <typename Fits>
void check_filter(const Conditions& conditions, Fits fits) {
    std::string shown;
    for (const auto& [name, value] : conditions) shown += "--" + name + " " + value + " ";
    CAPTURE(shown);
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = store::file_store(database.path())->reader();
    query::GameMatcher matcher(*reader, filter_of(conditions));
    std::vector<store::GameId> expected;
    for (const auto& [id, game] : database.games()) {
        if (fits(game)) expected.push_back(id);
    }
    CHECK(query::select_games(*reader, matcher) == expected);
    // Every condition fits some games.
    CHECK_FALSE(expected.empty());
    CHECK(expected.size() < database.games().size());
    // Games one by one, from the end: the results do not depend on earlier calls.
    query::GameMatcher again(*reader, filter_of(conditions));
    for (auto game = database.games().rbegin(); game != database.games().rend(); ++game) {
        if (game->first % 7 == 0) REQUIRE(again(game->first) == fits(game->second));
    }
}

}  // namespace

TEST_CASE("An incomplete date counts as its first possible day") {
    const auto includes = [](const char* field, const char* value, std::string_view tag) {
        query::GameFilter filter;
        ask::set_field(filter, field, value);
        const std::uint32_t date = replay::date_of(tag).number();
        return date >= filter.date.low && date <= filter.date.high;
    };
    for (const char* since : {"1993", "1993-01", "1993.01.01"}) {
        CAPTURE(since);
        for (const char* tag : {"1993.??.??", "1993.01.??", "1993.01.01"}) {
            CAPTURE(tag);
            CHECK(includes("since", since, tag));
            CHECK_FALSE(includes("until", "1992-12", tag));
            CHECK(includes("until", since, tag));
        }
        CHECK_FALSE(includes("since", since, "1992.12.31"));
    }
    CHECK_FALSE(includes("since", "1993-02", "1993.??.??"));
    CHECK(includes("until", "1993-02", "1993.??.??"));
    CHECK(includes("since", "1993-02-01", "1993.02.??"));
    CHECK_FALSE(includes("since", "1993-02-02", "1993.02.??"));
}

TEST_CASE("Filters by name find the same games as a replay of all games", "[full]") {
    check_filter({{"white", "Anderssen"}},
                 [](const ReplayedGame& g) { return begins(g.tag("White"), "anderssen"); });
    check_filter({{"black", "mORPHY"}},
                 [](const ReplayedGame& g) { return begins(g.tag("Black"), "morphy"); });
    check_filter({{"player", "a"}}, [](const ReplayedGame& g) {
        return begins(g.tag("White"), "a") || begins(g.tag("Black"), "a");
    });
    check_filter({{"event", "marx"}}, [](const ReplayedGame& g) {
        return (" " + plain(g.tag("Event"))).find(" marx") != std::string::npos;
    });
    check_filter({{"site", "paris"}}, [](const ReplayedGame& g) {
        return (" " + plain(g.tag("Site"))).find(" paris") != std::string::npos;
    });
    check_filter({{"site", "lichess.org"}}, [](const ReplayedGame& g) {
        return (" " + plain(g.tag("Site"))).find(" lichess org") != std::string::npos;
    });
}

TEST_CASE("Filters by code, result and date find the same games as a replay of all games",
          "[full]") {
    check_filter({{"eco", "C3"}},
                 [](const ReplayedGame& g) { return g.tag("ECO").rfind("C3", 0) == 0; });
    check_filter({{"eco", "b20-C33"}}, [](const ReplayedGame& g) {
        const std::string eco = g.tag("ECO");
        return eco >= "B20" && eco.substr(0, 3) <= "C33";
    });
    for (const std::string result : {"1-0", "0-1", "1/2-1/2"}) {
        check_filter({{"result", result}},
                     [&](const ReplayedGame& g) { return g.tag("Result") == result; });
    }
    check_filter({{"result", "draw"}},
                 [](const ReplayedGame& g) { return g.tag("Result") == "1/2-1/2"; });
    check_filter({{"since", "1900"}, {"until", "2006"}}, [](const ReplayedGame& g) {
        const std::string year = g.tag("Date").substr(0, 4);
        return year >= "1900" && year <= "2006";  // '?' sorts after the digits
    });
    check_filter({{"until", "1858-06"}}, [](const ReplayedGame& g) {
        const std::string date = g.tag("Date");
        return !date.empty() && date.substr(0, 4) < "1858?" &&
               (date.substr(0, 4) < "1858" || date.substr(5, 2) == "??" ||
                date.substr(5, 2) <= "06");
    });
    check_filter({{"since", "2006.07.01"}}, [](const ReplayedGame& g) {
        std::string date = g.tag("Date");
        if (date.empty() || date[0] == '?') return false;
        std::replace(date.begin(), date.end(), '?', '0');
        return date >= "2006.07.01";
    });
}

TEST_CASE("Filters by rating, length and time control find the same games as a replay of all games",
          "[full]") {
    check_filter({{"min-elo", "2300"}}, [](const ReplayedGame& g) { return rated(g, 2300, 9999); });
    check_filter({{"max-elo", "2300"}}, [](const ReplayedGame& g) { return rated(g, 1, 2300); });
    check_filter({{"white-elo", "2000-2450"}}, [](const ReplayedGame& g) {
        return g.elo("WhiteElo") >= 2000 && g.elo("WhiteElo") <= 2450;
    });
    check_filter({{"black-elo", "2400-"}},
                 [](const ReplayedGame& g) { return g.elo("BlackElo") >= 2400; });
    check_filter({{"min-plies", "100"}},
                 [](const ReplayedGame& g) { return g.sans.size() >= 100; });
    check_filter({{"max-plies", "30"}, {"min-plies", "20"}},
                 [](const ReplayedGame& g) { return g.sans.size() >= 20 && g.sans.size() <= 30; });
    check_filter({{"time-control", "blitz"}}, [](const ReplayedGame& g) {
        const auto time = seconds(g);
        return time && *time >= 180 && *time < 480;
    });
    check_filter({{"time-control", "rapid"}}, [](const ReplayedGame& g) {
        const auto time = seconds(g);
        return time && *time >= 480 && *time < 1500;
    });
    check_filter({{"time-control", "rapid"}, {"time-control", "bullet"}},
                 [](const ReplayedGame& g) {
                     const auto time = seconds(g);
                     return time && (*time < 180 || (*time >= 480 && *time < 1500));
                 });
}

TEST_CASE("Filters by tag, by source and by several conditions find the right games", "[full]") {
    check_filter({{"termination", "time"}}, [](const ReplayedGame& g) {
        return plain(g.tag("Termination")).starts_with("time");  // the whole text, not a word of it
    });
    check_filter({{"tag", "Round=1"}}, [](const ReplayedGame& g) { return g.tag("Round") == "1"; });
    check_filter({{"tag", "Result=1-0"}, {"tag", "Termination=Normal"}}, [](const ReplayedGame& g) {
        return g.tag("Result") == "1-0" && g.tag("Termination") == "Normal";
    });
    check_filter({{"player", "m"}, {"result", "0-1"}, {"min-plies", "40"}},
                 [](const ReplayedGame& g) {
                     return (begins(g.tag("White"), "m") || begins(g.tag("Black"), "m")) &&
                            g.tag("Result") == "0-1" && g.sans.size() >= 40;
                 });
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = store::file_store(database.path())->reader();
    std::uint64_t games = 0;
    for (const store::StoredSource& source : reader->sources()) {
        for (const std::string& name : {source.file.path, std::to_string(source.id),
                                        source.file.path.substr(source.file.path.rfind('/') + 1)}) {
            query::GameMatcher matcher(*reader, filter_of({{"source", name}}));
            const auto selected = query::select_games(*reader, matcher);
            REQUIRE(selected.size() == source.games);
            CHECK(selected.front() == source.first_game);
            CHECK(selected.back() == source.first_game + source.games - 1);
        }
        games += source.games;
    }
    CHECK(games == database.games().size());
    CHECK_THROWS_WITH(query::GameMatcher(*reader, filter_of({{"source", "nowhere.pgn"}})),
                      Contains("nowhere.pgn"));
}

TEST_CASE("Games are sorted by each order, and by number within equals", "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = store::file_store(database.path())->reader();
    query::GameMatcher all(*reader);
    const auto check = [&](query::GameOrder order, auto rank) {
        const auto games = query::select_games(*reader, all, order);
        REQUIRE(games.size() == database.games().size());
        CHECK(std::is_sorted(games.begin(), games.end(), [&](auto a, auto b) {
            const auto left = rank(database.games().at(a));
            const auto right = rank(database.games().at(b));
            return left != right ? left > right : a < b;
        }));
    };
    check(query::GameOrder::kPlies, [](const ReplayedGame& g) { return g.sans.size(); });
    check(query::GameOrder::kId, [](const ReplayedGame&) { return 0; });
    check(query::GameOrder::kDate, [](const ReplayedGame& g) {
        std::string date = g.tag("Date").empty() ? g.tag("UTCDate") : g.tag("Date");
        std::replace(date.begin(), date.end(), '?', '0');
        return date == "0000.00.00" ? std::string() : date;
    });
    check(query::GameOrder::kElo, [](const ReplayedGame& g) {
        const unsigned white = g.elo("WhiteElo");
        const unsigned black = g.elo("BlackElo");
        return white + black;  // an unknown one is 0
    });
}

TEST_CASE("Invalid values of a filter are refused by name") {
    const std::pair<const char*, const char*> wrong[] = {
        {"since", "yesterday"},   {"since", "20010230"}, {"until", "2001-13"},
        {"until", "01.01.2001"},  {"min-elo", "strong"}, {"white-elo", "-"},
        {"white-elo", "9-1"},     {"black-elo", "a-b"},  {"eco", "F00"},
        {"eco", "B1234"},         {"eco", "C99-B00"},    {"result", "2-0"},
        {"time-control", "fast"}, {"tag", "Round"},      {"tag", "=x"},
        {"min-plies", "-3"},      {"player", "???"},     {"colour", "white"}};
    for (const auto& [name, value] : wrong) {
        CAPTURE(name, value);
        query::GameFilter filter;
        CHECK_THROWS_AS(ask::set_field(filter, name, value), query::FilterError);
        CHECK_THROWS_WITH(ask::set_field(filter, name, value), Contains(std::string(name) + ": "));
    }
    query::GameFilter filter;
    CHECK_THROWS_WITH(ask::set_field(filter, "player", "!!"),
                      "player: '!!' has no letters or digits");
}

TEST_CASE("A matcher finds names by their ids in the reader's current snapshot") {
    const TemporaryFile path("names.db");
    const auto import_game = [&](const std::string& white, const std::string& event,
                                 const std::string& moves) {
        const std::string text =
            "[White \"" + white + "\"]\n[Event \"" + event + "\"]\n\n" + moves + " 1-0\n";
        const std::string file = path.write_beside(white + moves + ".pgn", text);
        CHECK(ingest::import_files(path, {file}, {}).games == 1);
    };
    import_game("Ann", "Spring", "1. e4 e5");
    import_game("Zoe", "Autumn", "1. d4 d5");
    const auto store = store::file_store(path);
    const store::Reader reader = store->reader();
    query::GameMatcher zoe(*reader, filter_of({{"white", "zoe"}}));
    query::GameMatcher autumn(*reader, filter_of({{"event", "autumn"}}));
    query::GameMatcher of_source(*reader, filter_of({{"source", "Zoe1. d4 d5.pgn"}}));
    CHECK(query::select_games(*reader, zoe) == std::vector<store::GameId>{2});
    reader->release();
    test::delete_games(path, {2});
    import_game("Yan", "Winter",
                "1. c4 c5");  // its names get the ids of removed names
    import_game("Zoe", "Autumn", "1. d4 d5 2. c4");
    reader->refresh();
    CHECK(query::select_games(*reader, zoe) == std::vector<store::GameId>{4});
    CHECK(query::select_games(*reader, autumn) == std::vector<store::GameId>{4});
    CHECK_FALSE(of_source(3));
}

TEST_CASE("Case, accents and punctuation of names do not matter") {
    CHECK(base::fold("Kasparov, Garry") == "kasparov garry");
    CHECK(base::fold("  KASPAROV,G. ") == "kasparov g");
    CHECK(base::fold("M\xC3\xBCller") == "muller");
    CHECK(base::fold("Mu\xCC\x88ller") == "muller");  // u and a combining mark
    CHECK(base::fold("\xC3\x98stenstad") == "ostenstad");
    CHECK(base::fold("\xC5\x81ukasz Cyborowski") == "lukasz cyborowski");
    CHECK(base::fold("Stra\xC3\x9F"
                     "e") == "strasse");
    CHECK(base::fold("\xD0\x9A\xD0\x90\xD0\xA1") == "\xD0\xBA\xD0\xB0\xD1\x81");  // Cyrillic
    CHECK(base::fold("M\xFCller") == "m\xFCller");  // not UTF-8: unchanged
    CHECK(base::fold("...").empty());
}
