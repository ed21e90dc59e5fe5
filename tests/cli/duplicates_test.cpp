#include <algorithm>
#include <fstream>
#include <set>
#include <tuple>

#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kLong =
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 "
    "10. d4 Nbd7 11. Nbd2 ";

std::string game(const std::string& white, const std::string& black, const std::string& date,
                 const std::string& moves, const std::string& more = "") {
    return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Date \"" + date +
           "\"]\n[Result \"1-0\"]\n" + more + "\n" + moves + "1-0\n\n";
}

/// Games 1, 3 and 6 are identical, 4 has the same moves, 5 continues them; 2 and 7 are too short
/// for other duplicates than identical ones, 8 and 9 have no moves.
const std::string kGames =
    game("M\xC3\xBCller, K", "Carlsen, Magnus", "2001.02.03", kLong) +
    game("Muller, K", "Carlsen, Magnus", "2001.02.03", "1. e4 ") +
    game("MULLER,K.", "carlsen magnus", "2001.02.03", kLong, "[Event \"A match\"]\n") +
    game("Muller, K", "Carlsen, M", "2001.02.03", kLong) +
    game("Muller, K", "Carlsen, Magnus", "2002.??.??", kLong + "Bb7 12. Bc2 ") +
    game("Muller, K", "Carlsen, Magnus", "2001.02.03", kLong) +
    game("Somebody", "Else", "2001.02.03", "1. e4 ") +
    game("Muller, K", "Carlsen, Magnus", "2001.02.03", "") +
    game("Muller, K", "Carlsen, Magnus", "2001.02.03", "");

std::vector<Json> duplicates(const std::string& db, Words words = {}) {
    words.insert(words.begin(), {"duplicates", db, "--format", "json"});
    return json_lines(run(words).out);
}

}  // namespace

TEST_CASE("duplicates lists groups of each kind and the game to be kept") {
    const TemporaryFile db("a.db");
    REQUIRE(run({"import", db, "-"}, kGames).status == 0);
    const auto groups = duplicates(db);
    REQUIRE(groups.size() == 3);
    CHECK(groups[0].dump() ==
          R"({"kind":"identical","games":[1,3,6],"keep":3,"score":null,"white":"MULLER,K.",)"
          R"("black":"carlsen magnus","date":"2001.02.03","result":"1-0","plies":21,)"
          "\"differences\":\"white: M\xC3\xBCller, K / MULLER,K. / Muller, K; "
          "black: Carlsen, Magnus / carlsen magnus; event: ? / A match\"}");
    CHECK(groups[1]["kind"] == "moves");
    CHECK(groups[1]["games"] == Json({1, 3, 4, 6}));
    CHECK(groups[1]["keep"] == 3);
    CHECK(groups[2]["kind"] == "prefix");
    CHECK(groups[2]["games"] == Json({1, 3, 5, 6}));
    CHECK(groups[2]["keep"] == 5);
    check_refused(run({"duplicates", db, "--similar", "--kind", "moves"}), {"--similar", "--kind"});
    CHECK(duplicates(db, {"--kind", "moves"}).size() == 1);
    CHECK(duplicates(db, {"--limit", "1", "--offset", "1"}).size() == 1);
    CHECK(run({"duplicates", db, "--count", "--format", "csv"}).out ==
          "kind,groups,games,superfluous\r\nidentical,1,3,2\r\nmoves,1,4,3\r\nprefix,1,4,3\r\n"
          "similar,0,0,0\r\n");
    CHECK_THAT(run({"duplicates", db, "--limit", "1"}).out, Contains("2 more groups"));
    // Only games that fit are compared.
    CHECK(duplicates(db, {"--black", "carlsen, m", "--until", "2001"}).size() == 2);
    CHECK(duplicates(db, {"--event", "match"}).empty());
    const Outcome none = run({"duplicates", db, "--player", "nobody"});
    CHECK(none.status == 1);
    check_refused(run({"duplicates", db, "--kind", "same"}), {"--kind"});
}

TEST_CASE("delete --duplicates leaves one of each") {
    const TemporaryDirectory directory;
    const std::string db = directory / "a.db";
    REQUIRE(run({"import", db, "-"}, kGames).status == 0);
    CHECK(run({"delete", db, "--duplicates", "identical", "--since", "2010"}).status == 1);
    CHECK(run({"delete", db, "--duplicates", "identical"}).status == 0);
    std::vector<unsigned> left;
    for (const Json& each : json_lines(run({"games", db, "--format", "json"}).out)) {
        left.push_back(each["game_id"].get<unsigned>());
    }
    CHECK(left == std::vector<unsigned>{2, 3, 4, 5, 7, 8, 9});
    CHECK(duplicates(db, {"--kind", "identical"}).empty());
    CHECK(run({"delete", db, "--duplicates", "identical"}).status == 1);
    CHECK(run({"check", db}).status == 0);
}

TEST_CASE("delete --duplicates leaves the game that --keep chooses") {
    const TemporaryDirectory directory;
    const std::string more = "Bb7 12. Bc2 Re8 13. Nf1 Bf8 ";
    const std::string event = "[Event \"A match\"]\n";
    const std::string pgn =
        game("Muller, K", "Carlsen, M", "2001.02.03", kLong + more, event) +
        game("Muller, Karl", "Carlsen, M", "2001.02.03", kLong + more, event + "[Round \"1\"]\n") +
        game("Muller, K", "Carlsen, Magnus", "2001.02.03", kLong + "{Quiet.} " + more, event) +
        game("Mueller, K", "Carlsen, M", "2001.02.03", kLong + more + "14. Ng3 ", event);
    for (const auto& [keep, game] :
         {std::pair{"first", 1U}, {"longest", 4U}, {"annotated", 3U}, {"best", 3U}}) {
        const std::string db = directory / (std::string(keep) + ".db");
        REQUIRE(run({"import", db, "-", "--annotations"}, pgn).status == 0);
        INFO(keep);
        const auto groups = duplicates(db, {"--similar", "--keep", keep});
        REQUIRE(groups.size() == 1);
        CHECK(groups[0]["games"] == Json({1, 2, 3, 4}));
        CHECK(groups[0]["keep"] == game);
        CHECK(groups[0]["score"] > 49);
        CHECK_THAT(groups[0]["differences"].get<std::string>(),
                   Contains("black: Carlsen, M / Carlsen, Magnus; round: ? / 1; plies: 26 / 27"));
        const std::string saved = directory / (std::string(keep) + ".pgn");
        const Words words{"delete", db, "--duplicates", "similar", "--keep", keep};
        Words dry = words;
        dry.emplace_back("--dry-run");
        CHECK(run(dry).status == 0);
        Words save = words;
        save.insert(save.end(), {"--save", saved});
        const std::string before = run({"export", db}).out;
        CHECK(run(save).status == 0);
        const auto left = json_lines(run({"games", db, "--format", "json"}).out);
        REQUIRE(left.size() == 1);
        CHECK(left[0]["game_id"] == game);
        CHECK(run({"check", db}).status == 0);
        // The file has the games, with their comments, and an import brings them back.
        check_refused(run(save), {"--save", saved});
        CHECK(run({"import", db, saved, "--annotations"}).status == 0);
        CHECK(json_lines(run({"games", db, "--format", "json"}).out).size() == 4);
        CHECK(run({"export", db}).out.size() == before.size());
    }
}

TEST_CASE("games that were saved before they were deleted come back as they were") {
    const TemporaryDirectory directory;
    const std::string db = directory / "a.db";
    const std::string samples = FENDEX_SAMPLES;
    // Comments, variations, other variants, other starts, games that break off.
    Words import{"import", db, "--annotations", "--variations", "-"};
    for (const char* file :
         {"/curiosities.pgn", "/fischer-random.pgn", "/online.pgn", "/repetitions.pgn"}) {
        import.push_back(samples + file);
    }
    const std::string broken =
        "[Event \"Breaks off\"]\n\n1. e4 e5 2. Ke5 {There is no such move.} Nf6 *\n\n"
        "[Event \"Unknown rules\"]\n[Variant \"Three boards\"]\n\n1. e4 e5 {Why?} 2. Nf3 *\n\n";
    REQUIRE(run(import, broken).status == 0);
    const auto sums = [](const std::string& of) {
        const Json info = Json::parse(run({"info", of, "--format", "json"}).out);
        return std::tuple(info["games"], info["plies"], info["positions"], info["fingerprint"],
                          info["annotated_games"]);
    };
    const auto before = sums(db);
    const std::string games = run({"export", db}).out;
    for (const char* name : {"saved.pgn", "saved.pgn.zst"}) {
        const std::string copy = directory / (std::string(name) + ".copy.db");
        const std::string again = directory / (std::string(name) + ".db");
        const std::string saved = directory / name;
        REQUIRE(run({"backup", db, copy}).status == 0);
        REQUIRE(run({"delete", copy, "--games", "1-100000", "--save", saved}).status == 0);
        CHECK(run({"games", copy}).status == 1);
        REQUIRE(run({"import", again, saved, "--annotations", "--variations"}).status == 0);
        CHECK(sums(again) == before);
        CHECK(run({"export", again}).out == games);
    }
}

TEST_CASE("nothing is deleted if the games cannot be saved") {
    const TemporaryDirectory directory;
    const std::string db = directory / "a.db";
    REQUIRE(run({"import", db, "-"}, kGames).status == 0);
    const Words words{"delete", db, "--duplicates", "identical", "--save"};
    const std::string full = "/dev/full";
    for (const std::string& file :
         {directory / "none/a.pgn", std::string("-"), directory.path(), full}) {
        Words save = words;
        save.push_back(file);
        CHECK(run(save).status == 2);
        CHECK(json_lines(run({"games", db, "--format", "json"}).out).size() == 9);
    }
    Words both = words;
    both.insert(both.end(), {directory / "a.pgn", "--dry-run"});
    check_refused(run(both), {"--save", "--dry-run"});
}

TEST_CASE("import --skip-duplicates keeps the first of identical games, at any number of threads",
          "[full]") {
    const TemporaryDirectory directory;
    // Several batches, each with games of those before.
    std::string text;
    std::set<unsigned> numbers;
    // At small size fewer games, which a comment makes as long.
    const unsigned small = at_size(3'000U, 18'000U);
    const std::string moves =
        full_size() ? "1. a3 a6 2. h3 h6 *" : "1. a3 {" + std::string(500, 'x') + "} a6 2. h3 h6 *";
    for (unsigned i = 0; i < small; ++i) {
        const unsigned number = i % 7 == 3 ? i / 2 : i;
        numbers.insert(number);
        text += small_game(number, moves);
    }
    const std::size_t left = numbers.size() + 7;  // two of kGames are left out
    const std::string pgn = directory / "a.pgn";
    std::ofstream(pgn, std::ios::binary) << text << kGames;
    std::string fingerprint;
    const Words all_threads = full_size() ? Words{"1", "2", "5"} : Words{"1", "5"};
    for (const std::string& threads : all_threads) {
        const std::string db = directory / (threads + ".db");
        const Outcome outcome = run({"import", db, pgn, "--skip-duplicates", "--threads", threads});
        CHECK(outcome.status == 0);
        const Json info = json_lines(run({"info", db, "--format", "json"}).out).at(0);
        CHECK(info["games"] == left);
        CHECK_THAT(outcome.err, Contains(" duplicates left out"));
        if (fingerprint.empty()) fingerprint = info["fingerprint"];
        CHECK(info["fingerprint"] == fingerprint);
        CHECK(run({"check", db}).status == 0);
        CHECK(duplicates(db, {"--kind", "identical"}).empty());
        // Imported again: nothing is new.
        const std::string copy = directory / "copy.pgn";
        std::ofstream(copy, std::ios::binary) << kGames << small_game(small + 1, moves) << text;
        CHECK(run({"import", db, copy, "--skip-duplicates", "--threads", threads}).status == 0);
        const Json more = json_lines(run({"info", db, "--format", "json"}).out).at(0);
        // The two games without moves, and a new one.
        CHECK(more["games"] == left + 3);
        CHECK(run({"check", db}).status == 0);
    }
}
