// Events, against sums over the tags of all games: with unknown and joined names, deleted games,
// filters, and several databases.
#include "query/event_list.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "ask/filter_fields.hpp"
#include "base/seeded.hpp"
#include "ingest/importer.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using store::GameId;
using store::NameKind;

/// Names, and those that stand for them.
using Names = std::map<std::string, std::string>;

const Names kEvents{{"Linares 14th", "Linares 14th"},
                    {"linares 14TH", "linares 14TH"},
                    {"Linares", "Linares"},
                    {"Мемориал Алехина", "Мемориал Алехина"},
                    {"Memorial Alekhina", "Мемориал Алехина"},
                    {"=Linares", "=Linares"},
                    {"no name", "?"},
                    {"?", "?"},
                    {"", "?"}};
const Names kPlayers{{"Karpov, Anatoly", "Karpov, Anatoly"},
                     {"Карпов, А", "Karpov, Anatoly"},
                     {"Polgar, Judit", "Polgar, Judit"},
                     {"Ivanchuk, Vasyl", "Ivanchuk, Vasyl"},
                     {"Short, Nigel", "Short, Nigel"},
                     {"?", "?"},
                     {"", "?"}};
const Names kSites{{"Linares ESP", "Linares ESP"},
                   {"Linares", "Linares ESP"},
                   {"Москва", "Москва"},
                   {"https://lichess.org/abcdefgh", "?"},
                   {"?", "?"}};

/// What is expected of an event, and its games.
struct Expected {
    std::vector<GameId> games;
    std::set<std::string> players;
    std::set<std::string> sites;
    std::uint64_t elo_sum = 0;
    std::uint64_t elo_count = 0;
    std::uint32_t first_date = 0;
    std::uint32_t last_date = 0;
};
using ExpectedEvents = std::map<std::string, Expected>;

std::string random_game(base::SeededNumbers& numbers) {
    std::string text;
    const auto tag = [&](const char* name, const std::string& value) {
        if (numbers.below(8) != 0) text += '[' + std::string(name) + " \"" + value + "\"]\n";
    };
    const auto one_of = [&](const Names& names) {
        return std::next(names.begin(), static_cast<std::ptrdiff_t>(numbers.below(names.size())))
            ->first;
    };
    static constexpr const char* kDates[] = {"1994.02.??", "1994.02.28", "????.??.??",
                                             "2003.??.??"};
    tag("Event", one_of(kEvents));
    tag("Site", one_of(kSites));
    tag("White", one_of(kPlayers));
    tag("Black", one_of(kPlayers));
    tag("Date", kDates[numbers.below(4)]);
    tag("WhiteElo", std::to_string(2400 + numbers.below(400)));
    tag("BlackElo", numbers.below(4) == 0 ? "?" : std::to_string(2400 + numbers.below(400)));
    return text + "[Result \"*\"]\n\n" + (numbers.below(3) == 0 ? "" : "1. e4 e5 ") + "*\n\n";
}

/// Databases of the same kinds of games, in each of which names are joined and games were deleted.
class Databases {
  public:
    Databases(std::uint64_t seed, std::size_t count) {
        base::SeededNumbers numbers(seed);
        for (std::size_t i = 0; i < count; ++i) {
            std::string text;
            for (int game = 0; game < 400; ++game) text += random_game(numbers);
            const std::string name = std::to_string(i);
            const std::string path = directory_ / (name + ".db");
            ingest::import_files(path, {directory_.write(name + ".pgn", text)}, {});
            std::vector<GameId> deleted{1, 400};
            for (int game = 0; game < 30; ++game) deleted.push_back(1 + numbers.below(400));
            test::delete_games(path, deleted);
            join(path);
            readers_.push_back(store::file_store(path)->reader());
        }
    }

    std::vector<store::Reader>& readers() { return readers_; }

  private:
    static void join(const std::string& path) {
        const auto writer = store::file_store(path)->writer("names");
        const auto join_all = [&](NameKind kind, const Names& names) {
            for (const auto& [name, canonical] : names) {
                const bool known = name != canonical && !name.empty() && !name.starts_with("http");
                if (known) writer->joined_names()->join_name(kind, name, canonical, "test");
            }
        };
        join_all(NameKind::kEvent, kEvents);
        join_all(NameKind::kPlayer, kPlayers);
        join_all(NameKind::kSite, kSites);
        writer->commit();
        writer->close();
    }

    test::TemporaryDirectory directory_;
    std::vector<store::Reader> readers_;
};

std::uint32_t date_of(const std::string& text) {
    std::string digits;
    for (const char c : text) {
        if (c != '.') digits += c == '?' ? '0' : c;
    }
    return digits.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(digits));
}

/// Adds the games that a matcher accepts, each asked for by itself.
void add_expected(store::StoreReader& reader, query::GameMatcher& matcher, ExpectedEvents& events) {
    reader.for_each_game(1, [&](GameId id, const store::StoredGame& game) {
        if (!matcher(id)) return true;
        const std::map<std::string, std::string> tags(game.tags.begin(), game.tags.end());
        const auto tag = [&](const char* name) {
            const auto found = tags.find(name);
            return found == tags.end() ? std::string() : found->second;
        };
        Expected& event = events[kEvents.at(tag("Event"))];
        event.games.push_back(id);
        for (const char* const side : {"White", "Black"}) {
            event.players.insert(kPlayers.at(tag(side)));
            const std::string elo = tag((std::string(side) + "Elo").c_str());
            if (elo.empty() || elo == "?") continue;
            event.elo_sum += std::stoul(elo);
            ++event.elo_count;
        }
        const std::string site = tag("Site");
        event.sites.insert(site.empty() ? "?" : kSites.at(site));
        if (const std::uint32_t date = date_of(tag("Date")); date != 0) {
            if (event.first_date == 0) event.first_date = date;
            event.first_date = std::min(event.first_date, date);
            event.last_date = std::max(event.last_date, date);
        }
        return true;
    });
}

/// Returns the events that are listed, in an order.
std::vector<query::Event> listed(std::vector<store::Reader>& readers,
                                 const query::GameFilter& filter, query::EventOrder order,
                                 std::size_t most = 1000) {
    std::vector<query::GameMatcher> matchers;
    matchers.reserve(readers.size());
    std::vector<query::EventSource> sources;
    for (store::Reader& each : readers) {
        sources.push_back({each.get(), &matchers.emplace_back(*each, filter)});
    }
    query::EventList events(sources);
    return events.first(order, most);
}

/// What an order compares, besides names.
std::uint64_t rank_of(const query::EventSums& sums, query::EventOrder order) {
    using enum query::EventOrder;
    return order == kDate      ? sums.last_date.number()
           : order == kPlayers ? sums.players
           : order == kRating  ? query::rating_of(sums)
           : order == kGames   ? sums.games
                               : 0;
}

query::GameFilter filter_of(const std::vector<std::pair<const char*, std::string>>& fields) {
    query::GameFilter filter;
    for (const auto& [name, value] : fields) ask::set_field(filter, name, value);
    return filter;
}

}  // namespace

TEST_CASE("Events have the games, players, sites, ratings and dates that tags give them") {
    const std::size_t count = GENERATE(1U, 2U, 3U);
    Databases databases(30 + count, count);
    for (const query::GameFilter& filter :
         {filter_of({}), filter_of({{"since", "1990"}}), filter_of({{"player", "karpov"}}),
          filter_of({{"event", "linares"}, {"min-elo", "2500"}}), filter_of({{"event", "=?"}}),
          filter_of({{"white", "nobody"}})}) {
        ExpectedEvents expected;
        for (store::Reader& each : databases.readers()) {
            query::GameMatcher matcher(*each, filter);
            add_expected(*each, matcher, expected);
        }
        const std::vector<query::Event> events =
            listed(databases.readers(), filter, query::EventOrder::kGames);
        CHECK(events.size() == expected.size());
        for (const query::Event& event : events) {
            CAPTURE(count, filter.event, filter.player, event.name);
            REQUIRE(expected.contains(event.name));
            Expected& of = expected[event.name];
            of.players.erase("?");
            of.sites.erase("?");
            CHECK(event.sums.games == of.games.size());
            CHECK(event.sums.players == of.players.size());
            CHECK(event.sums.sites == of.sites.size());
            CHECK(event.sums.elo_sum == of.elo_sum);
            CHECK(event.sums.elo_count == of.elo_count);
            CHECK(event.sums.first_date.number() == of.first_date);
            CHECK(event.sums.last_date.number() == of.last_date);
        }
    }
}

TEST_CASE("A listed event asked for by its name has exactly the games that it is listed with") {
    Databases databases(40, 1);
    store::StoreReader& reader = *databases.readers().front();
    query::GameMatcher all(reader);
    ExpectedEvents expected;
    add_expected(reader, all, expected);
    CHECK(expected.size() == 6);
    for (const query::Event& event : listed(databases.readers(), {}, query::EventOrder::kName)) {
        CAPTURE(event.name);
        query::GameMatcher matcher(reader, filter_of({{"event", '=' + event.name}}));
        CHECK(query::select_games(reader, matcher) == expected.at(event.name).games);
    }
    query::GameMatcher joined(reader, filter_of({{"event", "=Memorial Alekhina"}}));
    CHECK(query::select_games(reader, joined) == expected.at("Мемориал Алехина").games);
    query::GameMatcher absent(reader, filter_of({{"event", "=Linares 15th"}}));
    CHECK(query::select_games(reader, absent).empty());
    CHECK_THROWS_AS(filter_of({{"event", "="}}), query::FilterError);
}

TEST_CASE("Events are in the order that is asked for, and pages are parts of the whole") {
    using enum query::EventOrder;
    Databases databases(50, 2);
    for (const query::EventOrder order : {kGames, kName, kDate, kPlayers, kRating}) {
        const std::vector<query::Event> all = listed(databases.readers(), {}, order);
        REQUIRE(all.size() == 6);
        std::vector<std::string> names;
        for (std::size_t i = 0; i < all.size(); ++i) {
            names.push_back(all[i].name);
            if (i != 0) CHECK(rank_of(all[i - 1].sums, order) >= rank_of(all[i].sums, order));
        }
        for (std::size_t most = 0; most <= all.size(); ++most) {
            const std::vector<query::Event> first = listed(databases.readers(), {}, order, most);
            REQUIRE(first.size() == most);
            for (std::size_t i = 0; i < most; ++i) CHECK(first[i].name == names[i]);
        }
        // "?" has no letters; equal but for case and marks: by bytes.
        if (order == kName) {
            CHECK(names == std::vector<std::string>{"?", "=Linares", "Linares", "Linares 14th",
                                                    "linares 14TH", "Мемориал Алехина"});
        }
    }
}
