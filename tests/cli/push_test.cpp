// fendex push on the command line, as far as no server is needed (tests/clickhouse has the rest).
#include <catch2/catch.hpp>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;

const std::string kNowhere = "clickhouse://127.0.0.1:1/chess";  // no server has this port

}  // namespace

TEST_CASE("push says what its two arguments should be") {
    const std::string& db = samples_database();
    check_refused(run({"push", db}), {"push where?", "clickhouse://"});
    check_refused(run({"push", db, kNowhere, "more"}), {"push where?"});
    check_refused(run({"push", kNowhere, db}), {"the database comes first"});
    check_refused(run({"push", db, "http://127.0.0.1/chess"}), {"is not a URL of ClickHouse"});
    check_refused(run({"push", db, "clickhouse://127.0.0.1:1"}), {"database"});
    check_refused(run({"push", db, "clickhouse://me:secret@127.0.0.1:1/chess"}),
                  {"--password-file"});
}

TEST_CASE("push gives one clear error if the file is not a database or no server answers") {
    const TemporaryDirectory directory;
    check_refused(run({"push", directory / "none.db", kNowhere}), {"no such database"});
    check_refused(run({"push", directory.write("a.txt", "not a database"), kNowhere}), {"a.txt"});
    for (const char* const option : {"--quiet", "--check", "--replace"}) {
        check_refused(run({"push", samples_database(), kNowhere, option}), {"127.0.0.1:1"});
    }
    check_refused(
        run({"push", samples_database(), kNowhere, "--password-file", directory / "no-password"}),
        {"no-password"});
}
