// fendex errors: lists what could not be read.
#include "cli/fixture.hpp"
#include "store/broken_game.hpp"
#include "store/sqlite/file/connection.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kBroken = "[White \"A\"]\n\n1.e4 e5 2.Ke3 Nf6 1-0\n\n";

/// Two sources with an error in the second game of the first and in the first game of the second.
class Broken {
  public:
    Broken() : path_(directory_ / "my.db") {
        directory_.write("one.pgn", "1.d4 d5 *\n\n" + kBroken);
        directory_.write("two.pgn", "[White \"B\"]\n\n1.e4 Nf3x1 *\n\n1.c4 *\n");
        const Outcome import =
            run({"import", path_, directory_ / "one.pgn", directory_ / "two.pgn"});
        REQUIRE(import.status == 0);
        REQUIRE_THAT(import.err, Contains("5 games") || Contains("4 games"));
    }
    const std::string& path() const { return path_; }
    const TemporaryDirectory& directory() const { return directory_; }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

}  // namespace

TEST_CASE("errors lists file, byte, line, game, ply, reason and text of what could not be read") {
    const Broken broken;
    const auto rows = json_lines(run({"errors", broken.path(), "--format", "json"}).out);
    REQUIRE(rows.size() == 2);
    CHECK(members(rows[0]) ==
          Words{"source", "byte", "line", "game_id", "ply", "reason", "text", "severity"});
    CHECK(rows[0]["severity"] == "error");
    CHECK(rows[0]["source"] == broken.directory() / "one.pgn");
    CHECK(rows[0]["game_id"] == 2);
    CHECK(rows[0]["line"] == 5);
    CHECK(rows[0]["ply"] == 2);
    CHECK(rows[0]["text"] == "Ke3");
    const std::string one = read_file(broken.directory() / "one.pgn");
    CHECK(one.substr(rows[0]["byte"].get<std::size_t>(), 3) == "Ke3");
    CHECK(rows[1]["game_id"] == 3);
    CHECK(rows[1]["ply"] == 1);

    const Outcome table = run({"errors", broken.path()});
    CHECK(table.status == 0);
    CHECK_THAT(table.out, Contains("Ke3") && Contains("Nf3x1"));
    CHECK_THAT(run({"errors", broken.path(), "--limit", "1"}).out,
               Contains("Ke3") && !Contains("Nf3x1") && Contains("and 1 more error ("));
    const Outcome csv = run({"errors", broken.path(), "--format", "csv", "--offset", "1"});
    CHECK_THAT(csv.out, Catch::Matchers::StartsWith(
                            "source,byte,line,game_id,ply,reason,text,severity\r\n"));
    CHECK(lines_of(csv.out).size() == 2);
}

TEST_CASE("errors --source lists the errors of one file") {
    const Broken broken;
    for (const std::string& name :
         {std::string("two.pgn"), std::string("2"), broken.directory() / "two.pgn"}) {
        const auto rows =
            json_lines(run({"errors", broken.path(), "--format", "json", "--source", name}).out);
        REQUIRE(rows.size() == 1);
        CHECK(rows[0]["text"] == "Nf3x1");
    }
    check_refused(run({"errors", broken.path(), "--source", "three.pgn"}),
                  {"three.pgn", "one.pgn, two.pgn"});
}

TEST_CASE("errors of a database without errors finds nothing, with status 1") {
    const Outcome none = run({"errors", samples_database()});
    CHECK(none.status == 1);
    CHECK(none.out.empty());
    CHECK(none.err.empty());
}

TEST_CASE(
    "errors --format pgn writes broken games as they were, each after a line with the reason") {
    const Broken broken;
    {
        fendex::store::Connection connection(broken.path(),
                                             fendex::store::Connection::Mode::kReadWrite);
        fendex::store::Statement set(connection,
                                     "UPDATE import_error SET pgn = ?1 WHERE game_id = 2");
        const std::string packed = fendex::store::pack_broken_game(kBroken);
        set.bind(1, fendex::store::Blob{packed});
        set.run();
    }
    const Outcome pgn = run({"errors", broken.path(), "--format", "pgn", "--source", "one.pgn"});
    CHECK(pgn.status == 0);
    const std::string first = lines_of(pgn.out).at(0);
    CHECK_THAT(first,
               Catch::Matchers::StartsWith("% " + broken.directory().path() +
                                           "/one.pgn: line 5, byte 34, game 2, after ply 2"));
    CHECK_THAT(first, Contains("Ke3"));
    CHECK(pgn.out == first + "\n" + kBroken + "\n");
    // After a repair it can be imported.
    std::string repaired = pgn.out;
    repaired.replace(repaired.rfind("Ke3"), 3, "Nf3");
    const Outcome import = run({"import", broken.directory() / "repaired.db", "-"}, repaired);
    CHECK_THAT(import.err, Contains("1 game, 4 plies, 0 errors"));
}

TEST_CASE("errors --format pgn: a stored text that is damaged or too long is an error") {
    const Broken broken;
    const auto store = [&](const std::string& sql) {
        fendex::store::Connection connection(broken.path(),
                                             fendex::store::Connection::Mode::kReadWrite);
        connection.run(sql);
    };
    // Not zstd; a frame that is cut; one that claims 2^60 bytes.
    for (const char* const blob :
         {"x'00'", "x''", "x'28B52FFD2005'", "x'28B52FFDE0000000000000001001000068'"}) {
        CAPTURE(blob);
        store(std::string("UPDATE import_error SET pgn = ") + blob);
        check_refused(run({"errors", broken.path(), "--format", "pgn"}), {"damaged"});
        CHECK(run({"errors", broken.path()}).status == 0);
    }
}
