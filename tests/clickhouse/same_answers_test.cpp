// One list of questions on the command line, two stores: a cluster answers with the same bytes as
// the file that was pushed to it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clickhouse/program.hpp"
#include "clickhouse/questions.hpp"
#include "clickhouse/servers.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;

/// Asks the database at this location, whose name becomes "DB" in what is printed.
Outcome ask(const std::string& location, Words question) {
    for (std::string& word : question) {
        if (word == "@") word = location;
    }
    question.push_back("--quiet");
    Outcome outcome = run(question);
    for (std::string* text : {&outcome.out, &outcome.err}) {
        for (std::size_t at = 0; (at = text->find(location, at)) != std::string::npos;) {
            text->replace(at, location.size(), "DB");
        }
    }
    return outcome;
}

std::string text_of(const Words& question) {
    std::string out = "fendex";
    for (const std::string& word : question) out += " '" + word + "'";
    return out;
}

/// Samples, variants, annotated games, and gaps between the numbers of games.
struct AnswersOfFile {
    AnswersOfFile() {
        const std::string tests = FENDEX_TEST_DATA;
        must_run({"import", file, "--variations", "--quiet", FENDEX_SAMPLES,
                  tests + "/variants/games.pgn", tests + "/repeats/pgn-extract.pgn"});
        must_run({"delete", file, "--quiet", "--games", "2,140"});
        for (const Words& question : questions_to_all_stores()) {
            answers.emplace_back(question, ask(file, question));
        }
    }

    TemporaryDirectory folder;
    std::string file = folder / "games.db";
    std::vector<std::pair<Words, Outcome>> answers;
};

/// Asked once for all servers.
const AnswersOfFile& answers_of_file() {
    static const AnswersOfFile answers;
    return answers;
}

}  // namespace

TEST_CASE("A cluster gives byte for byte the same answers as the file", "[clickhouse][full]") {
    const auto kind = GENERATE(from_range(at_full_size_all(kTwoShards)));
    const TestDatabase database(kind);
    if (!database.is_there()) return;
    const AnswersOfFile& of_file = answers_of_file();
    must_run(push_words(of_file.file, database));
    // At full size each kind of servers is asked a third of it.
    const std::size_t step = at_size<std::size_t>(8, 3);
    for (std::size_t i = kind; i < of_file.answers.size(); i += step) {
        const auto& [question, answer] = of_file.answers[i];
        INFO(text_of(question));
        const Outcome outcome = ask(database.url(), question);
        CHECK(outcome.status == answer.status);
        CHECK(outcome.err == answer.err);
        const bool is_same = outcome.out == answer.out;  // not printed: some are long
        CHECK(is_same);
    }
    // What only a file has is left out.
    const auto info = [&](const std::string& location) {
        return nlohmann::json::parse(ask(location, {"info", "@", "--format", "json"}).out);
    };
    const nlohmann::json expected = info(of_file.file);
    const nlohmann::json counts = info(database.url());
    for (const char* const name : {"id", "games", "plies", "positions", "players", "sources",
                                   "errors", "warnings", "fingerprint", "variants"}) {
        INFO(name);
        CHECK(counts[name] == expected[name]);
    }
    CHECK(!counts.contains("bytes"));
}

TEST_CASE("A cluster takes joined names as one, as its file does", "[clickhouse]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const auto game = [](const std::string& white, const std::string& black,
                         const std::string& event, const std::string& site) {
        return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Event \"" + event +
               "\"]\n[Site \"" + site + "\"]\n\n1. e4 e5 1-0\n\n";
    };
    must_run(
        {"import", file, "--quiet",
         folder.write("a.pgn",
                      game("Karpov, Anatoly", "Kortschnoj, V", "WCh", "Baguio") +
                          game("Korchnoi, Viktor", "Karpov,An", "Candidates", "Evian") +
                          game("\u041A\u0430\u0440\u043F\u043E\u0432", "Other", "WCh", "Merano") +
                          game("Other", "karpov anatoly", "Open", "Merano ITA") +
                          game("Karpov,An", "Karpov, Anatoly", "Clock simul", "Tyumen"))});
    std::vector<Words> questions;
    for (const Words& filter : std::vector<Words>{{"--player", "anatoly"},
                                                  {"--player", "karpov", "--player", "viktor"},
                                                  {"--white", "korchnoi"},
                                                  {"--black", "karpow"},
                                                  {"--event", "wch"},
                                                  {"--site", "ita"},
                                                  {"--site", "me m"},
                                                  {"--site", "italy"}}) {
        questions.push_back({"games", "@", "--format", "json"});
        questions.back().insert(questions.back().end(), filter.begin(), filter.end());
    }
    for (const Words& words :
         std::vector<Words>{{"players", "@"},
                            {"players", "@", "Karpov, Anatoly"},
                            {"prepare", "@", "karpov", "--color", "white", "--together"}}) {
        questions.push_back(words);
        questions.back().insert(questions.back().end(), {"--format", "json"});
    }
    std::set<std::string> seen;
    const auto compare = [&] {
        must_run(push_words(file, database));
        std::string all;
        for (const Words& question : questions) {
            INFO(text_of(question));
            const Outcome expected = ask(file, question);
            const Outcome outcome = ask(database.url(), question);
            CHECK(outcome.out == expected.out);
            CHECK(outcome.status == expected.status);
            all += outcome.out + "\n";
        }
        CHECK(seen.insert(all).second);  // the joins matter
        const auto info = [&](const std::string& location) {
            return nlohmann::json::parse(ask(location, {"info", "@", "--format", "json"}).out);
        };
        CHECK(info(database.url())["joined_names"] == info(file)["joined_names"]);
        CHECK(info(database.url())["players"] == info(file)["players"]);
    };
    compare();
    const auto names = [&](Words words) {
        words.insert(words.begin(), {"names", file, "--quiet"});
        must_run(words);
    };
    names({"--join", "Karpow", "Karpov, Anatoly", "Karpov,An",
           "\u041A\u0430\u0440\u043F\u043E\u0432"});
    names({"--join", "Korchnoi, Viktor", "Kortschnoj, V"});
    compare();
    names({"--join", "--of", "sites", "Merano, Italy", "Merano", "Merano ITA"});
    names({"--join", "--of", "events", "WCh", "Candidates"});
    compare();
    names({"--split", "Karpov,An"});
    compare();
    names({"--split", "Korchnoi, Viktor"});
    names({"--split", "--of", "sites", "Merano, Italy"});
    compare();
}

TEST_CASE("A cluster answers as a file without records, and says of evals that it has none",
          "[clickhouse]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    must_run({"import", file, "--quiet", FENDEX_SAMPLES "/repetitions.pgn"});
    const std::vector<Words> questions = {{"show", "@", "1", "--format", "json"},
                                          {"show", "@", "1", "--plies", "--format", "json"},
                                          {"tree", "@", "--format", "json"},
                                          {"find", "@", "--moves", "1.e4"},
                                          {"repeats", "@", "--missed", "--format", "json"},
                                          {"export", "@", "--rows", "plies", "--columns",
                                           "ply,eval,mate,depth,swing,best", "--format", "csv"}};
    std::vector<std::string> without;
    for (const Words& question : questions) without.push_back(ask(file, question).out);
    const std::string records =
        folder.write("records.epd",
                     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 25; pv e4;\n"
                     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - dm 4; pv e5;\n"
                     "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - ce -20; pv d5;\n");
    must_run({"import", file, "--quiet", records});
    push(file, database);
    for (std::size_t i = 0; i < questions.size(); ++i) {
        INFO(text_of(questions[i]));
        const Outcome outcome = ask(database.url(), questions[i]);
        CHECK(outcome.status == 0);
        const bool is_same = outcome.out == without[i];
        CHECK(is_same);
    }
    const Outcome refused = ask(database.url(), {"evals", "@"});
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, Catch::Matchers::Contains("'evals' takes a database file"));
}
