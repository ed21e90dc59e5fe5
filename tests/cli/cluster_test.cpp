// Clusters on the command line, as far as no server is needed: which verbs take one, wrong URLs,
// and passwords, which are never printed.
#include <catch2/catch.hpp>
#include <future>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kCluster = "clickhouse://127.0.0.1:1/chess";  // no server has this port

}  // namespace

TEST_CASE("verbs that read a cluster have --password-file, and others refuse a cluster") {
    const Words readers{"find",     "tree",    "repeats", "games",      "players",
                        "openings", "prepare", "novelty", "repertoire", "evals",
                        "show",     "export",  "sql",     "info",       "serve"};
    for (const std::string& verb : verb_names()) {
        INFO(verb);
        const Words options = option_names(verb);
        const bool has =
            std::find(options.begin(), options.end(), "--password-file") != options.end();
        if (verb == "push") continue;
        CHECK(has == (std::find(readers.begin(), readers.end(), verb) != readers.end()));
        if (has || verb == "fen") continue;
        check_refused(run({verb, kCluster}), {"takes a database file", "info and serve"});
    }
}

TEST_CASE("a server that does not answer is one clear error") {
    const std::string fen = kStart;
    const std::vector<Words> questions{
        {"find", kCluster, fen},
        {"tree", kCluster},
        {"repeats", kCluster},
        {"games", kCluster},
        {"show", kCluster, "1"},
        {"export", kCluster},
        {"repertoire", kCluster, kSamples + "/repertoire.txt", "--color", "white"},
        {"sql", kCluster, "SELECT 1"},
        {"info", kCluster},
        {"serve", kCluster, "--listen", "0"}};
    // All at once, because each tries again after some pauses.
    std::vector<std::future<Outcome>> outcomes;
    for (const Words& words : questions) {
        outcomes.push_back(std::async(std::launch::async, [&words] { return run(words); }));
    }
    for (std::size_t i = 0; i < questions.size(); ++i) {
        INFO(questions[i].front());
        check_refused(outcomes[i].get(), {"127.0.0.1:1"});
    }
}

TEST_CASE("a wrong URL of a cluster is refused before anything else") {
    for (const char* const url :
         {"clickhouse://", "clickhouse:///chess", "clickhouse://host", "clickhouse://host:0/chess",
          "clickhouse://host:x/chess", "clickhouse://host/a/b", "clickhouse://host/no-name"}) {
        INFO(url);
        const Outcome outcome = run({"info", url});
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    }
}

TEST_CASE("a password in a URL is refused and never printed") {
    const std::string url = "clickhouse://user:hush@127.0.0.1:1/chess";
    for (const Words& words :
         {Words{"info", url}, Words{"find", url, url, kStart}, Words{"players", url},
          Words{"games", url, "--sort", "no"}, Words{"import", url, "x.pgn"},
          Words{"serve", samples_database(), "--masters-db", url}}) {
        INFO(words.front());
        const Outcome outcome = run(words);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.out + outcome.err, !Contains("hush"));
    }
    check_refused(run({"info", url}), {"password", "--password-file"});
}

TEST_CASE("the option --password-file is for clusters, and its file must be readable") {
    check_refused(run({"info", samples_database(), "--password-file", "x"}),
                  {"--password-file is for a cluster"});
    check_refused(run({"info", kCluster, "--password-file", "/no/such/file"}),
                  {"--password-file '/no/such/file' cannot be read"});
}

TEST_CASE("a URL counts as a database among several") {
    check_refused(run({"find", kCluster, kCluster, kStart}), {"is named twice"});
    check_refused(run({"find", samples_database(), kStart, kCluster}), {"databases come first"});
    // It is opened after the file: the words are understood.
    check_refused(run({"tree", samples_database(), kCluster}), {"127.0.0.1:1"});
    const ProcessOptions options{.environment = {"FENDEX_DB=" + samples_database()}};
    check_refused(run({"tree", kCluster}, options), {"127.0.0.1:1"});
}
