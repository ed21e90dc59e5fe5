// fendex.so in other programs: Debian's sqlite3 shell and Python.
#include "sqlite_ext/fixture.hpp"
#include "support/sanitizers.hpp"
#include "support/skip.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

/// Without ".so", which SQLite adds.
const std::string kExtension =
    std::string(FENDEX_EXTENSION).substr(0, std::string(FENDEX_EXTENSION).rfind('.'));

/// Debian's Python can load extensions; others are often built without that.
std::string python() {
    const std::string debian = find_program("/usr/bin/python3");
    return debian.empty() ? "python3" : debian;
}

/// The library of a sanitizer would have to be loaded before the program.
bool skip_unless_loadable() {
    if (kSanitized) skip("fendex.so is not loaded into other programs by a sanitizer's build");
    return kSanitized;
}

}  // namespace

TEST_CASE("fendex.so neither contains SQLite nor links it") {
    if (skip_without("nm")) return;
    const Outcome symbols = run_process({"nm", "-D", FENDEX_EXTENSION});
    REQUIRE(symbols.status == 0);
    std::size_t entries = 0;
    for (const std::string& line : lines_of(symbols.out)) {
        if (line.find("sqlite3_") == std::string::npos) continue;
        INFO(line);
        CHECK(line.find(" T sqlite3_fendex_init") != std::string::npos);
        ++entries;
    }
    CHECK(entries == 1);
}

TEST_CASE("the sqlite3 shell loads fendex.so") {
    if (skip_unless_loadable()) return;
    const auto shell = [](const std::vector<std::string>& commands, const std::string& database) {
        std::vector<std::string> words{"sqlite3", "-readonly", "-cmd", ".load " + kExtension,
                                       database};
        words.insert(words.end(), commands.begin(), commands.end());
        return run_process(words);
    };
    Sql stored(database_with_rows());
    const Outcome rows =
        shell({"SELECT * FROM ply ORDER BY game_id, ply"}, database_without_rows());
    INFO(rows.err);
    CHECK(rows.status == 0);
    std::string expected;
    for (const std::string& row : stored.rows("SELECT game_id, ply, ifnull(san, ''), ifnull(uci, "
                                              "''), key, fen, epd, occurrence FROM ply"
                                              " ORDER BY game_id, ply")) {
        expected += row + "\n";
    }
    CHECK((rows.out == expected));

    const Outcome wrong = shell({"SELECT fen_key('x')"}, ":memory:");
    CHECK(wrong.status == 1);
    CHECK_THAT(wrong.err, Contains("FEN, placement"));
}

TEST_CASE("Python's sqlite3 loads fendex.so") {
    if (skip_unless_loadable()) return;
    const std::string script = R"py(
import sqlite3, sys
db = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
if not hasattr(db, "enable_load_extension"): print("cannot load extensions"); sys.exit()
db.enable_load_extension(True)
db.load_extension(sys.argv[2])
print(db.execute("SELECT count(*), count(DISTINCT key) FROM ply").fetchall())
db.execute("SELECT load_extension(?)", (sys.argv[2],)).fetchall()
print(db.execute("SELECT san FROM ply WHERE game_id = ? AND ply = ?", (1, 1)).fetchone())
rows = db.execute("SELECT fen FROM ply")
next(rows)
db.close()
)py";
    const Outcome outcome =
        run_process({python(), "-c", script, database_without_rows(), kExtension});
    if (outcome.status == 127 || outcome.out == "cannot load extensions\n") {
        skip("a Python that loads extensions is not installed");
        return;
    }
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    Sql stored(database_with_rows());
    const std::string counts =
        stored.value("SELECT '[(' || count(*) || ', ' || count(DISTINCT key) || ')]' FROM ply");
    const std::string move =
        stored.value("SELECT '(''' || san || ''',)' FROM ply WHERE game_id = 1 AND ply = 1");
    CHECK(outcome.out == counts + "\n" + move + "\n");
}

TEST_CASE("samples/recipes/plies.py reads every ply") {
    if (skip_unless_loadable()) return;
    const Outcome outcome =
        run_process({python(), std::string(FENDEX_SAMPLES) + "/recipes/plies.py",
                     database_without_rows(), kExtension});
    if (outcome.status == 127 || outcome.err.find("cannot load extensions") != std::string::npos) {
        skip("a Python that loads extensions is not installed");
        return;
    }
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Contains("white_percent"));
    CHECK_THAT(outcome.out, Contains("queens_gone"));
}
