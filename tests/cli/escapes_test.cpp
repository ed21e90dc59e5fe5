// Escape sequences and formulas in tags and file names have no effect on terminals and
// spreadsheets, with any verb. PGN and JSON keep the data.
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kRed = "\x1b[31m";
const std::string kC1 = "\u009b31m";
const std::string kTurned = "\u202Egnp";

/// Returns whether the text has only printable characters and line ends.
bool is_harmless(const std::string& text) {
    for (const char* const bad : {"\x1b", "\x7f", "\a", "\r\x1b", "\u009b", "\u202E", "\u2066"}) {
        if (text.find(bad) != std::string::npos) return false;
    }
    return true;
}

class Hostile {
  public:
    Hostile() : path_(directory_ / "my.db"), archive_("a" + kRed + kTurned + ".pgn") {
        std::string games;
        for (int i = 0; i < 3; ++i) {
            games +=
                "[Event \"" + kRed + "Event\"]\n[Site \"" + kC1 + "\"]\n[Date \"2001.01.0" +
                std::to_string(i + 1) + "\"]\n[White \"=cmd" + kRed + "\"]\n[Black \"" + kTurned +
                "\a\x7f\"]\n[Round \"" + kRed + "\"]\n[ECO \"" + kRed + "\"]\n[WhiteElo \"" + kRed +
                "\"]\n\n1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 5.Nf3 " + kRed + kC1 + "xx 1-0\n\n";
        }
        directory_.write(archive_, games);
        const Outcome import = run({"import", path_, directory_ / archive_});
        REQUIRE(import.status == 0);
        CHECK(is_harmless(import.out + import.err));
    }
    const std::string& path() const { return path_; }
    const TemporaryDirectory& directory() const { return directory_; }
    const std::string& archive() const { return archive_; }

  private:
    TemporaryDirectory directory_;
    std::string path_;
    std::string archive_;
};

}  // namespace

TEST_CASE("Tags that would command a terminal are shown escaped by every verb") {
    const Hostile hostile;
    const std::string& db = hostile.path();
    const std::vector<Words> questions{
        {"games", db},
        {"find", db, kStart},
        {"find", db, "--pattern", "*/*/*/*/*/?????N*/*/*"},
        {"tree", db},
        {"repeats", db},
        {"repeats", db, "--summary"},
        {"show", db, "1"},
        {"show", db, "1", "--board"},
        {"show", db, "1", "--plies"},
        {"errors", db},
        {"info", db},
        {"sql", db, "SELECT * FROM games"},
        {"sql", db, "SELECT path, size FROM source"},
        {"sql", db, "SELECT white AS \"" + kRed + "\" FROM games"},
    };
    for (const Words& question : questions) {
        CAPTURE(question);
        const Outcome table = run(question);
        CHECK(table.status == 0);
        CHECK(is_harmless(table.out + table.err));
        if (question[0] == "info" || question.back() == "--board") continue;
        for (const char* const format : {"json", "csv"}) {
            Words words = question;
            words.insert(words.end(), {"--format", format});
            if (question[0] == "show" && question.back() != "--plies") continue;
            const Outcome rows = run(words);
            CAPTURE(format);
            CHECK(is_harmless(rows.out + rows.err));
            if (*format == 'j') json_lines(rows.out);
        }
    }
    CHECK_THAT(run({"games", db}).out,
               Contains("=cmd\\x1b[31m") && Contains("\\u202egnp\\x07\\x7f"));
    CHECK_THAT(run({"errors", db}).out, Contains("a\\x1b[31m\\u202e"));
    for (const Words& wrong :
         {Words{"games", db, "--source", kRed}, Words{"show", db, kRed}, Words{"info", kRed},
          Words{"sql", db, "SELECT " + kRed}, Words{"games", db, "--sort", kTurned},
          Words{"import", hostile.directory() / "other.db", kRed},
          Words{"find", db, kRed + "/8/8 w - -"}, Words{"show", hostile.archive(), "1"}}) {
        CAPTURE(wrong);
        const Outcome refused = run(wrong);
        CHECK(refused.status == 2);
        CHECK(is_harmless(refused.out + refused.err));
    }
    // A file that cannot be read to its end.
    const std::string cut = hostile.directory().write("cut" + kRed + ".pgn.gz", "\x1f\x8b\x08");
    const Outcome failed = run({"import", hostile.directory() / "cut.db", cut});
    CHECK(failed.status == 2);
    CHECK(is_harmless(failed.out + failed.err));
    CHECK_THAT(failed.err, Contains("cut\\x1b[31m.pgn.gz"));
}

TEST_CASE("PGN and JSON have the original tags") {
    const Hostile hostile;
    const std::string& db = hostile.path();
    const std::string white = "=cmd" + kRed;
    for (const Words& words : {Words{"export", db}, Words{"show", db, "1", "--format", "pgn"},
                               Words{"games", db, "--format", "pgn"}}) {
        CAPTURE(words);
        CHECK_THAT(run(words).out, Contains("[White \"" + white + "\"]") &&
                                       Contains("[Black \"" + kTurned + "\a\x7f\"]"));
    }
    const auto games = json_lines(run({"games", db, "--format", "json"}).out);
    CHECK(games.at(0)["white"] == white);
    CHECK(games.at(0)["site"] == kC1);
    CHECK(games.at(0)["black"] == kTurned + "\a\x7f");
}

TEST_CASE("On a terminal, PGN is shown escaped by every verb") {
    const Hostile hostile;
    const std::string& db = hostile.path();
    const ProcessOptions terminal{.terminal = 80};
    const std::string game = hostile.directory().write(
        "game.pgn", "[White \"a" + kRed + kC1 + "\"]\n\n1.Nf3 Nf6 2.Nc3 *\n");
    for (const Words& words :
         {Words{"export", db}, Words{"export", db, "-o", "/dev/stdout"},
          Words{"show", db, "1", "--format", "pgn"}, Words{"games", db, "--format", "pgn"},
          Words{"find", db, kStart, "--format", "pgn"}, Words{"errors", db, "--format", "pgn"},
          Words{"novelty", db, game, "--annotate"}}) {
        CAPTURE(words);
        const Outcome shown = run(words, terminal);
        CHECK(shown.status == 0);
        CHECK(is_harmless(shown.out));
        CHECK_THAT(shown.out, Contains("\\x1b[31m"));
    }
    CHECK_THAT(run({"export", db, "--format", "csv"}, terminal).out, !Contains("\\x0d"));
}

TEST_CASE("A value that spreadsheets would take for a formula is text in every CSV") {
    const Hostile hostile;
    const std::string& db = hostile.path();
    for (const Words& words :
         {Words{"games", db, "--format", "csv"}, Words{"find", db, kStart, "--format", "csv"},
          Words{"repeats", db, "--format", "csv"}, Words{"export", db, "--format", "csv"},
          Words{"sql", db, "SELECT 1, white FROM games", "--format", "csv"}}) {
        CAPTURE(words);
        const std::string csv = run(words).out;
        CHECK_THAT(csv, Contains(",'=cmd"));
        CHECK_THAT(csv, !Contains(",=cmd"));
    }
    CHECK(run({"sql", db, "SELECT -3 a, -0.5 b, '-3' c, '1-0' d, '-' e", "--format", "csv"}).out ==
          "a,b,c,d,e\r\n-3,-0.5,'-3,1-0,-\r\n");
}
