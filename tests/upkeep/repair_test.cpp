// What a repair keeps of damaged games and files.
#include <fstream>

#include "codec/annotation.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

std::string pgn_of(const std::string& path, store::GameId game) {
    std::string out;
    emit::append_pgn(*store::file_store(path)->reader(), game, out);
    return out;
}

/// Returns the reasons of errors that repairs have recorded.
std::vector<std::string> recorded(const std::string& path) {
    std::vector<std::string> out;
    store::Connection connection(path, store::Connection::Mode::kReadOnly);
    store::Statement row(connection,
                         "SELECT reason FROM import_error WHERE reason LIKE 'repair: %'");
    while (row.step()) out.emplace_back(row.text(0));
    return out;
}

constexpr std::size_t kPage = 16'384;

std::size_t root_of(const std::string& path, const std::string& table) {
    store::Connection connection(path, store::Connection::Mode::kReadOnly);
    const auto page =
        connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'");
    REQUIRE(page);
    return static_cast<std::size_t>(*page);
}

/// Overwrites the header of a page, which counts from 1.
void spoil_page(const std::string& path, std::size_t page) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>((page - 1) * kPage));
    file << std::string(64, '\x7F');
    REQUIRE(file.flush().good());
}

void check_clean(const std::string& path) {
    const upkeep::CheckReport report = checked(path);
    INFO(text_of(report.findings));
    CHECK(report.findings.empty());
}

}  // namespace

TEST_CASE("A game that is cut keeps its comments and variations up to the cut") {
    const TemporaryDirectory directory;
    const std::string pgn = directory.write(
        "a.pgn",
        "[White \"A\"]\n\n1. e4 {one} (1. d4 d5 {two}) e5 {three} 2. Nf3 Nc6 (2... d6) 3. Bb5 "
        "{four} a6 4. Ba4 {five} Nf6 1-0\n\n[White \"B\"]\n\n1. c4 {six} *\n");
    for (const bool variations : {false, true}) {
        const std::string path = directory / (variations ? "v.db" : "a.db");
        ingest::import_files(path, {pgn}, {.annotations = true, .variations = variations});
        REQUIRE(run_sql(path, "UPDATE game SET moves = substr(moves, 1, 2) WHERE id = 1"));
        CHECK(upkeep::repair_database(path, {}).cut == 1);
        check_clean(path);
        CHECK_THAT(pgn_of(path, 1), Catch::Contains("{one}") && !Catch::Contains("{five}"));
        CHECK_THAT(pgn_of(path, 2), Catch::Contains("{six}"));
        const std::vector<std::string> errors = recorded(path);
        REQUIRE(errors.size() == 2);
        CHECK_THAT(errors[1], Catch::Contains("comments, NAGs and variations after this ply"));
    }
}

TEST_CASE("A check finds an annotation that has more moves than its game") {
    const TemporaryFile path("a.db");
    ingest::import_files(path, {path.write_beside("a.pgn", "1. e4 {one} e5 *\n")},
                         {.annotations = true});
    codec::AnnotationStreamWriter stream;
    for (int ply = 0; ply < 3; ++ply) stream.move();
    stream.comment("two");
    std::string text;
    stream.append_to(text);
    codec::TextPacker packer{std::string_view()};
    std::string packed;
    store::pack_annotation(1, text, 0, packer, packed);
    {
        store::Connection connection(path, store::Connection::Mode::kReadWrite);
        store::Statement update(connection, "UPDATE annotation SET data = ?1");
        update.bind(1, store::Blob{packed});
        update.run();
    }
    CHECK_THAT(text_of(checked(path).findings),
               Catch::Contains("the annotation has more moves than the game"));
    upkeep::repair_database(path, {});
    CHECK(text_of(checked(path).findings).empty());
}

TEST_CASE("A malformed page of computed data is repaired without loss") {
    const std::string answers = answers_of(Damaged::intact());
    const Damaged damaged;
    for (const char* const table : {"block", "block_key", "ply", "fact"}) {
        INFO(table);
        damaged.restore();
        spoil_page(damaged.path(), root_of(damaged.path(), table));
        const upkeep::RepairReport report = upkeep::repair_database(damaged.path(), {});
        CHECK(report.malformed);
        CHECK(report.unreadable == 0);
        check_clean(damaged.path());
        CHECK(answers_of(damaged.path()) == answers);
        CHECK(recorded(damaged.path()).empty());
    }
}

TEST_CASE("A repair succeeds if a name was changed to another existing name") {
    const Damaged damaged;
    std::string bytes = read_file(damaged.path());
    const std::size_t page = (root_of(damaged.path(), "player") - 1) * kPage;
    const std::size_t name = bytes.find("M1", page);
    REQUIRE(name < page + kPage);
    bytes[name + 1] = '0';
    std::ofstream(damaged.path(), std::ios::binary | std::ios::trunc) << bytes;
    CHECK(upkeep::repair_database(damaged.path(), {}).unreadable == 1);
    check_clean(damaged.path());
    CHECK_THAT(pgn_of(damaged.path(), 2), Catch::Contains("(lost player"));
    const std::vector<std::string> errors = recorded(damaged.path());
    CHECK_THAT(errors.at(0), Catch::Contains("of table player could not be read"));
}

TEST_CASE("Rows that cannot be read are recorded, and the others stay") {
    const TemporaryFile path("a.db");
    ingest::import_files(path, {path.write_beside("a.pgn", archive_with_everything(900))},
                         {.ply_rows = ingest::PlyRowChoice::kNo});
    const std::string before = pgn_of(path, 1);
    // The root of the table names the pages of rows; the last one is in bytes 8 to 11.
    const std::string bytes = read_file(path);
    const std::size_t root = (root_of(path, "game") - 1) * kPage;
    REQUIRE(bytes[root] == 5);
    const auto byte = [&](std::size_t at) {
        return std::size_t{static_cast<unsigned char>(bytes[root + at])};
    };
    spoil_page(path, byte(8) << 24 | byte(9) << 16 | byte(10) << 8 | byte(11));

    const upkeep::RepairReport report = upkeep::repair_database(path, {});
    CHECK(report.malformed);
    CHECK(report.unreadable == 1);
    CHECK(report.games > 100);
    CHECK(report.games < 905);
    check_clean(path);
    CHECK(pgn_of(path, 1) == before);
    const std::vector<std::string> errors = recorded(path);
    CAPTURE(errors);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0] == "repair: the file was malformed: games " + std::to_string(report.games + 1) +
                           " to 905 could not be read");
    // A second repair has nothing to do.
    CHECK_FALSE(upkeep::repair_database(path, {}).malformed);
    CHECK(recorded(path).size() == 1);
}

TEST_CASE("Rows whose bytes are zeros are not overlooked") {
    const TemporaryFile path("a.db");
    ingest::import_files(path, {path.write_beside("a.pgn", "1. e4 e5 *\n\n1. d4 d5 *\n")}, {});
    std::string bytes = read_file(path);
    const std::size_t page = (root_of(path, "game") - 1) * kPage;
    REQUIRE(bytes[page] == 13);
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page + kPage / 2), kPage / 2, '\0');
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    CHECK_THROWS_WITH(upkeep::repair_database(path, {}), Catch::Contains("no game can be read"));
    CHECK((read_file(path) == bytes));
}

TEST_CASE("Errors are recorded even if no source is left") {
    const Damaged damaged;
    damaged.sql(
        "UPDATE player SET name = 'x' WHERE id = 3; UPDATE game SET date = 19990101 WHERE"
        " id = 2");
    spoil_page(damaged.path(), root_of(damaged.path(), "source"));
    const upkeep::RepairReport report = upkeep::repair_database(damaged.path(), {});
    CHECK(report.unreadable == 1);
    CHECK(report.doubts.size() == 3);  // names, source and the game
    CHECK(recorded(damaged.path()).size() >= 4);
    check_clean(damaged.path());
}

TEST_CASE("A malformed file with a table of another program is not rewritten") {
    const Damaged damaged;
    damaged.sql("CREATE TABLE mine(a); CREATE INDEX by_white ON game(white)");
    spoil_page(damaged.path(), root_of(damaged.path(), "block"));
    const std::string before = read_file(damaged.path());
    CHECK_THROWS_WITH(upkeep::repair_database(damaged.path(), {}),
                      Catch::Contains("'mine' of another program"));
    CHECK((read_file(damaged.path()) == before));
    damaged.sql("DROP TABLE mine");
    CHECK(upkeep::repair_database(damaged.path(), {}).malformed);
    CHECK(root_of(damaged.path(), "by_white") > 1);
    check_clean(damaged.path());
}
