// Variants, from the file to the answer: every position of random games is found exactly where it
// was played, and exports read back the same.
#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "chess/any_position.hpp"
#include "chess/san.hpp"
#include "chess/variant_play.hpp"
#include "cli/fixture.hpp"
#include "support/corpus.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;
using chess::Variant;
using chess::VariantPosition;

/// A short game of each variant.
const std::string kGames = std::string(FENDEX_TEST_DATA) + "/variants/games.pgn";

std::string name(Variant variant) { return std::string(chess::name_of(variant)); }

std::string pgn_of(Variant variant, const std::vector<chess::Move>& moves) {
    std::string out = "[Variant \"" + name(variant) + "\"]\n[Result \"*\"]\n\n";
    VariantPosition position(variant);
    for (const chess::Move move : moves) {
        out += chess::to_san(position, move) + ' ';
        position.play(move);
    }
    return out + "*\n\n";
}

/// An archive of random games of every variant, some with the same beginning.
struct Archive {
    struct Game {
        Variant variant;
        std::vector<VariantPosition> positions;
    };

    Archive() {
        std::mt19937_64 random(99);
        std::string pgn;
        for (unsigned round = 0; round < 4; ++round) {
            for (const Variant variant : variants_to_play()) {
                const auto moves = random_variant_game(variant, random, 60);
                games.push_back({variant, {VariantPosition(variant)}});
                for (const chess::Move move : moves) {
                    games.back().positions.push_back(games.back().positions.back());
                    games.back().positions.back().play(move);
                }
                pgn += pgn_of(variant, moves);
            }
            // A standard game between them, which no question about a variant may find.
            games.push_back({Variant::kStandard, {}});
            pgn += "[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
        }
        file = directory.write("variants.pgn", pgn);
        database = directory / "variants.db";
        const Outcome imported = run({"import", database, file});
        REQUIRE(imported.status == 0);
        CHECK_THAT(imported.err, Contains(" 0 errors"));
    }

    TemporaryDirectory directory;
    std::vector<Game> games;
    std::string file;
    std::string database;
};

const Archive& archive() {
    static const Archive all;
    return all;
}

std::string fingerprint(const std::string& database) {
    return json_lines(run({"info", database, "--format", "json"}).out).at(0)["fingerprint"];
}

/// Returns the numbers of the games found.
std::set<int> games_found(const Words& words) {
    const Outcome found = run(words);
    CHECK(found.status != 2);
    std::set<int> out;
    for (const Json& row : json_lines(found.out)) out.insert(row["game_id"].get<int>());
    return out;
}

}  // namespace

TEST_CASE("Variants: every position of random games is found where it was played, and only there") {
    for (const Variant variant : variants_to_play()) {
        CAPTURE(name(variant));
        std::vector<VariantPosition> asked;
        std::string fens;
        for (const Archive::Game& game : archive().games) {
            if (game.variant != variant) continue;
            for (const VariantPosition& position : game.positions) {
                asked.push_back(position);
                fens += chess::to_fen(position) + '\n';
            }
        }
        const Outcome found = run({"find", archive().database, "--fens", "-", "--variant",
                                   name(variant), "--format", "json"},
                                  fens);
        INFO(found.err);
        REQUIRE(found.status == 0);
        std::map<std::size_t, std::map<std::size_t, std::vector<std::size_t>>> by_query;
        for (const Json& row : json_lines(found.out)) {
            by_query[row["query"].get<std::size_t>()][row["game_id"].get<std::size_t>()] =
                row["plies"].get<std::vector<std::size_t>>();
        }
        for (std::size_t query = 0; query < asked.size(); ++query) {
            std::map<std::size_t, std::vector<std::size_t>> expected;
            for (std::size_t g = 0; g < archive().games.size(); ++g) {
                const Archive::Game& game = archive().games[g];
                for (std::size_t ply = 0; ply < game.positions.size(); ++ply) {
                    if (game.positions[ply].same_as(asked[query])) expected[g + 1].push_back(ply);
                }
            }
            CAPTURE(chess::to_fen(asked[query]));
            REQUIRE((by_query[query + 1] == expected));
        }
    }
}

TEST_CASE("Variants: check finds no damage, and stored ply rows equal the virtual ones") {
    const std::string db = archive().directory / "rows.db";
    REQUIRE(run({"import", db, archive().file, "--ply-rows", "no"}).status == 0);
    CHECK(run({"check", db}).status == 0);
    CHECK(run({"check", archive().database}).status == 0);
    const Words rows{"sql", db, "SELECT * FROM ply ORDER BY game_id, ply", "--format", "csv"};
    const std::string computed = run(rows).out;
    REQUIRE(run({"materialize", db}).status == 0);
    CHECK((run(rows).out == computed));
    CHECK(run({"check", db}).status == 0);
    std::vector<std::string> names;
    for (const Json& row : sqlite3_rows(db,
                                        "SELECT DISTINCT g.variant AS number, v.variant AS name"
                                        " FROM game g JOIN games v ON v.id = g.id")) {
        CHECK(row["name"] == name(static_cast<Variant>(row["number"].get<int>())));
        names.push_back(row["name"]);
    }
    CHECK(names.size() == variants_to_play().size() + 1);
}

TEST_CASE("Variants: exported games are imported as the same games") {
    for (const std::string& from : {archive().database, samples_database()}) {
        const std::string pgn = archive().directory / "out.pgn";
        const std::string again = archive().directory / "again.db";
        std::filesystem::remove(again);
        REQUIRE(run({"export", from, "--output", pgn}).status == 0);
        REQUIRE(run({"import", again, pgn}).status == 0);
        CHECK(fingerprint(again) == fingerprint(from));
    }
}

TEST_CASE("Variants: the same board is another position in each variant") {
    const TemporaryFile db("my.db");
    const std::vector<Variant> same_start{Variant::kCrazyhouse, Variant::kThreeCheck,
                                          Variant::kKingOfTheHill, Variant::kAtomic,
                                          Variant::kLosers};
    std::string pgn = "1. e4 e5 *\n\n[Variant \"Chess960\"]\n\n1. e4 c5 *\n\n";
    for (const Variant variant : same_start) {
        pgn += "[Variant \"" + name(variant) + "\"]\n\n1. e4 e6 *\n\n";
    }
    REQUIRE(run({"import", db, "-"}, pgn).status == 0);
    const std::string fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    const Words find{"find", db, fen, "--format", "json"};
    const auto with = [](Words words, const Words& more) {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    };
    CHECK((games_found(find) == std::set{1, 2}));
    CHECK((games_found(with(find, {"--variant", "standard"})) == std::set{1, 2}));
    CHECK((games_found(with(find, {"--variant", "chess960"})) == std::set{2}));
    std::set<std::string> keys;
    int game = 3;
    for (const Variant variant : same_start) {
        CAPTURE(name(variant));
        const Words of{"--variant", name(variant)};
        CHECK((games_found(with(find, of)) == std::set{game}));
        CHECK((games_found(with({"games", db, "--format", "json"}, of)) == std::set{game}));
        const Json tree = json_lines(run(with({"tree", db, "--format", "json"}, of)).out).at(0);
        CHECK(tree["games"] == 1);
        CHECK(tree["moves"].at(0)["san"] == "e4");
        const Json fen_says = json_lines(run(with({"fen", fen, "--format", "json"}, of)).out).at(0);
        CHECK(fen_says["variant"] == name(variant));
        CHECK(keys.insert(fen_says["key"]).second);
        for (const char* const match : {"board", "mirrored"}) {
            CHECK((games_found(with(find, {"--match", match, "--variant", name(variant)})) ==
                   std::set{game}));
        }
        // Without --variant a pattern is searched in standard chess.
        const Words pattern{"find", db, "--pattern", "*/*/*/*/*/*/*/RNBQKBNR", "--format", "json"};
        CHECK((games_found(pattern) == std::set{1, 2}));
        CHECK((games_found(with(pattern, of)) == std::set{game}));
        ++game;
    }
    // Pockets and checks imply the variant.
    CHECK((games_found({"find", db, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR[] b KQkq -",
                        "--format", "json"}) == std::set{3}));
    CHECK((games_found({"find", db, fen + " +0+0", "--format", "json"}) == std::set{4}));
}

TEST_CASE("A game of each variant and a board with extra pawns are imported and found") {
    const TemporaryFile db("my.db");
    const Outcome imported = run({"import", db, kGames});
    CHECK_THAT(imported.err, Contains("9 games, 207 plies, 0 errors"));
    CHECK(run({"check", db}).status == 0);
    const Words find{"find", db, "--format", "json", "--material", "P>=30"};
    CHECK(games_found(find).empty());
    Words in_horde = find;
    in_horde.insert(in_horde.end(), {"--variant", "horde"});
    CHECK(games_found(in_horde).size() == 1);
}

TEST_CASE("import --variant gives the tag to games that have none") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string pgn =
        "[White \"a\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. @e4 *\n\n"
        "[White \"b\"]\n[Variant \"Standard\"]\n\n1. e4 *\n\n";
    REQUIRE(run({"import", db, "-", "--variant", "Crazyhouse"}, pgn).status == 0);
    CHECK_THAT(run({"show", db, "1"}).out,
               Contains("[Variant \"crazyhouse\"]") && Contains("4. P@e4"));
    CHECK((games_found({"games", db, "--variant", "zh", "--format", "json"}) == std::set{1}));
    CHECK((games_found({"games", db, "--variant", "standard", "--format", "json"}) == std::set{2}));
    CHECK(run({"check", db}).status == 0);
    const std::string again = directory / "again.db";
    REQUIRE(run({"import", again, "-"}, run({"export", db}).out).status == 0);
    CHECK(fingerprint(again) == fingerprint(db));
    check_refused(run({"import", db, "-", "--variant", "xiangqi"}, pgn), {"--variant", "xiangqi"});
}

TEST_CASE("A game of an unknown variant is stored and reported, but not indexed") {
    const TemporaryFile db("my.db");
    const Outcome imported =
        run({"import", db, "-"},
            "[Variant \"Seirawan\"]\n\n1. e4/H e5 *\n\n[White \"b\"]\n\n1. e4 *\n");
    CHECK(imported.status == 0);
    CHECK_THAT(imported.err, Contains("2 games, 1 ply, 1 error "));
    CHECK_THAT(run({"errors", db}).out, Contains("Seirawan"));
    CHECK((games_found({"games", db, "--variant", "other", "--format", "json"}) == std::set{1}));
    CHECK((games_found({"find", db, kStart, "--format", "json"}) == std::set{2}));
    for (const Words& verb : {Words{"show", db, "1", "--format", "pgn"},
                              Words{"games", db, "--variant", "other", "--format", "pgn"},
                              Words{"export", db, "--variant", "other"}}) {
        CHECK(run(verb).out == "[Variant \"Seirawan\"]\n\n1. e4/H e5 *\n\n");
    }
    CHECK(run({"check", db}).status == 0);
}

TEST_CASE("Crazyhouse: repetitions compare pockets, and variations may have drops") {
    const TemporaryFile db("my.db");
    const std::string pgn =
        "[Variant \"Crazyhouse\"]\n\n"
        "1. Nf3 Nc6 2. Nd4 Nxd4 3. Nc3 Nf6 4. Nb5 Ng8 5. Nxd4 (5. e3 N@f3+ 6. gxf3) N@b8 6. Nb5 "
        "Nf6 7. Nc3 Ng8 8. Nb1 Nf6 9. N@g1 Ng8 *\n\n";
    REQUIRE(run({"import", db, "-", "--variations"}, pgn).status == 0);
    const auto rows = json_lines(run({"repeats", db, "--min", "2", "--format", "json"}).out);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["plies"] == Json::array({0, 18}));
    const Outcome line =
        run({"find", db, "r1bqkbnr/pppppppp/8/1N6/3n4/4Pn2/PPPP1PPP/R1BQKB1R/ w KQkq - 1 6",
             "--variations", "--format", "json"});
    CHECK(line.status == 0);
    CHECK_THAT(line.out, Contains("5.e3 N@f3+"));
    CHECK_THAT(run({"show", db, "1"}).out, Contains("5. Nxd4"));
    CHECK(run({"check", db}).status == 0);
}

namespace {

/// Imports archives of variants; returns the number of their Crazyhouse games.
std::size_t check_archives_of_variants(const std::string& folder) {
    const TemporaryFile db("my.db");
    REQUIRE(run({"import", db, folder}).status == 0);
    const auto errors = json_lines(run({"errors", db, "--kind", "error", "--format", "json"}).out);
    CHECK(errors.size() > 0);
    for (const Json& row : errors) {
        CAPTURE(row.dump());
        CHECK_THAT(row["text"].get<std::string>(), Contains("Seirawan"));
    }
    CHECK(run({"check", db}).status == 0);
    return games_found({"games", db, "--variant", "crazyhouse", "--format", "json"}).size();
}

}  // namespace

TEST_CASE("Archives of variants are imported with no errors but the expected ones") {
    CHECK(check_archives_of_variants(corpus_cut() + "/variants") == 3);
}

TEST_CASE("The corpus of variants is imported with no errors but the expected ones", "[.corpus]") {
    CHECK(check_archives_of_variants(whole_corpus() + "/variants") > 150);
}

TEST_CASE("A key is searched only in games of --variant") {
    const TemporaryFile db("my.db");
    REQUIRE(run({"import", db, "-"}, "1. e4 *\n\n[Variant \"Atomic\"]\n\n1. e4 *\n\n").status == 0);
    const Words standard{"find", db, "--key", "463b96181691fc9c", "--format", "json"};
    CHECK((games_found(standard) == std::set{1}));
    Words in_atomic = standard;
    in_atomic.insert(in_atomic.end(), {"--variant", "atomic"});
    CHECK(run(in_atomic).status == 1);
    in_atomic[3] = json_lines(run({"fen", kStart, "--variant", "atomic", "--format", "json"}).out)
                       .at(0)["key"];
    CHECK((games_found(in_atomic) == std::set{2}));
}

TEST_CASE("Positions are exported for the variant of --fen, unless --variant names another") {
    const TemporaryFile db("my.db");
    REQUIRE(run({"import", db, kGames}).status == 0);
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const Words epd{"export", db, "--format", "epd", "--fen"};
    const auto with = [&](const Words& more) {
        Words words = epd;
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    };
    const std::string of_variant = run({"export", db, "--format", "epd", "--variant", "zh"}).out;
    CHECK(!of_variant.empty());
    const Outcome told = with({start + "/ w KQkq - 0 1"});
    CHECK(told.status == 0);
    CHECK((told.out == of_variant));
    CHECK((with({start + " w KQkq - 0 1", "--variant", "zh"}).out == of_variant));
    CHECK(with({start + " w KQkq - 0 1"}).status == 1);
}

TEST_CASE("A Polyglot book of a variant is refused") {
    const std::string pocket = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1";
    for (const Words& words :
         {Words{"--variant", "atomic"}, Words{"--variant", "other"}, Words{"--fen", pocket},
          Words{"--variant", "horde", "--moves", "b6"}}) {
        Words book{"export", archive().database, "--format", "polyglot"};
        book.insert(book.end(), words.begin(), words.end());
        check_refused(run(book), {"Polyglot book", "standard chess"});
    }
    CHECK(run({"export", archive().database, "--format", "polyglot"}).status == 0);
}

TEST_CASE("Option --match mirrored is refused for records whose sides do not mirror each other") {
    const std::string horde =
        "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq -";
    for (const char* const verb : {"find", "tree"}) {
        const Words words{verb, archive().database, horde, "--variant", "horde", "--match"};
        Words mirrored = words;
        mirrored.emplace_back("mirrored");
        check_refused(run(mirrored), {"mirrored", "horde"});
        Words board = words;
        board.emplace_back("board");
        CHECK(run(board).status == 0);
    }
    check_refused(
        run({"tree", archive().database, "--variant", "racingkings", "--match", "mirrored"}),
        {"mirrored", "racingkings"});
    const Outcome batch = run({"find", archive().database, "--fens", "-", "--variant", "horde",
                               "--match", "mirrored", "--format", "json"},
                              horde + "\n" + horde + "\n");
    CHECK(batch.status == 2);
    CHECK_THAT(batch.err, Contains(":1: match mirrored") && Contains(":2: match mirrored"));
}

TEST_CASE("import --variant: a FEN that shows its variant wins, and an empty tag does not count") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string pocket = "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR/Nn w KQkq - 0 1";
    const std::string pgn = "[FEN \"" + pocket + "\"]\n\n1. N@e4 N@e5 *\n\n" +
                            "[Variant \"\"]\n\n1. Nf3 f6 2. Ne5 e6 3. Nxd7# *\n\n" +
                            "[Variant \"?\"]\n\n1. Nf3 f6 2. Ne5 e6 3. Nxd7# *\n\n";
    const Outcome imported = run({"import", db, "-", "--variant", "atomic"}, pgn);
    CHECK_THAT(imported.err, Contains("3 games, 12 plies, 0 errors"));
    CHECK((games_found({"games", db, "--variant", "zh", "--format", "json"}) == std::set{1}));
    CHECK(
        (games_found({"games", db, "--variant", "atomic", "--format", "json"}) == std::set{2, 3}));
    CHECK_THAT(run({"show", db, "1"}).out, !Contains("Variant"));
    for (const char* const game : {"2", "3"}) {
        CHECK_THAT(run({"show", db, game}).out,
                   Contains("[Variant \"atomic\"]") && !Contains("\"\"]"));
    }
    CHECK(run({"check", db}).status == 0);
    const std::string again = directory / "again.db";
    REQUIRE(run({"import", again, "-"}, run({"export", db}).out).status == 0);
    CHECK(fingerprint(again) == fingerprint(db));
}

TEST_CASE("info gives the number of games of each variant if not all are standard chess") {
    const TemporaryFile db("my.db");
    const auto variants = [&] {
        const Json info = json_lines(run({"info", db, "--format", "json"}).out).at(0);
        return info["variants"];
    };
    REQUIRE(run({"import", db, "-"}, "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n\n")
                .status == 0);
    CHECK((variants() == Json{{"standard", 2}}));
    CHECK_THAT(run({"info", db}).out, !Contains("variant\n"));
    std::string pgn = "[Variant \"Chess960\"]\n\n1. e4 *\n\n[Variant \"Xiangqi\"]\n\n1. e4 *\n\n";
    for (unsigned i = 0; i < 3; ++i) pgn += "[Variant \"Atomic\"]\n\n1. e4 *\n\n";
    REQUIRE(run({"import", db, "-"}, pgn).status == 0);
    REQUIRE(run({"delete", db, "--games", "1,5"}).status == 0);
    CHECK((variants() == Json{{"standard", 1}, {"chess960", 1}, {"atomic", 2}, {"other", 1}}));
    CHECK_THAT(run({"info", db}).out, Contains("atomic") && Contains("  games of this variant\n"));
}
