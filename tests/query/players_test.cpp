// Players and openings of a database, against sums over the tags of all games and the positions of
// their moves; on the samples, without and with a filter, in one database and in two parts.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "ask/filter_fields.hpp"
#include "base/text_fold.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/opening_sums.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"
#include "replay/opening_names.hpp"
#include "replay/stored_walk.hpp"
#include "store/engine.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/all_players.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using query::PlayerScore;

/// A game as its tags and moves say it.
struct Game {
    std::map<std::string, std::string> tags;
    std::uint32_t date = 0;
    std::string opening;

    std::string tag(const std::string& name) const {
        const auto found = tags.find(name);
        return found == tags.end() ? "" : found->second;
    }
    std::uint32_t elo(const std::string& side) const {
        const std::string text = tag(side + "Elo");
        return text.empty() || text.find_first_not_of("0123456789") != std::string::npos
                   ? 0
                   : static_cast<std::uint32_t>(std::stoul(text));
    }
    PlayerScore score(bool white) const {
        const std::string result = tag("Result");
        PlayerScore out{.games = 1};
        out.draws = result == "1/2-1/2" ? 1 : 0;
        out.wins = result == (white ? "1-0" : "0-1") ? 1 : 0;
        out.losses = result == (white ? "0-1" : "1-0") ? 1 : 0;
        return out;
    }
};

std::uint32_t date_of(const std::string& text) {
    std::uint32_t date = 0;
    for (const auto& [at, size] : {std::pair{0U, 4U}, {5U, 2U}, {8U, 2U}}) {
        const std::string part = text.size() >= at + size ? text.substr(at, size) : "";
        const bool known =
            !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        date = date * 100 + (known ? static_cast<std::uint32_t>(std::stoul(part)) : 0);
    }
    return date;
}

std::vector<Game> games_of(store::StoreReader& reader) {
    std::vector<Game> games;
    reader.for_each_game(1, [&](store::GameId id, const store::StoredGame& stored) {
        Game game;
        game.tags.insert(stored.tags.begin(), stored.tags.end());
        game.date = date_of(game.tag("Date"));
        if (game.date < 10'000) game.date = date_of(game.tag("UTCDate"));
        replay::with_walk(id, stored.moves, [&](auto& at) {
            for (;; at.advance()) {
                if (const auto named = replay::opening_of(at.position().key())) {
                    game.opening = named->text;
                }
                if (at.at_end()) break;
            }
        });
        games.push_back(std::move(game));
        return true;
    });
    return games;
}

/// The samples in one database, and in two that have one half each.
struct Samples {
    Samples() {
        std::vector<std::string> files = pgn::expand_inputs({FENDEX_SAMPLES});
        ingest::import_files(whole, files, {});
        const auto half = files.begin() + static_cast<std::ptrdiff_t>(files.size() / 2);
        ingest::import_files(parts[0], {files.begin(), half}, {});
        ingest::import_files(parts[1], {half, files.end()}, {});
    }
    const test::TemporaryDirectory directory;
    const std::string whole = directory / "whole.db";
    const std::string parts[2] = {directory / "a.db", directory / "b.db"};
};

const Samples& samples() {
    static const Samples all;
    return all;
}

using Scores = std::map<std::string, std::array<std::uint64_t, 4>>;

void add(const PlayerScore& score, const std::string& key, Scores& scores) {
    auto& sum = scores[key];
    sum[0] += score.games;
    sum[1] += score.wins;
    sum[2] += score.draws;
    sum[3] += score.losses;
}

/// All of a report as one map.
Scores scores_of(const query::PlayerReport& report) {
    Scores out;
    add(report.white, "white", out);
    add(report.black, "black", out);
    for (const auto& each : report.years) add(each.score, "year " + std::to_string(each.year), out);
    for (const auto& each : report.opponents) {
        add(each.score, "opponents " + std::to_string(each.low), out);
    }
    for (const auto& each : report.openings) {
        add(each.score, (each.white ? "white " : "black ") + each.eco + ' ' + each.name, out);
    }
    std::erase_if(out, [](const auto& each) { return each.second[0] == 0; });
    return out;
}

Scores expected_scores(const std::vector<Game>& games, const std::string& name) {
    Scores out;
    for (const Game& game : games) {
        for (const bool white : {true, false}) {
            if (game.tag(white ? "White" : "Black") != name) continue;
            const PlayerScore score = game.score(white);
            const std::uint32_t opponent = game.elo(white ? "Black" : "White");
            add(score, white ? "white" : "black", out);
            add(score, "year " + std::to_string(game.date / 10'000), out);
            add(score, "opponents " + std::to_string(opponent - opponent % 100), out);
            add(score, (white ? "white " : "black ") + (game.opening.empty() ? " " : game.opening),
                out);
        }
    }
    return out;
}

bool is_recent(const Game& game) { return game.date >= 2000'00'00; }

query::GameFilter recent() {
    query::GameFilter filter;
    ask::set_field(filter, "since", "2000");
    return filter;
}

}  // namespace

TEST_CASE("Players have the games that name them in tags, in one database and in parts of it") {
    const bool filtered = GENERATE(false, true);
    CAPTURE(filtered);
    const query::GameFilter filter = filtered ? recent() : query::GameFilter();
    const auto reader = store::file_store(samples().whole)->reader();
    std::vector<Game> games = games_of(*reader);
    if (filtered) std::erase_if(games, [](const Game& game) { return !is_recent(game); });
    std::map<std::string, std::uint64_t> expected;
    for (const Game& game : games) {
        for (const std::string& name : std::set{game.tag("White"), game.tag("Black")}) {
            if (!name.empty()) ++expected[name];
        }
    }
    const std::vector<query::PlayerCount> found = test::all_players(*reader, filter);
    std::map<std::string, std::uint64_t> counted;
    for (const query::PlayerCount& each : found) {
        counted[each.name] = each.games;
        CHECK(each.white + each.black >= each.games);
    }
    CHECK(std::ranges::is_sorted(found, store::is_listed_before));
    CHECK(counted == expected);

    std::vector<std::vector<query::PlayerCount>> parts;
    for (const std::string& path : samples().parts) {
        const auto part = store::file_store(path)->reader();
        parts.push_back(test::all_players(*part, filter));
    }
    const std::vector<query::PlayerCount> joined = query::joined_players(parts);
    CHECK(joined == found);
    const auto players = reader->engine().players(filter, {});
    CHECK(players->count(store::AllPlayers(), {}) == found.size());
    for (const std::size_t most : {0U, 1U, 5U, 1000U}) {
        const std::vector<query::PlayerCount> first = players->first(store::AllPlayers(), most, {});
        REQUIRE(first.size() == std::min(most, found.size()));
        CHECK(std::equal(first.begin(), first.end(), found.begin()));
    }
}

TEST_CASE("A report on a player has the scores that tags and moves give") {
    const auto reader = store::file_store(samples().whole)->reader();
    const std::vector<Game> games = games_of(*reader);
    query::GameMatcher matcher(*reader);
    std::size_t round = 0;
    for (const query::PlayerCount& player : test::all_players(*reader)) {
        if (test::left_out(round++, 5)) continue;
        CAPTURE(player.name);
        query::PlayerReporter reporter({player.name});
        reporter.add(*reader, matcher);
        const query::PlayerReport report = reporter.report();
        CHECK(scores_of(report) == expected_scores(games, player.name));
        std::uint64_t rated = 0;
        for (const query::PlayerReport::Rating& each : report.ratings) rated += each.games;
        std::uint64_t expected = 0;
        for (const Game& game : games) {
            if (game.date / 100 % 100 == 0) continue;
            expected += game.tag("White") == player.name && game.elo("White") != 0 ? 1U : 0U;
            expected += game.tag("Black") == player.name && game.elo("Black") != 0 ? 1U : 0U;
        }
        CHECK(rated == expected);
        query::PlayerReporter of_parts({player.name});
        for (const std::string& path : samples().parts) {
            const auto part = store::file_store(path)->reader();
            query::GameMatcher all(*part);
            of_parts.add(*part, all);
        }
        CHECK(scores_of(of_parts.report()) == scores_of(report));
    }
}

TEST_CASE("Openings have the results of the games whose moves reach them") {
    const bool filtered = GENERATE(false, true);
    CAPTURE(filtered);
    const auto reader = store::file_store(samples().whole)->reader();
    Scores expected;
    for (const Game& game : games_of(*reader)) {
        if (filtered && !is_recent(game)) continue;
        add(game.score(true), game.opening.empty() ? " " : game.opening, expected);
    }
    query::GameMatcher matcher(*reader, filtered ? recent() : query::GameFilter());
    Scores found;
    std::string before;
    for (const auto& each : query::opening_sums(*reader, matcher, query::OpeningOrder::kEco)) {
        const auto of = [&](codec::Result result) { return each.tally.results[result]; };
        const std::string text = each.eco + ' ' + each.name;
        found[text] = {each.tally.games, of(codec::Result::kWhiteWins), of(codec::Result::kDraw),
                       of(codec::Result::kBlackWins)};
        CHECK(before <= text);
        before = text;
    }
    CHECK(found == expected);
}

TEST_CASE("Two players in a filter are opponents, whoever has White") {
    const auto reader = store::file_store(samples().whole)->reader();
    for (const auto& [one, other] : {std::pair{"carlsen", "aronian"}, {"c", "a"}, {"k", "k"}}) {
        CAPTURE(one, other);
        query::GameFilter filter;
        ask::set_field(filter, "player", one);
        ask::set_field(filter, "player", other);
        CHECK_THROWS_AS(ask::set_field(filter, "player", "third"), query::FilterError);
        query::GameMatcher matcher(*reader, filter);
        std::vector<store::GameId> expected;
        const auto fits = [](const std::string& words, const std::string& name) {
            return base::NameWords(words).fit(base::fold(name));
        };
        store::GameId id = 0;
        for (const Game& game : games_of(*reader)) {
            ++id;
            const std::string white = game.tag("White");
            const std::string black = game.tag("Black");
            const bool is_match = (fits(one, white) && fits(other, black)) ||
                                  (fits(other, white) && fits(one, black));
            if (is_match) expected.push_back(id);
            CHECK(matcher(id) == is_match);
        }
        CHECK_FALSE(expected.empty());
        CHECK(query::select_games(*reader, matcher) == expected);
    }
}
