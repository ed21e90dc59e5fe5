// One list of questions on the command line, two stores: a cluster answers with the same bytes as
// the file that was pushed to it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
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
    question = question_at(location, std::move(question));
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
    // The right to read is enough; the engine that runs in a process of its own has no such user.
    const std::string url = database.url(kind == kNewEngine ? "" : "reader");
    // At full size each kind of servers is asked a third of it.
    const std::size_t step = at_size<std::size_t>(18, 3);
    for (std::size_t i = kind; i < of_file.answers.size(); i += step) {
        const auto& [question, answer] = of_file.answers[i];
        INFO(text_of(question));
        const Outcome outcome = ask(url, question);
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
    const nlohmann::json counts = info(url);
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
        for (std::size_t i = 0; i < questions.size(); ++i) {
            if (left_to_full_size(i, 2)) continue;
            const Words& question = questions[i];
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

namespace {

/// Evaluations of every `step`th position of the file's games of standard chess, as EPD. The same
/// positions come again with another depth.
std::string evaluations_of(const std::string& file, int step, int depth) {
    const Outcome plies = run({"export", file, "--rows", "plies", "--columns", "epd", "--format",
                               "csv", "--variant", "standard", "--quiet"});
    REQUIRE(plies.status == 0);
    std::string out;
    std::istringstream lines(plies.out);
    std::string line;
    std::getline(lines, line);  // the names of columns
    for (int number = 0; std::getline(lines, line); ++number) {
        if (number % step != 0) continue;
        out += line.substr(0, line.find('\r'));
        out += number % 11 == 0 ? " dm " + std::to_string(number % 7 + 1)
                                : " ce " + std::to_string(number * 37 % 400 - 200);
        out += "; acd " + std::to_string(depth + number % 30) + ";";
        if (number % 5 == 0) out += " id \"number " + std::to_string(number) + "\";";
        out += "\n";
    }
    return out;
}

const std::vector<Words> kQuestionsAboutRecords = {
    {"evals", "@"},
    {"evals", "@", "--format", "json"},
    {"evals", "@", "--moves", "1.e4 e5", "--format", "json"},
    {"evals", "@", "--moves", "1.h4 h5 2.h5"},
    {"evals", "@", "--fens", FENDEX_SAMPLES "/positions.fen", "--format", "json"},
    {"tree", "@", "--format", "json"},
    {"tree", "@", "--sort", "eval", "--moves", "1.e4", "--format", "json"},
    {"find", "@", "--moves", "1.e4"},
    {"find", "@", "--moves", "1.e4 e5", "--eval", "-50..50", "--format", "json"},
    {"find", "@", "--material", "KRPKR", "--eval", "-100..100", "--format", "json"},
    {"repeats", "@", "--missed", "--format", "json"},
    {"novelty", "@", "1", "--format", "json"},
    {"prepare", "@", "morphy", "--color", "white", "--format", "json"},
    {"show", "@", "1", "--format", "json"},
    {"show", "@", "1-80", "--plies", "--format", "csv"},
    {"export", "@", "--rows", "plies", "--columns", "game_id,ply,eval,mate,depth,swing,best",
     "--format", "csv"},
    {"export", "@", "--evals", "epd"},
    {"export", "@", "--evals", "jsonl"}};

}  // namespace

TEST_CASE("A cluster has the records of positions of its file", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    must_run({"import", file, "--quiet", "--annotations", FENDEX_SAMPLES "/classics.pgn",
              FENDEX_SAMPLES "/repetitions.pgn", FENDEX_SAMPLES "/online.pgn"});
    std::set<std::string> seen;
    const auto compare = [&] {
        std::string all;
        for (std::size_t i = 0; i < kQuestionsAboutRecords.size(); ++i) {
            if (left_to_full_size(i, 3)) continue;
            const Words& question = kQuestionsAboutRecords[i];
            INFO(text_of(question));
            const Outcome expected = ask(file, question);
            const Outcome outcome = ask(database.url(), question);
            CHECK(outcome.status == expected.status);
            CHECK(outcome.err == expected.err);
            const bool is_same = outcome.out == expected.out;
            CHECK(is_same);
            all += outcome.out;
        }
        CHECK(seen.insert(all).second);  // the records matter
    };
    const auto push_again = [&] {
        Words words = push_words(file, database);
        words.insert(words.end(), {"--format", "json"});
        return nlohmann::json::parse(run(words).out);
    };
    CHECK(push_again()["records"] == 0);
    compare();
    must_run({"import", file, "--quiet", folder.write("some.epd", evaluations_of(file, 3, 10))});
    const nlohmann::json pushed = push_again();
    CHECK(pushed["games"] == 0);
    CHECK(pushed["records"] > 500);
    const auto info = [&](const std::string& location) {
        return nlohmann::json::parse(ask(location, {"info", "@", "--format", "json"}).out);
    };
    CHECK(pushed["records"] == info(file)["records"]);
    CHECK(info(database.url())["records"] == info(file)["records"]);
    compare();
    CHECK(push_again()["nothing_new"] == true);
    // Deeper searches of the same positions.
    must_run({"import", file, "--quiet", folder.write("more.epd", evaluations_of(file, 3, 30))});
    CHECK(push_again()["records"] == pushed["records"]);
    compare();
    must_run({"delete", file, "--quiet", "--records"});
    must_run({"import", file, "--quiet", FENDEX_SAMPLES "/curiosities.pgn"});
    CHECK(push_again()["records"] == 0);
    compare();
    CHECK(push_again()["nothing_new"] == true);

    const Outcome refused = ask(database.url(), {"games", "@", "--swing", "200"});
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err,
               Catch::Matchers::Contains("a cluster does not answer the filter --swing"));
}

TEST_CASE("Records of several databases of a cluster are taken together", "[clickhouse]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    // One file has what two others have.
    const std::string both = folder / "both.db";
    const std::string games = FENDEX_SAMPLES "/repetitions.pgn";
    must_run({"import", both, "--quiet", games});
    const std::string some = folder.write("some.epd", evaluations_of(both, 2, 10));
    const std::string others = folder.write("others.epd", evaluations_of(both, 3, 20));
    must_run({"import", both, "--quiet", some, others});
    const std::string first = folder / "first.db";
    const std::string second = folder / "second.db";
    must_run({"import", first, "--quiet", games, some});
    must_run({"import", second, "--quiet", others});
    must_run(push_words(first, database));
    must_run(push_words(second, database));
    for (const Words& question :
         std::vector<Words>{{"evals", "@", "--format", "json"},
                            {"evals", "@", "--moves", "1.e4", "--format", "json"},
                            {"show", "@", "1-5", "--plies", "--format", "json"},
                            {"export", "@", "--evals", "epd"}}) {
        INFO(text_of(question));
        const bool is_same = ask(database.url(), question).out == ask(both, question).out;
        CHECK(is_same);
    }
}
