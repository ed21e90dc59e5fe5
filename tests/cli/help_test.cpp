#include <filesystem>

#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::Matches;
using Catch::Matchers::StartsWith;

/// Returns the lines after "Example:".
Words examples(const std::string& help) {
    Words found;
    bool behind = false;
    for (const std::string& line : lines_of(help)) {
        if (behind && line.starts_with("  ")) found.push_back(line.substr(2));
        behind |= line == "Example:";
    }
    return found;
}

/// Returns the line of shell that tries an example. A server is asked to end once it runs; it
/// listens at any free port. Nothing is pushed to a server of this machine: that there is none at
/// port 1 must be the only error. The engine is one that is always there.
std::string tried(const std::string& verb, std::string example) {
    if (const std::size_t host = example.find("localhost:8123"); host != std::string::npos) {
        example.replace(host, std::string("localhost:8123").size(), "127.0.0.1:1");
        return example + " 2>&1 | grep 'no server can be reached' || exit 3";
    }
    if (const std::size_t engine = example.find("stockfish"); engine != std::string::npos) {
        example.replace(engine, std::string("stockfish").size(), FENDEX_FAKE_ENGINE);
    }
    if (verb != "serve") return example;
    return "mkfifo ready; " + example + " --listen 127.0.0.1:0 > ready & read line < ready; " +
           "rm ready; kill $!; wait $!";
}

}  // namespace

TEST_CASE("The help with all verbs and the version are written to stdout") {
    for (const Words& words : {Words{"--help"}, Words{"-h"}, Words{"help"}}) {
        const Outcome help = run(words);
        CHECK(help.status == 0);
        CHECK(help.err.empty());
        CHECK_THAT(help.out, Contains("Exit status"));
    }
    const Words all = verb_names();
    for (const char* const verb : {"import", "find", "games", "show", "fen", "info"}) {
        CAPTURE(verb);
        CHECK(std::count(all.begin(), all.end(), verb) == 1);
    }
    const Outcome version = run({"--version"});
    CHECK(version.status == 0);
    CHECK(version.err.empty());
    CHECK_THAT(version.out, Matches("fendex [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_CASE("Every verb's -h lists its options in few lines, and names the others") {
    for (const std::string& verb : verb_names()) {
        CAPTURE(verb);
        const Outcome help = run({verb, "-h"});
        CHECK(help.status == 0);
        CHECK_THAT(
            help.out,
            StartsWith("fendex " + verb + " ") && Contains("--help, -h ") && Contains("--quiet") &&
                EndsWith("'fendex " + verb + " --help' explains them and ends with an example.\n"));
        CHECK(help.out.size() < run({verb, "--help"}).out.size());
    }
}

TEST_CASE("Every verb's --help has its usage and an example that works", "[full]") {
    const TemporaryDirectory directory;
    std::filesystem::create_symlink(kSamples, directory / "samples");
    const std::string bin = std::filesystem::path(FENDEX_BINARY).parent_path().string();
    const ProcessOptions here{.directory = directory.path()};
    // At small size the examples are tried with some of the samples.
    const std::string original =
        full_size() ? samples_database() : directory.path() + "/original.db";
    if (!full_size()) {
        REQUIRE(run({"import", original, kSamples + "/classics.pgn"}).status == 0);
    }
    std::size_t number = 0;
    for (const std::string& verb : verb_names()) {
        CAPTURE(verb);
        const Outcome help = run({verb, "--help"});
        CHECK(help.status == 0);
        CHECK(help.err.empty());
        CHECK_THAT(help.out, StartsWith("fendex " + verb + " "));
        CHECK_FALSE(examples(help.out).empty());
        // --help works at any place of the line.
        const std::vector<Words> spellings{{"help", verb}, {verb, "some", "words", "--help"}};
        for (std::size_t i = 0; i < spellings.size(); ++i) {
            // At small size each verb is asked in one of them.
            if (!full_size() && i != number % spellings.size()) continue;
            const Outcome same = run(spellings[i]);
            CHECK(same.status == 0);
            CHECK(same.err.empty());
            CHECK(same.out == help.out);
        }
        ++number;
        std::filesystem::copy_file(original, directory / "my.db",
                                   std::filesystem::copy_options::overwrite_existing);
        for (const std::string& example : examples(help.out)) {
            const Outcome outcome = run_process(
                {"sh", "-c", "PATH=\"" + bin + ":$PATH\"; " + tried(verb, example)}, here);
            INFO(example << ": " << outcome.err);
            // An example may find nothing in the samples.
            CHECK((outcome.status == 0 || outcome.status == 1));
        }
    }
}

TEST_CASE("A wrong command line is refused in one line, with status 2") {
    const Outcome nothing = run({});
    CHECK(nothing.status == 2);
    CHECK(nothing.out.empty());
    CHECK_THAT(nothing.err, Contains("fendex import DB INPUT..."));

    check_refused(run({"improt"}), {"improt", "did you mean 'import'", "--help"});
    check_refused(run({"find", "x", "--lmit", "3"}), {"--lmit", "did you mean '--limit'"});
    check_refused(run({"find", "x", "--format", "jsno"}), {"jsno", "did you mean 'json'"});
    check_refused(run({"find", "x", "--limit", "3", "--limit", "4"}), {"--limit", "once"});
    check_refused(run({"--verbose"}), {"--verbose"});
    check_refused(run({"help", "fnid"}), {"fnid", "did you mean 'find'"});
    check_refused(run({"\x1b[31m"}), {"\\x1b[31m"});
    for (const std::string& verb : verb_names()) {
        CAPTURE(verb);
        check_refused(run({verb, "--no-such-option"}),
                      {"no-such-option", "fendex " + verb + " --help"});
        check_refused(run({verb}), {});
    }
    const std::string& db = samples_database();
    check_refused(run({"find", db}), {"which position"});
    check_refused(run({"find", db, kMate, "--format", "xml"}), {"xml", "table, json, csv, pgn"});
    check_refused(run({"find", db, kMate, "--format", "JSON"}), {"JSON"});
    check_refused(run({"find", db, kMate, "--limit", "many"}), {"--limit", "many"});
    check_refused(run({"find", db, kMate, "--limit", "-1"}), {"-1"});
    check_refused(run({"find", db, kMate, "--offset", "3x"}), {"--offset", "3x"});
    check_refused(run({"find", db, kMate, "--limit"}), {"limit"});
    check_refused(run({"find", db, kMate, "--form", "json"}), {"--form"});  // no guessing
    // A name that was not quoted is an error, not a condition on its first word.
    for (const char* const verb : {"games", "info", "materialize", "repeats", "export"}) {
        CAPTURE(verb);
        check_refused(run({verb, db, "Garry"}), {"Garry"});
    }
    check_refused(run({"show", db}), {"which game"});
    check_refused(run({"show", db, "first"}), {"first"});
    check_refused(run({"show", db, "1", "--format", "csv"}), {"csv", "json"});
    check_refused(run({"import", db}), {"which games"});
    check_refused(run({"import", db, kSamples, "--threads", "0"}), {"--threads"});
    check_refused(run({"import", db, kSamples, "--memory", "lots"}), {"lots"});
    check_refused(run({"import", db, kSamples, "--memory", "0"}), {"0"});
    check_refused(run({"import", db, kSamples, "--ply-rows", "maybe"}), {"maybe"});
    check_refused(run({"import", db, kSamples, "--zstd-window", "99"}), {"--zstd-window"});
}
