// Games that are one game with other headers or endings, among games that are not.
#include "query/similar_games.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/importer.hpp"
#include "query/duplicate_games.hpp"
#include "query/game_comparison.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using store::GameId;
using Groups = std::vector<std::vector<GameId>>;

const std::vector<std::string> kMoves{"e4",  "e5",  "Nf3", "Nc6",  "Bb5", "a6", "Ba4",  "Nf6",
                                      "O-O", "Be7", "Re1", "b5",   "Bb3", "d6", "c3",   "O-O",
                                      "h3",  "Nb8", "d4",  "Nbd7", "c4",  "c6", "Nc3",  "Bb7",
                                      "Bg5", "b4",  "Nb1", "h6",   "Bh4", "c5", "dxe5", "Nxe4"};

struct Game {
    std::string white = "Spassky, Boris";
    std::string black = "Karpov, Anatoly";
    std::string date = "1974.04.12";
    std::string event = "Candidates match";
    std::string round = "3";
    std::string result = "1-0";
    std::size_t plies = 32;
    std::string last = {};  // replaces the last move
    std::vector<std::string> moves = kMoves;
};

std::string text_of(const Game& game) {
    std::string text = "[Event \"" + game.event + "\"]\n[Date \"" + game.date + "\"]\n[Round \"" +
                       game.round + "\"]\n[White \"" + game.white + "\"]\n[Black \"" + game.black +
                       "\"]\n[Result \"" + game.result + "\"]\n\n";
    for (std::size_t i = 0; i < game.plies; ++i) {
        const bool other = i + 1 == game.plies && !game.last.empty();
        text += (other ? game.last : game.moves[i]) + ' ';
    }
    return text + game.result + "\n\n";
}

using Joins = std::vector<std::tuple<store::NameKind, std::string, std::string>>;

/// Joins each first name to the second one.
void join_names(const std::string& database, const Joins& joins) {
    const auto writer = store::file_store(database)->writer("names");
    for (const auto& [kind, name, canonical] : joins) {
        writer->joined_names()->join_name(kind, name, canonical, "test");
    }
    writer->commit();
    writer->close();
}

/// Imports the games and returns the database.
std::string import_games(const std::vector<Game>& games,
                         const test::TemporaryDirectory& directory) {
    const std::string pgn = directory / "a.pgn";
    const std::string database = directory / "a.db";
    std::ofstream out(pgn, std::ios::binary);
    for (const Game& game : games) out << text_of(game);
    out.close();
    REQUIRE(ingest::import_files(database, {pgn}, {}).games == games.size());
    return database;
}

Groups groups_of(const std::vector<Game>& games, std::size_t memory = std::size_t{1} << 20,
                 const Joins& joins = {}) {
    const test::TemporaryDirectory directory;
    const std::string database = import_games(games, directory);
    join_names(database, joins);
    const auto reader = store::file_store(database)->reader();
    query::GameMatcher matcher(*reader);
    Groups groups;
    for (const auto& each :
         query::find_similar_games(*reader, matcher, {memory, directory.path()}, {})) {
        CHECK(each.score >= 50);
        CHECK(each.score < 100);
        groups.push_back(each.games);
    }
    return groups;
}

const Groups kOne{{1, 2}};

}  // namespace

TEST_CASE("a game is found again with other headers or another end") {
    CHECK(groups_of({{}, {.white = "Spasski,B", .black = "Anatoly Karpov"}}) == kOne);
    CHECK(groups_of({{}, {.white = "Спасский, Борис", .black = "Карпов, Анатолий"}}) == kOne);
    CHECK(groups_of({{}, {.date = "1974.04.15"}}) == kOne);
    CHECK(groups_of({{}, {.date = "1974.??.??", .event = "?"}}) == kOne);
    CHECK(groups_of({{}, {.date = "1974.04.??", .event = "WCh sf", .round = "?"}}) == kOne);
    CHECK(groups_of({{}, {.plies = 28}}) == kOne);
    CHECK(groups_of({{}, {.last = "bxc4"}}) == kOne);  // no such move: the game ends before it
    CHECK(groups_of({{}, {.last = "Kh8"}}) == kOne);
    CHECK(groups_of({{}, {.result = "*"}}) == kOne);
    CHECK(groups_of({{}, {.result = "0-1"}}) == kOne);
}

TEST_CASE("joined names are one player's, one event's") {
    using store::NameKind;
    const Game game{.plies = 24};
    Game other = game;
    other.white = "Zhizn, B.";
    other.black = "Tolya";
    const std::size_t memory = std::size_t{1} << 20;
    Joins joins{{NameKind::kPlayer, "Zhizn, B.", "Spassky, Boris"}};
    CHECK(groups_of({game, other}, memory, joins) == Groups{});
    joins.emplace_back(NameKind::kPlayer, "Karpov, Anatoly", "Tolya");
    CHECK(groups_of({game, other}, memory, joins) == kOne);

    // A day that is near and another event: 36 plies would be enough.
    other = {.date = "1974.04.13", .event = "Leningrad", .plies = 32};
    CHECK(groups_of({{}, other}) == Groups{});
    CHECK(groups_of({{}, other}, memory, {{NameKind::kEvent, "Leningrad", "Candidates match"}}) ==
          kOne);
}

TEST_CASE("two games are not one because they are short and alike") {
    const Game draw{.result = "1/2-1/2", .plies = 24};
    Game next = draw;
    next.round = "5";
    next.date = "1974.04.16";
    CHECK(groups_of({draw, next}) == Groups{});
    next = draw;
    next.date = "1981.04.12";
    next.event = "Linares";
    CHECK(groups_of({draw, next}) == Groups{});
    // Other players, one other player, nobody.
    CHECK(groups_of({{}, {.white = "Korchnoi, Viktor", .black = "Polugaevsky, Lev"}}) == Groups{});
    CHECK(groups_of({{}, {.white = "Korchnoi, Viktor"}}) == Groups{});
    CHECK(groups_of({{}, {.white = "?", .black = "?", .date = "????.??.??"}}) == Groups{});
    // Moves in common that end before either game does.
    CHECK(groups_of({{}, {.plies = 28, .last = "Kh8"}}) == Groups{});
    CHECK(groups_of({{}, {.plies = 19}}) == Groups{});
}

TEST_CASE("a short draw that was really played several times is several games") {
    const std::vector<std::string> berlin{"e4",   "e5",  "Nf3",  "Nc6",  "Bb5",  "Nf6",  "O-O",
                                          "Nxe4", "d4",  "Nd6",  "dxe5", "Nxb5", "a4",   "Nbd4",
                                          "Nxd4", "d6",  "exd6", "Nxd4", "Qxd4", "Qxd6", "Qe4+",
                                          "Qe6",  "Qd4", "Qd6",  "Qe4+", "Qe6",  "Qd4",  "Qd6"};
    const Game first{.white = "Nakamura,Hi",
                     .black = "Aronian,L",
                     .date = "2020.09.19",
                     .event = "Saint Louis Blitz 2020",
                     .round = "16.4",
                     .result = "1/2-1/2",
                     .plies = berlin.size(),
                     .moves = berlin};
    Game second = first;
    second.white = "Caruana,F";
    second.date = "2022.03.05";
    second.event = "Chess.com Rapid Wk4 Swiss";
    second.round = "8";
    CHECK(groups_of({first, second}) == Groups{});
    second.white = first.white;
    CHECK(groups_of({first, second}) == Groups{});
    second = first;
    second.round = "17.1";  // on the same day
    CHECK(groups_of({first, second}) == Groups{});
    second = first;
    second.white = "Nakamura, Hikaru";
    second.event = "STL Blitz";
    second.round = "?";
    CHECK(groups_of({first, second}) == kOne);
}

TEST_CASE("games are copies only if they are equal, not if their hashes are") {
    // Hashes of the headers with these events have the same 48 bits.
    const std::vector<Game> games{{.event = "Open stbqoa"}, {.event = "Open jktzeb"}};
    const test::TemporaryDirectory directory;
    const auto reader = store::file_store(import_games(games, directory))->reader();
    query::GameComparison comparison(*reader->local());
    REQUIRE(comparison.rank(1) == comparison.rank(2));
    CHECK(groups_of(games) == kOne);
    CHECK(groups_of({games[0], games[1], games[0], games[1]}) == Groups{{1, 2, 3, 4}});
}

TEST_CASE("a beginning of two games does not make them one") {
    const Game other{.date = "1974.04.13", .round = "4", .last = "Kh8"};
    const Game beginning{.date = "1974.04.??", .round = "?", .plies = 31};
    // It fits both, so either may have it.
    const Groups groups = groups_of({{}, other, beginning});
    CHECK((groups == Groups{{1, 3}} || groups == Groups{{2, 3}}));
}

TEST_CASE("groups do not depend on the order of the games") {
    std::mt19937 random(7);
    const auto one_of = [&](const std::vector<std::string>& texts) {
        return texts[random() % texts.size()];
    };
    for (int round = 0; round < 8; ++round) {
        std::vector<Game> games(100);
        for (Game& game : games) {
            game = {.white = one_of({"Spassky, Boris", "Spasski,B", "Spassky", "?", "Spasov, V"}),
                    .black = one_of({"Karpov, Anatoly", "Karpov,A", "Karpova, N", "?", "Karpow"}),
                    .date = one_of({"1974.04.12", "1974.04.15", "1974.??.??", "1979.01.02"}),
                    .event = one_of({"Candidates match", "Candidates", "Linares", "?"}),
                    .round = one_of({"3", "4", "?"}),
                    .result = one_of({"1-0", "1/2-1/2", "*"}),
                    .plies = 24 + random() % 9,
                    .last = one_of({"", "", "Kh8", "Kh1"})};
        }
        std::vector<std::size_t> order(games.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto groups = [&] {
            std::vector<Game> shuffled;
            for (const std::size_t each : order) shuffled.push_back(games[each]);
            std::set<std::set<std::string>> of_texts;
            for (const std::vector<GameId>& group : groups_of(shuffled)) {
                std::set<std::string> texts;
                for (const GameId id : group) texts.insert(text_of(shuffled[id - 1]));
                of_texts.insert(texts);
            }
            return of_texts;
        };
        const auto expected = groups();
        CHECK(expected.size() > 3);
        for (int shuffle = 0; shuffle < 5; ++shuffle) {
            std::ranges::shuffle(order, random);
            CHECK(groups() == expected);
        }
    }
}

TEST_CASE("games are found among many that begin alike") {
    std::mt19937_64 random(30);
    const auto name = [&] {
        std::string letters;
        while (letters.size() < 10) {
            letters += "bdfglmnprt"[random() % 10];
            letters += "aeiou"[random() % 5];
        }
        return letters;
    };
    std::vector<Game> games;
    for (unsigned i = 0; i < 600; ++i) {
        games.push_back({.white = name() + ", A",
                         .black = name() + ", B",
                         .date = std::to_string(1900 + i % 100) + ".01.01",
                         .plies = 20 + i % 12});
    }
    CHECK(groups_of(games).empty());
    games.push_back(games[106]);
    games.back().white[1] = 'q';
    games.back().event = "Another event";
    games.push_back(games[310]);
    games.back().black = "Bernard " + games.back().black.substr(0, 10);
    CHECK(groups_of(games) == Groups{{107, 601}, {311, 602}});
    CHECK(groups_of(games, 1) == Groups{{107, 601}, {311, 602}});  // the rest is in a file
}
