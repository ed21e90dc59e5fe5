#include "store/sqlite/file/connection.hpp"

#include <catch2/catch.hpp>

#include "support/failing_memory.hpp"
#include "support/process.hpp"

using namespace fendex;
using fendex::test::Allocations;

TEST_CASE("A value that SQLite has no memory to return is an error, not an empty value") {
    test::FailingMemory memory;
    store::Connection connection(":memory:", store::Connection::Mode::kCreate);
    store::Statement row(connection, "SELECT 12345, zeroblob(9), x'', NULL");
    REQUIRE(row.step());
    memory.fail(Allocations::kOfSqlite, 1);  // a number as text takes memory
    CHECK_THROWS_WITH(row.text(0), Catch::Contains("out of memory"));
    memory.heal();
    row.reset();
    REQUIRE(row.step());
    CHECK(row.text(0) == "12345");
    CHECK(row.blob(1) == std::string(9, '\0'));
    CHECK(row.blob(2).empty());
    CHECK(row.text(3).empty());
}

TEST_CASE("Only what SQLite finds malformed is damage") {
    const test::TemporaryFile path("a.db");
    {
        store::Connection connection(path, store::Connection::Mode::kCreate);
        connection.run("CREATE TABLE t(a); INSERT INTO t VALUES (1)");
        CHECK_THROWS_AS(connection.run("SELECT 1 FROM nowhere"), store::StoreError);
        try {
            connection.run("SELECT 1 FROM nowhere");
        } catch (const store::DamageError&) {
            FAIL("a missing table is no malformed file");
        } catch (const store::StoreError& error) {
            CHECK(error.kind() == store::StoreError::kOther);
        }
    }
    std::string bytes = test::read_file(path);
    bytes[4096] = '\x7F';  // the kind of page 2, the root of the table
    path.write_beside("a.db", bytes);
    store::Connection connection(path, store::Connection::Mode::kReadOnly);
    CHECK_THROWS_AS(connection.integer("SELECT a FROM t"), store::MalformedFileError);
}
