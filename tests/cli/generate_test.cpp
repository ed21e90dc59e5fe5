// The manual page and the shells' completion: nothing is missing, and the shells understand it.
#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/fixture.hpp"
#include "support/skip.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

std::string generated(const std::string& what) {
    const Outcome outcome = run({"--generate", what});
    REQUIRE(outcome.status == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
}

using Names = std::set<std::string>;

/// Returns what bash offers for the last of these words.
Names bash_offers(const Words& words) {
    static const TemporaryDirectory directory;
    static const std::string file = directory.write("fendex.bash", generated("complete-bash"));
    static const std::string folder = [] {
        const std::string path = directory / "files";
        std::filesystem::create_directory(path);
        for (const char* const name : {"a.db", "b c.pgn"}) {
            REQUIRE(run_process({"touch", path + "/" + name}).status == 0);
        }
        return path;
    }();
    Words command{"bash",
                  "--norc",
                  "-c",
                  "set -u; . \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1));"
                  " _fendex; printf '%s\\n' \"${COMPREPLY[@]}\"",
                  "bash",
                  file};
    command.insert(command.end(), words.begin(), words.end());
    const ProcessOptions options{.directory = folder};
    const Outcome outcome = run_process(command, options);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    const Words lines = lines_of(outcome.out);
    Names offers(lines.begin(), lines.end());
    offers.erase("");  // printf prints an empty line if there are no offers
    return offers;
}

}  // namespace

TEST_CASE("generate is not in --help, and refuses a wrong word") {
    CHECK_THAT(run({"--help"}).out, !Contains("generate"));
    check_refused(run({"--generate", "complete-tcsh"}), {"complete-bash", "complete-tcsh"});
    check_refused(run({"--generate"}), {"--generate"});
}

TEST_CASE("The manual page and every completion name every verb and every option") {
    const std::string man = generated("man");
    const std::string bash = generated("complete-bash");
    const std::string zsh = generated("complete-zsh");
    const std::string fish = generated("complete-fish");
    for (const std::string& verb : verb_names()) {
        CAPTURE(verb);
        CHECK_THAT(man, Contains(".SS \"fendex " + verb + " "));
        CHECK_THAT(bash, Contains("    " + verb + ")\n"));
        CHECK_THAT(zsh, Contains("    " + verb + ")\n"));
        CHECK_THAT(fish, Contains("-a " + verb + " -d "));
        const Words options = option_names(verb);
        CHECK(std::count(options.begin(), options.end(), "--help") == 1);
        for (const std::string& option : options) {
            CAPTURE(option);
            std::string escaped;
            for (const char c : option) escaped += c == '-' ? "\\-" : std::string(1, c);
            CHECK_THAT(man, Contains("\\fB" + escaped + "\\fR"));
            CHECK_THAT(zsh, Contains(option));
            CHECK_THAT(fish, Contains("'__fish_seen_subcommand_from " + verb + "' -l " +
                                      option.substr(2) + ' '));
        }
    }
}

TEST_CASE("mandoc renders the manual page without an unexpected warning", "[full]") {
    if (skip_without("mandoc")) return;
    const TemporaryDirectory directory;
    const std::string page = directory.write("fendex.1", generated("man"));
    const Outcome lint = run_process({"mandoc", "-Tlint", "-W", "warning", page});
    for (const std::string& line : lines_of(lint.out)) {
        CHECK_THAT(line, Contains("missing date"));  // a build is the same on any day
    }
    const Outcome text = run_process({"mandoc", "-Tascii", "-O", "width=300", page});
    CHECK(text.status == 0);
    std::string plain;
    for (const char c : text.out) {
        if (c == '\b') {
            plain.pop_back();  // bold is struck twice
        } else {
            plain += c;
        }
    }
    for (const std::string& verb : verb_names()) {
        CHECK_THAT(plain, Contains(lines_of(run({verb, "--help"}).out).front()));
    }
}

TEST_CASE("bash completes verbs, options, their values, and files") {
    Names first;
    for (const std::string& verb : verb_names()) first.insert(verb);
    Names all = first;
    all.insert({"--help", "--version"});
    CHECK(bash_offers({"fendex", ""}) == all);
    CHECK(bash_offers({"fendex", "fi"}) == Names{"find"});
    CHECK(bash_offers({"fendex", "nothing", ""}).empty());

    for (const std::string& verb : first) {
        CAPTURE(verb);
        const Words options = option_names(verb);
        CHECK(bash_offers({"fendex", verb, "--"}) == Names(options.begin(), options.end()));
    }

    const Names formats{"table", "json", "csv", "pgn"};
    CHECK(bash_offers({"fendex", "find", "--format", ""}) == formats);
    CHECK(bash_offers({"fendex", "find", "a.db", "x", "--format", "j"}) == Names{"json"});
    CHECK(bash_offers({"fendex", "find", "--format", "="}) == formats);
    CHECK(bash_offers({"fendex", "find", "--format", "=", "c"}) == Names{"csv"});
    CHECK(bash_offers({"fendex", "import", "--ply-rows", ""}) == Names{"auto", "yes", "no"});

    const Names files{"a.db", "b c.pgn"};
    CHECK(bash_offers({"fendex", "find", "--fens", ""}) == files);
    CHECK(bash_offers({"fendex", "find", "--fens", "=", "b"}) == Names{"b c.pgn"});
    CHECK(bash_offers({"fendex", "find", ""}) == files);
    CHECK(bash_offers({"fendex", "find", "--format", "json", ""}) == files);
    CHECK(bash_offers({"fendex", "find", "--format", "=", "json", ""}) == files);
    CHECK(bash_offers({"fendex", "find", "--count", "a"}) == Names{"a.db"});
    CHECK(bash_offers({"fendex", "find", "a.db", ""}) == files);  // another database, or positions
    CHECK(bash_offers({"fendex", "show", "a.db", ""}).empty());   // a number
    CHECK(bash_offers({"fendex", "find", "--limit", ""}).empty());
    CHECK(bash_offers({"fendex", "import", "a.db", "b c.pgn", ""}) == files);
    CHECK(bash_offers({"fendex", "import", "a.db", "-", ""}) == files);
    CHECK(bash_offers({"fendex", "fen", ""}).empty());
    CHECK(bash_offers({"fendex", "export", "-o", ""}) == files);
}

TEST_CASE("zsh loads its completion", "[full]") {
    if (skip_without("zsh")) return;
    const TemporaryDirectory directory;
    const std::string file = directory.write("_fendex", generated("complete-zsh"));
    const Outcome outcome = run_process({"zsh", "-n", file});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
}

TEST_CASE("fish loads its completion", "[full]") {
    if (skip_without("fish")) return;
    const TemporaryDirectory directory;
    const std::string file = directory.write("fendex.fish", generated("complete-fish"));
    const ProcessOptions options{.directory = directory.path()};
    const auto offers = [&](const std::string& line) {
        const Outcome outcome =
            run_process({"fish", "--no-config", "-c",
                         "set -x HOME .; source " + file + "; complete -C '" + line + "'"},
                        options);
        CHECK(outcome.status == 0);
        Names names;
        for (const std::string& each : lines_of(outcome.out)) {
            names.insert(each.substr(0, each.find('\t')));
        }
        return names;
    };
    const Words verbs = verb_names();
    CHECK(offers("fendex ") == Names(verbs.begin(), verbs.end()));
    CHECK(offers("fendex find --format ") == Names{"table", "json", "csv", "pgn"});
    CHECK(offers("fendex find --lim") == Names{"--limit"});
    CHECK(offers("fendex find --fens fendex.") == Names{"fendex.fish"});
    CHECK(offers("fendex fen fendex.").empty());
}
