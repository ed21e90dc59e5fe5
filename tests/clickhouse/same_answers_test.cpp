// One list of questions on the command line, two stores: a cluster answers with the same bytes as
// the file that was pushed to it.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "clickhouse/program.hpp"
#include "clickhouse/questions.hpp"
#include "clickhouse/servers.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex::test;

/// The question to the database at this location.
Words to(const std::string& location, Words question) {
    for (std::string& word : question) {
        if (word == "@") word = location;
    }
    return question;
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
            answers.emplace_back(question, run(to(file, question)));
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

TEST_CASE("A cluster answers with the same bytes as the file", "[clickhouse]") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    const AnswersOfFile& of_file = answers_of_file();
    must_run(push_words(of_file.file, database));
    for (const auto& [question, answer] : of_file.answers) {
        INFO(text_of(question));
        const Outcome outcome = run(to(database.url(), question));
        INFO(outcome.err);
        CHECK(outcome.status == answer.status);
        const bool is_same = outcome.out == answer.out;  // not printed: some are long
        CHECK(is_same);
    }
}
