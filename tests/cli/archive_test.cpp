// Import of .zip and .7z archives, as the program says it.
#include "cli/fixture.hpp"
#include "pgn/zip_fixtures.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using fendex::pgn::test::zip_archive;

const std::string kArchives = FENDEX_TEST_DATA "/archives";

}  // namespace

TEST_CASE("import of an archive: its files are sources, and files left out are reported") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string zip = kArchives + "/games.zip";
    const Outcome imported = run({"import", db, zip, "--format", "json"});
    CHECK(imported.status == 0);
    CHECK_THAT(imported.err,
               Contains("games.zip: 1 file in it is not named .pgn and was left out (readme.txt)"));
    CHECK(json_lines(imported.out).at(0)["notices"].size() == 1);
    Words paths;
    for (const Json& source : json_lines(run({"info", db, "--sources", "--format", "json"}).out)) {
        paths.push_back(source["source"].get<std::string>());
    }
    CHECK(paths == Words{zip + "/second.pgn", zip + "/first.pgn", zip + "/more/Börse.pgn"});
    CHECK(json_lines(run({"games", db, "--source", "first.pgn", "--format", "json"}).out).size() ==
          2);
    CHECK_THAT(run({"import", db, zip}).err, Contains("inputs imported before: 3"));
}

TEST_CASE(
    "import of an archive that cannot be read ends with status 2, and a line says what to do") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    Outcome refused = run({"import", db, kArchives + "/encrypted.7z"});
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, Contains("encrypted.7z/first.pgn: is encrypted; unpack"));
    refused = run({"import", db, "-"}, read_file(kArchives + "/games.zip"));
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, Contains("standard input: is a zip archive") &&
                                Contains("unzip -p FILE | fendex import DB -"));
}

TEST_CASE("import of an archive without libarchive names the package") {
    const TemporaryDirectory directory;
    directory.write("libarchive.so.13", "not a library");
    const ProcessOptions options{.environment = {"LD_LIBRARY_PATH=" + directory.path()}};
    const Outcome refused = run({"import", directory / "my.db", kArchives + "/games.zip"}, options);
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, Contains("games.zip: .zip and .7z archives need libarchive.so.13") &&
                                Contains("install the package libarchive13"));
}

TEST_CASE("import of an archive: control characters in names are escaped") {
    const TemporaryFile db("my.db");
    const std::string zip = db.write_beside(
        "a.zip", zip_archive({{"../\x1b[31m.pgn", small_game(1)}, {"\x1b[32m.txt", "x"}}));
    const Outcome imported = run({"import", db, zip});
    CHECK(imported.status == 0);
    CHECK_THAT(imported.err, Contains("\\x1b[32m.txt") && !Contains("\x1b"));
    CHECK_THAT(run({"info", db, "--sources"}).out, Contains("../\\x1b[31"));
}
