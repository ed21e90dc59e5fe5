// Positions that an engine evaluates: which, in which order, and what is stored of it.
#include <filesystem>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const char* const kGames =
    "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"B\"]\n\n1. e4 c5 *\n\n"
    "[White \"C\"]\n\n1. d4 d5 *\n\n[White \"D\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

/// Six games' positions: the start in four games, 1.e4 in two, the others in one.
class Reached {
  public:
    explicit Reached(const std::string& games = kGames) {
        const Outcome imported =
            run({"import", database_, directory_.write("g.pgn", games), "--quiet"});
        REQUIRE(imported.status == 0);
    }
    Outcome evaluate(Words words, const std::string& wrong = {},
                     const std::string& ms = "0") const {
        words.insert(words.begin(), {"evaluate", database_, "--engine", FENDEX_FAKE_ENGINE});
        ProcessOptions options;
        options.environment = {"FAKE_ENGINE=" + wrong, "FAKE_ENGINE_MS=" + ms};
        return run(words, options);
    }
    Json evals(const Words& words) const {
        Words all{"evals", database_, "--format", "json"};
        all.insert(all.end(), words.begin(), words.end());
        return json_lines(run(all).out).at(0);
    }
    std::string records() const { return run({"export", database_, "--evals", "jsonl"}).out; }
    std::size_t count() const { return lines_of(records()).size(); }
    const std::string& database() const { return database_; }
    const TemporaryDirectory& directory() const { return directory_; }

  private:
    TemporaryDirectory directory_;
    std::string database_ = directory_ / "games.db";
};

}  // namespace

TEST_CASE("evaluate takes the most reached positions first, each once") {
    const Reached reached;
    const Outcome first = reached.evaluate({"--depth", "4", "--limit", "2", "--format", "json"});
    CHECK(first.status == 0);
    const Json summary = json_lines(first.out).at(0);
    CHECK(summary["engine"] == "Fake 1");
    CHECK(summary["evaluated"] == 2);
    // The start, 1.e4, then 1...e5 2.Nf3 1...c5 1.d4 1...d5 1.f3 1...e5 2.g4; mate is not asked.
    CHECK(summary["more"] == true);
    CHECK(summary["evaluated_before"].is_null());
    CHECK(reached.evals({})["depth"] == 4);
    CHECK(reached.evals({"--moves", "1.e4"})["depth"] == 4);
    CHECK(reached.count() == 2);

    const Outcome rest = reached.evaluate({"--depth", "4"});
    CHECK_THAT(rest.err,
               Contains("8 positions evaluated by Fake 1") && Contains("2 evaluated before"));
    CHECK(reached.count() == 10);
    const Outcome nothing = reached.evaluate({"--depth", "4"});
    CHECK(nothing.status == 0);
    CHECK_THAT(nothing.err, Contains("0 positions evaluated") && Contains("10 evaluated before"));
    CHECK(run({"check", reached.database()}).status == 0);
    INFO("Each run that evaluated something is a source, and its records are merged at the end");
    const auto sources = sqlite3_rows(
        reached.database(), "SELECT path, complete, games FROM source WHERE id > 1 ORDER BY id");
    REQUIRE(sources.size() == 2);
    for (const Json& source : sources) {
        CHECK(source == Json{{"path", "Fake 1"}, {"complete", 1}, {"games", 0}});
    }
    CHECK(sqlite3_rows(reached.database(), "SELECT * FROM record_run").empty());
}

TEST_CASE("evaluate searches again what was less deep or had fewer PVs") {
    const Reached reached;
    const auto evaluated = [&](Words words) {
        words.insert(words.end(), {"--format", "json"});
        return json_lines(reached.evaluate(words).out).at(0)["evaluated"].get<int>();
    };
    // A position in ten has a mate, which is enough.
    CHECK(evaluated({"--nodes", "100"}) == 10);
    const int again = evaluated({"--nodes", "200"});
    CHECK(again >= 5);
    CHECK(evaluated({"--nodes", "200"}) == 0);
    CHECK(evaluated({"--nodes", "200", "--multipv", "2"}) == 10);
    CHECK(reached.evals({})["others"].size() == 1);
    CHECK(evaluated({"--depth", "7"}) == 0);
    CHECK(evaluated({"--depth", "8"}) == again);
    CHECK(evaluated({"--movetime", "5"}) == 0);
    INFO("The fake engine always gets to depth 7: what is deeper stays, and is counted");
    const Json unmet =
        json_lines(reached.evaluate({"--nodes", "9000", "--format", "json"}).out).at(0);
    CHECK(unmet["unmet"] == again);
}

TEST_CASE("evaluate takes games that fit, and positions of a file") {
    const Reached reached;
    CHECK(reached.evaluate({"--depth", "3", "--player", "C"}).status == 0);
    CHECK(reached.count() == 3);
    CHECK(reached.evaluate({"--depth", "3", "--min-games", "2"}).status == 0);
    CHECK(reached.count() == 4);
    CHECK(reached.evaluate({"--depth", "3", "--max-ply", "1", "--moves", "1.f3"}).status == 0);
    CHECK(reached.count() == 5);
    const Outcome none = reached.evaluate({"--depth", "3", "--player", "nobody"});
    CHECK(none.status == 1);

    const std::string fens = reached.directory().write(
        "p.fen", "# a comment\n8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\nnonsense\n" + kStart + "\n" +
                     kMate +
                     "\n8/8/8/4k3/8/8/4P3/4K3 w - - 5 9\n4k3/8/8/8/8/8/8/4K2R w K - id \"x\";\n");
    const Outcome file = reached.evaluate({"--depth", "3", "--fens", fens});
    CHECK(file.status == 2);
    CHECK_THAT(file.err, Contains("p.fen:3: ") && Contains("2 positions evaluated") &&
                             Contains("1 evaluated before"));
    CHECK(reached.count() == 7);
    CHECK(reached.evals({"4k3/8/8/8/8/8/8/4K2R w K - 0 1"})["depth"] == 3);
}

TEST_CASE("evaluate stores White's view, whoever is to move, and what tree then shows") {
    const Reached reached;
    REQUIRE(reached.evaluate({"--depth", "4", "--multipv", "2"}).status == 0);
    const Json tree = json_lines(run({"tree", reached.database(), "--format", "json"}).out).at(0);
    for (const Json& move : tree["moves"]) CHECK(move["eval"]["depth"] == 4);
    // What is best for the side to move comes first.
    const auto values = [&](const Words& moves, const char* member) {
        const Json pvs = reached.evals(moves)["pvs"];
        REQUIRE(pvs.size() == 2);
        return std::pair(pvs[0][member].get<int>(), pvs[1][member].get<int>());
    };
    CHECK(values({"--moves", "1.e4"}, "mate") == std::pair(-5, -6));  // Black mates
    const auto white = values({}, "cp");
    CHECK(white.first > white.second);
    const auto black = values({"--moves", "1.d4"}, "cp");
    CHECK(black.first < black.second);
}

TEST_CASE("evaluate with several engines, and an import of its export, give the same records") {
    const Reached one(read_file(kSamples + "/classics.pgn"));
    const Reached several(read_file(kSamples + "/classics.pgn"));
    const Words words{"--nodes", "700", "--multipv", "2", "--limit", "300", "--threads"};
    const auto with = [&](const char* threads) {
        Words all = words;
        all.emplace_back(threads);
        return all;
    };
    CHECK(one.evaluate(with("1")).status == 0);
    CHECK(several.evaluate(with("5")).status == 0);
    CHECK(one.count() == 300);
    CHECK(one.records() == several.records());
    const std::string file = one.directory().write("evals.jsonl", one.records());
    const std::string database = one.directory() / "again.db";
    REQUIRE(run({"import", database, file, "--quiet"}).status == 0);
    CHECK(run({"export", database, "--evals", "jsonl"}).out == one.records());
}

TEST_CASE("An engine that fails is one error, and what was evaluated before is kept") {
    const Reached reached;
    const Words words{"--depth", "4", "--threads", "1", "--patience", "1"};
    const Outcome hangs = reached.evaluate(words, "hang@4");
    CHECK(hangs.status == 2);
    CHECK_THAT(hangs.err, Contains("3 positions evaluated") && Contains("did not answer"));
    CHECK(lines_of(hangs.err).size() == 3);
    CHECK(reached.count() == 3);
    const Outcome ends = reached.evaluate(words, "ends@3");
    CHECK(ends.status == 2);
    CHECK_THAT(ends.err, Contains("3 evaluated before") && Contains("status 5"));
    CHECK(reached.count() == 5);
    CHECK(reached.evaluate({"--depth", "4", "--threads", "4"}, "crashes@2").status == 2);
    CHECK(reached.evaluate(words).status == 0);
    CHECK(reached.count() == 10);
    const Reached whole;
    REQUIRE(whole.evaluate(words).status == 0);
    CHECK(whole.records() == reached.records());
    CHECK(run({"check", reached.database()}).status == 0);

    const Reached fresh;
    CHECK(fresh.evaluate(words, "no-start").status == 2);
    CHECK(fresh.evaluate(words, "ends").status == 2);
    CHECK(fresh.count() == 0);
    CHECK(run({"info", fresh.database(), "--format", "json"}).out.find("\"sources\":1") !=
          std::string::npos);
}

TEST_CASE("Positions whose rules the engine does not know are left out and counted") {
    const Reached reached(
        "[Variant \"Atomic\"]\n\n1. e4 e5 *\n\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 "
        "3. P@e4 *\n\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN "
        "\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n1. e4 e5 *\n");
    const Outcome few = reached.evaluate({"--depth", "3", "--format", "json"}, "standard-only");
    CHECK(few.status == 0);
    CHECK(json_lines(few.out).at(0)["evaluated"] == 0);
    CHECK(json_lines(few.out).at(0)["unknown_rules"] == 12);
    const Outcome more = reached.evaluate({"--depth", "3", "--format", "json"});
    CHECK(json_lines(more.out).at(0)["evaluated"] == 9);
    CHECK(json_lines(more.out).at(0)["unknown_rules"] == 3);
    CHECK(reached.count() == 9);
}

TEST_CASE("evaluate refuses what it cannot do") {
    const Reached reached;
    const auto refused = [&](Words words, const Words& message) {
        words.insert(words.begin(), {"evaluate", reached.database()});
        check_refused(run(words), message);
    };
    refused({}, {"which engine?", "--engine"});
    refused({"--engine", "no-such-engine"}, {"no such program in $PATH"});
    refused({"--engine", kSamples}, {"cannot be started"});
    const Words fake{"--engine", FENDEX_FAKE_ENGINE};
    const auto with = [&](Words words) {
        words.insert(words.begin(), fake.begin(), fake.end());
        return words;
    };
    refused(with({"--nodes", "5", "--depth", "3"}), {"--nodes and --depth"});
    refused(with({"--depth", "0"}), {"--depth takes a number from 1"});
    refused(with({"--multipv", "256"}), {"--multipv", "255"});
    refused(with({"--option", "multipv=3"}), {"--multipv"});
    refused(with({"--option", "=3"}), {"NAME=VALUE"});
    refused(with({"--option", "Hash=1\nquit"}), {"NAME=VALUE"});
    refused(with({"--fens", "x.fen", "--min-games", "2"}), {"--min-games is for"});
    refused(with({"--fens", "x.fen", "--player", "C"}), {"--player is for"});
    refused(with({"--fens", "missing.fen"}), {"cannot open"});
    refused(with({"--limit", "0"}), {"--limit takes a number from 1"});
    check_refused(run({"evaluate", kSamples + "/classics.pgn", "--engine", FENDEX_FAKE_ENGINE}),
                  {"classics.pgn"});
    const std::string missing = reached.directory() / "missing.db";
    check_refused(run({"evaluate", missing, "--engine", FENDEX_FAKE_ENGINE}), {"missing.db"});
    CHECK_FALSE(std::filesystem::exists(missing));
    CHECK(reached.count() == 0);
}
