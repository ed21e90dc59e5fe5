// One list of questions on the command line, two stores: a cluster answers with the same bytes as
// the file that was pushed to it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
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
