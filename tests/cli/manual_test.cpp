// Checks that README.md, the manual and the recipes show what the program does.
#include <filesystem>
#include <regex>

#include "base/display_width.hpp"
#include "cli/fixture.hpp"
#include "store/capability.hpp"

namespace {

using namespace fendex::test;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

const fs::path kRoot = fs::path(kSamples).parent_path();

/// Returns README.md, CHANGELOG.md and all pages of samples/, schema/ and .github/.
std::vector<fs::path> pages() {
    std::vector<fs::path> found{kRoot / "README.md", kRoot / "CHANGELOG.md"};
    for (const char* const folder : {"samples", "schema", ".github"}) {
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.path().extension() == ".md") found.push_back(entry.path());
        }
    }
    return found;
}

/// A directory with samples/ and my.db, as after the first command of the quick start.
class Clone {
  public:
    Clone() {
        fs::create_directory_symlink(kSamples, directory_ / "samples");
        fs::copy_file(samples_database(), directory_ / "my.db");
    }

    /// Runs a line of shell, with fendex in the PATH.
    Outcome run(const std::string& line, unsigned short columns = 0) const {
        const ProcessOptions options{.directory = directory_.path(),
                                     .terminal = columns,
                                     .environment = {"COLUMNS=", "TERM=xterm", "NO_COLOR=1"}};
        const std::string bin = fs::path(FENDEX_BINARY).parent_path().string();
        return run_process({"sh", "-c", "PATH=\"" + bin + ":$PATH\"; " + line}, options);
    }
    std::string operator/(const std::string& name) const { return directory_ / name; }

  private:
    TemporaryDirectory directory_;
};

struct Shown {
    std::string command;
    Words output;
};

/// Returns the commands of the quick start and the output that README.md shows.
std::vector<Shown> quick_start() {
    std::vector<Shown> found;
    bool inside = false;
    for (const std::string& line : lines_of(read_file(kRoot / "README.md"))) {
        if (line.starts_with("$ fendex ")) {
            found.push_back({line.substr(2), {}});
            inside = true;
        } else if (line.starts_with("```")) {
            inside = false;
        } else if (inside) {
            found.back().output.push_back(line);
        }
    }
    return found;
}

}  // namespace

TEST_CASE("README: the commands of the quick start print what it shows, in 80 columns") {
    const std::vector<Shown> commands = quick_start();
    REQUIRE(commands.size() == 5);
    const Clone clone;
    for (const Shown& shown : commands) {
        CAPTURE(shown.command);
        for (const std::string& line : shown.output) {
            CHECK(fendex::base::display_width(line) <= 80);
        }
        if (shown.command.starts_with("fendex import ")) {
            // The rest of this line is speed.
            CHECK_THAT(shown.output.at(0), Contains("113 games, 8,908 plies, 0 errors in "));
            continue;
        }
        Words expected = shown.output;
        const bool shortened = expected.back() == "...";
        if (shortened) expected.pop_back();
        const Outcome outcome = clone.run(shown.command, 80);
        CHECK(outcome.status == 0);
        Words lines = lines_of(outcome.out);
        if (shortened) {
            REQUIRE(lines.size() > expected.size());
            lines.resize(expected.size());
        }
        CHECK(lines == expected);
    }
}

TEST_CASE("README: the table of verbs has the words of the help") {
    const std::string readme = read_file(kRoot / "README.md");
    std::size_t rows = 0;
    for (const std::string& verb : verb_names()) {
        CAPTURE(verb);
        std::string purpose = lines_of(run({verb, "--help"}).out).at(2);
        purpose.front() = static_cast<char>(std::tolower(purpose.front()));
        if (purpose.starts_with("sQL")) purpose[0] = 'S';
        REQUIRE(purpose.back() == '.');
        purpose.pop_back();
        const std::size_t row = readme.find("\n| `" + verb + ' ');
        REQUIRE(row != std::string::npos);
        const std::string cells = readme.substr(row + 1, readme.find('\n', row + 1) - row - 1);
        CHECK_THAT(cells, Catch::Matchers::EndsWith(" | " + purpose + " |"));
        // Ten words each.
        CHECK(std::count(purpose.begin(), purpose.end(), ' ') < 10);
        ++rows;
    }
    CHECK(rows > 15);
}

TEST_CASE("Links of pages lead to files, and lines fit 120 columns") {
    const std::regex link(R"(\]\(([^)#]+))");
    for (const fs::path& page : pages()) {
        CAPTURE(page);
        const std::string text = read_file(page);
        for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
            const std::string target = (*it)[1];
            if (target.find("://") != std::string::npos) continue;
            CAPTURE(target);
            CHECK(fs::exists(page.parent_path() / target));
        }
        for (const std::string& line : lines_of(text)) {
            CAPTURE(line);
            CHECK(fendex::base::display_width(line) <= 120);
        }
    }
}

TEST_CASE("Pages: help and manual list what a cluster does not answer") {
    const auto sentence_of = [](std::string text) {
        std::replace(text.begin(), text.end(), '\n', ' ');
        const std::size_t begin = text.find("A cluster does not answer ");
        REQUIRE(begin != std::string::npos);
        return text.substr(begin, text.find(". ", begin) - begin);
    };
    const std::string list = fendex::store::capability_names();
    CHECK_THAT(list, Contains("names, ") && Contains(" and exports with other tags"));
    const std::string expected = "A cluster does not answer " + list;
    CHECK(sentence_of(read_file(kRoot / "samples/manual/cluster.md")) == expected);
    CHECK(sentence_of(run({"push", "--help"}).out) == expected);
}

TEST_CASE("Recipes: each does what its description says") {
    const Clone clone;
    const auto output_of = [&](const std::string& line) {
        const Outcome outcome = clone.run("samples/recipes/" + line);
        INFO(line << ": " << outcome.err);
        CHECK(outcome.status == 0);
        return outcome.out;
    };
    SECTION("prepare.sh: a player by colour") {
        const std::string out = output_of("prepare.sh my.db carlsen white");
        CHECK_THAT(out, Contains("carlsen-white.html"));
        CHECK_THAT(read_file(clone / "carlsen-white.html"), Contains("<h1>Carlsen,M with White"));
        CHECK_THAT(read_file(clone / "carlsen-white.pgn"), Contains("[White \"Carlsen,M\"]"));
        CHECK(clone.run("samples/recipes/prepare.sh my.db carlsen").status == 2);
    }
    SECTION("claims.sh: missed claims") {
        const std::string out = output_of("claims.sh my.db levenfish");
        CHECK_THAT(out, Contains("threefold repetition\ngame_id"));
        CHECK_THAT(out, Contains("fifty moves\nnone"));
        CHECK(clone.run("samples/recipes/claims.sh no.db").status == 2);
    }
    SECTION("player.sh: what a player has done") {
        const std::string out = output_of("player.sh my.db 'Carlsen,M' aronian");
        CHECK_THAT(out, Contains("Carlsen,M: 11 games") && Contains("Openings since 2000\neco") &&
                            Contains("Against aronian\nCarlsen,M") && Contains("game_id"));
        CHECK(clone.run("samples/recipes/player.sh my.db").status == 2);
    }
    SECTION("novelty.sh: what is new, and the games with comments") {
        const std::string games = "samples/marx-gyorgy-2006.pgn";
        CHECK_THAT(output_of("novelty.sh my.db " + games + " 2"),
                   Contains("3 games: Almasi,Z - Wang Yue: Nc6 instead of e6 (2), d6 (1)\n"));
        CHECK_THAT(read_file(clone / "marx-gyorgy-2006-annotated.pgn"),
                   Contains("$146") && Contains("{Last known position: 3 games, most recently"));
        CHECK(output_of("novelty.sh my.db " + games + " 1000") == "");
        CHECK(clone.run("samples/recipes/novelty.sh my.db").status == 2);
        CHECK(clone.run("samples/recipes/novelty.sh my.db none.pgn").status == 2);
    }
    SECTION("book.sh: a book with evaluations") {
        const std::string command = std::string("book.sh my.db ") + FENDEX_FAKE_ENGINE + " 5";
        CHECK_THAT(output_of(command), Contains("  eval"));
        CHECK(fs::file_size(clone / "book.bin") > 0);
        CHECK_THAT(read_file(clone / "book.epd"), Contains(" ce ") && Contains(" acn 1000000;"));
        CHECK(clone.run("samples/recipes/book.sh my.db").status == 2);
    }
    SECTION("nightly.sh: a backup even if an input cannot be read, and nothing to mail otherwise") {
        const std::string nightly = "samples/recipes/nightly.sh my.db backup.db samples ";
        const Outcome quiet = clone.run(nightly);
        CHECK(quiet.status == 0);
        CHECK(quiet.out + quiet.err == "");
        CHECK(clone.run(nightly + "none.pgn").status == 2);
        CHECK(json_lines(run({"info", clone / "backup.db", "--format", "json"}).out)[0]["games"] ==
              113);
    }
    SECTION("lichess-month.sh: an archive") {
        CHECK_THAT(output_of("lichess-month.sh new.db samples/tournament.pgn.zst || exit 0"),
                   Contains("the first moves"));
        CHECK(json_lines(run({"info", clone / "new.db", "--format", "json"}).out)[0]["games"] ==
              28);
    }
}
