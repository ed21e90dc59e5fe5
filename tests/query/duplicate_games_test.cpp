// Compares groups of duplicates with a comparison of all pairs of games.
#include "query/duplicate_games.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "ingest/importer.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using query::DuplicateGroup;
using query::DuplicateKind;
using store::GameId;

struct Game {
    unsigned white = 0;  // the player, in any spelling
    unsigned black = 0;
    std::string date;
    std::string result;
    std::string start;
    std::vector<std::string> moves;
    unsigned tags = 0;  // beside the names, with known values

    bool comparable() const { return !moves.empty(); }
    bool same_moves(const Game& other) const {
        return start == other.start && moves == other.moves;
    }
    bool same_players(const Game& other) const {
        return white == other.white && black == other.black;
    }
    bool identical(const Game& other) const {
        return comparable() && same_moves(other) && same_players(other) && date == other.date &&
               result == other.result;
    }
    bool begins(const Game& other) const {
        return start == other.start && moves.size() <= other.moves.size() &&
               std::equal(moves.begin(), moves.end(), other.moves.begin());
    }
    bool is_long() const { return moves.size() >= query::kFewestSharedPlies; }
};

const std::vector<std::string> kSpellings[] = {
    {"M\xC3\xBCller, Karsten", "MULLER,KARSTEN", "muller karsten.", "M\xC3\xBCller Karsten"},
    {"Carlsen, Magnus", "CARLSEN, Magnus"},
    {"Carlsen, M.", "carlsen,m"},
    {"?", "", "..."},
};
const char* const kLines[] = {
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8",
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 c4 c6 cxb5 axb5",
    "d4 Nf6 c4 e6 Nf3 d5 Nc3 Be7 Bg5 h6 Bh4 O-O e3 Ne4 Bxe7 Qxe7 Rc1 c6 Bd3 Nxc3 Rxc3 dxc4",
};
const char* const kResults[] = {"1-0", "1/2-1/2", "*"};
const char* const kDates[] = {"2001.02.03", "2001.??.??", "????.??.??"};

Game random_game(std::mt19937_64& random, std::string& text) {
    Game game;
    game.white = random() % 4;
    game.black = random() % 4;
    game.date = kDates[random() % 3];
    game.result = kResults[random() % 3];
    std::istringstream line(kLines[random() % 3]);
    std::size_t plies = 24;
    if (random() % 2 == 0) plies = 17 + random() % 7;
    if (random() % 10 == 0) plies = random() % 2;
    std::string move;
    while (game.moves.size() < plies && line >> move) game.moves.push_back(move);
    const auto spelt = [&](unsigned who) {
        return kSpellings[who][random() % kSpellings[who].size()];
    };
    const auto tag = [&](const std::string& name, const std::string& value) {
        text += '[' + name + " \"" + value + "\"]\n";
        if (value.find_first_not_of("?.-* ") != std::string::npos) ++game.tags;
    };
    tag("White", spelt(game.white));
    tag("Black", spelt(game.black));
    tag("Date", game.date);
    tag("Result", game.result);
    for (unsigned i = 0; i < random() % 3; ++i) tag("Tag" + std::to_string(i), "value");
    if (random() % 3 == 0) tag("Event", random() % 2 == 0 ? "?" : "An event");
    if (random() % 12 == 0) {
        game.start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 7";
        tag("FEN", game.start);
    }
    text += '\n';
    for (const std::string& each : game.moves) text += each + ' ';
    text += game.result + "\n\n";
    return game;
}

/// Finds the groups by comparing each game with each other.
std::vector<std::vector<GameId>> simple_groups(const std::vector<Game>& games, DuplicateKind kind) {
    std::vector<std::vector<GameId>> groups;
    std::set<std::size_t> done;
    for (std::size_t i = 0; i < games.size(); ++i) {
        const Game& game = games[i];
        if (done.contains(i) || (kind != DuplicateKind::kIdentical && !game.is_long())) continue;
        // A prefix group is found by its shortest game, which continues no other.
        const bool goes_on = std::any_of(games.begin(), games.end(), [&](const Game& other) {
            return other.is_long() && other.same_players(game) && other.begins(game) &&
                   other.moves.size() < game.moves.size();
        });
        if (kind == DuplicateKind::kPrefix && goes_on) continue;
        std::vector<GameId> group;
        bool differs = false;
        for (std::size_t j = 0; j < games.size(); ++j) {
            const Game& other = games[j];
            const bool belongs = kind == DuplicateKind::kIdentical ? game.identical(other)
                                 : kind == DuplicateKind::kMoves
                                     ? game.same_moves(other)
                                     : game.same_players(other) && game.begins(other);
            if (!belongs) continue;
            group.push_back(j + 1);
            done.insert(j);
            differs =
                differs || (kind == DuplicateKind::kMoves ? !game.identical(other)
                                                          : game.moves.size() < other.moves.size());
        }
        if (group.size() > 1 && (differs || kind == DuplicateKind::kIdentical)) {
            groups.push_back(group);
        }
    }
    std::sort(groups.begin(), groups.end());
    return groups;
}

}  // namespace

TEST_CASE("Groups of duplicates are those that comparing all pairs of games finds") {
    const test::TemporaryDirectory directory;
    std::mt19937_64 random(401);
    for (const unsigned count : {1U, 2U, 40U, 700U}) {
        std::string text;
        std::vector<Game> games;
        while (games.size() < count) games.push_back(random_game(random, text));
        const std::string pgn = directory / (std::to_string(count) + ".pgn");
        const std::string database = directory / (std::to_string(count) + ".db");
        std::ofstream(pgn, std::ios::binary) << text;
        REQUIRE(ingest::import_files(database, {pgn}, {}).games == count);
        const auto reader = store::file_store(database)->reader();
        query::GameMatcher matcher(*reader);
        for (const auto kind :
             {DuplicateKind::kIdentical, DuplicateKind::kMoves, DuplicateKind::kPrefix}) {
            CAPTURE(count, query::name_of(kind));
            const DuplicateKind kinds[]{kind};
            const std::vector<DuplicateGroup> groups =
                query::find_duplicates(*reader, matcher, kinds, {.keep = query::Keep::kLongest});
            std::vector<std::vector<GameId>> found;
            for (const DuplicateGroup& group : groups) {
                found.push_back(group.games);
                CHECK(group.kind == kind);
                const auto rank = [&](GameId id) {
                    return std::pair(games[id - 1].moves.size(), games[id - 1].tags);
                };
                const auto best =
                    std::max_element(group.games.begin(), group.games.end(),
                                     [&](GameId a, GameId b) { return rank(a) < rank(b); });
                CHECK(group.keep == *best);
            }
            CHECK(found == simple_groups(games, kind));
            if (count == 700) CHECK(found.size() > 4);
        }
    }
}

TEST_CASE("Deleting the extra copies of identical games leaves one of each") {
    const test::TemporaryDirectory directory;
    std::mt19937_64 random(402);
    std::string text;
    std::vector<Game> games;
    while (games.size() < 500) games.push_back(random_game(random, text));
    const std::string pgn = directory / "a.pgn";
    const std::string database = directory / "a.db";
    std::ofstream(pgn, std::ios::binary) << text;
    ingest::import_files(database, {pgn}, {});
    const DuplicateKind kinds[]{DuplicateKind::kIdentical};
    const auto groups = [&] {
        const auto reader = store::file_store(database)->reader();
        query::GameMatcher matcher(*reader);
        return query::find_duplicates(*reader, matcher, kinds);
    };
    std::size_t superfluous = 0;
    for (const auto& group : simple_groups(games, DuplicateKind::kIdentical)) {
        superfluous += group.size() - 1;
    }
    CHECK(test::delete_games(database, query::superfluous_games(groups())) == superfluous);
    CHECK(groups().empty());
    CHECK(store::file_store(database)->reader()->info().games == 500 - superfluous);
}
