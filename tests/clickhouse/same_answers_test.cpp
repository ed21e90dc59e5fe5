// One list of questions on the command line, two stores: a cluster answers with the same bytes as
// the file that was pushed to it.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "clickhouse/questions.hpp"
#include "clickhouse/servers.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex::test;
using Words = std::vector<std::string>;

Outcome run(const Words& words) {
    Words command{FENDEX_BINARY};
    command.insert(command.end(), words.begin(), words.end());
    return run_process(command);
}

void require_done(const Words& words) {
    const Outcome outcome = run(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
}

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

}  // namespace

TEST_CASE("A cluster answers with the same bytes as the file", "[clickhouse]") {
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string tests = FENDEX_TEST_DATA;
    require_done({"import", file, "--variations", "--quiet", FENDEX_SAMPLES,
                  tests + "/variants/games.pgn", tests + "/repeats/pgn-extract.pgn"});
    const std::vector<Words> questions = questions_to_all_stores();
    std::vector<Outcome> answers;
    for (const Words& question : questions) answers.push_back(run(to(file, question)));
    for_each_server([&](const Server& server) {
        const std::string url = server.url("answers");
        require_done({"push", file, url, "--quiet"});
        for (std::size_t i = 0; i < questions.size(); ++i) {
            INFO(text_of(questions[i]));
            const Outcome outcome = run(to(url, questions[i]));
            INFO(outcome.err);
            CHECK(outcome.status == answers[i].status);
            CHECK(outcome.out == answers[i].out);
        }
    });
}
