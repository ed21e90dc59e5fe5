// Import of .zip and .7z archives: each file in them is a source of its own, with its own place to
// continue from and its own damage.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "ingest/numbered_games.hpp"
#include "pgn/inputs.hpp"
#include "pgn/zip_fixtures.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Contains;
using ingest::ImportOptions;
using pgn::expand_inputs;
using pgn::test::zip_archive;

const std::string kArchives = FENDEX_TEST_DATA "/archives";

std::vector<std::string> sources(const Imported& imported) {
    return imported.rows("SELECT path FROM source ORDER BY id");
}

std::vector<std::string> numbered(unsigned first, unsigned last) {
    std::vector<std::string> names;
    for (unsigned i = first; i <= last; ++i) names.push_back(event_of(i));
    return names;
}

}  // namespace

TEST_CASE("Each file of an archive is a source, and their games follow each other") {
    for (const std::string kind : {"/games.zip", "/games.7z"}) {
        const std::string path = kArchives + kind;
        const std::vector<std::string> inputs = expand_inputs({path});
        Imported imported(inputs);
        CHECK(imported.summary().failures.empty());
        CHECK(imported.summary().games == 6);
        CHECK(sources(imported) == inputs);
        CHECK(events(imported) ==
              (kind == "/games.zip"
                   ? std::vector<std::string>{"second 1", "second 2", "second 3", "first 1",
                                              "first 2", "third 1"}
                   : std::vector<std::string>{"first 1", "first 2", "third 1", "second 1",
                                              "second 2", "second 3"}));
        check_whole(imported);
        CHECK(imported.again(inputs).known_sources == 3);
        CHECK(imported.info().games == 6);
        // The same texts in the other archive are known, too.
        const std::string other = kind == "/games.zip" ? "/games.7z" : "/games.zip";
        CHECK(imported.again(expand_inputs({kArchives + other})).known_sources == 3);
        CHECK(imported.info().games == 6);
    }
}

TEST_CASE("An archive that has grown gives its new games only") {
    const TemporaryDirectory directory;
    const std::string path = directory.write(
        "a.zip",
        zip_archive({{"a.pgn", numbered_games(1, 50)}, {"b.pgn", numbered_games(101, 150)}}));
    Imported imported(expand_inputs({path}));
    directory.write("a.zip", zip_archive({{"a.pgn", numbered_games(1, 60)},
                                          {"b.pgn", numbered_games(101, 150)},
                                          {"c.pgn", numbered_games(201, 210)}}));
    CHECK(imported.again(expand_inputs({path})).games == 20);
    CHECK(imported.summary().known_sources == 1);
    std::vector<std::string> expected = numbered(1, 50);
    for (const auto& [first, last] : {std::pair(101U, 150U), {51U, 60U}, {201U, 210U}}) {
        const std::vector<std::string> more = numbered(first, last);
        expected.insert(expected.end(), more.begin(), more.end());
    }
    CHECK(events(imported) == expected);
    check_whole(imported);
}

TEST_CASE("An import that was killed inside an archive continues in the same file of it") {
    const TemporaryDirectory directory;
    const std::string path =
        directory.write("a.zip", zip_archive({{"a.pgn", numbered_games(1, 1000)},
                                              {"b.pgn", numbered_games(1001, 2000)},
                                              {"c.pgn", numbered_games(2001, 2500), true}}));
    const std::vector<std::string> inputs = expand_inputs({path});
    for (const unsigned batches : {2U, 3U, 4U}) {
        CAPTURE(batches);
        Imported imported;
        REQUIRE(
            killed_after(batches, [&](const auto& options) { imported.again(inputs, options); }));
        CHECK(imported.again(inputs, small_parts()).games < 2500);
        check_once(imported, 2500);
        CHECK(sources(imported) == inputs);
    }
}

TEST_CASE("Games of a file with a wrong checksum are retracted until the file is whole") {
    const TemporaryDirectory directory;
    const std::string before = numbered_games(1, 200);
    const std::string wrong = numbered_games(201, 1200);
    const std::string after = numbered_games(1201, 1400);
    const std::string whole =
        zip_archive({{"a.pgn", before, true}, {"b.pgn", wrong, true}, {"c.pgn", after}});
    // Another move, which only the checksum shows.
    std::string damaged = whole;
    damaged[damaged.find("2. d4", before.size() + wrong.size() / 2) + 4] = '3';
    for (const bool in_parts : {false, true}) {
        const std::string path = directory.write("a.zip", damaged);
        ImportOptions options = in_parts ? small_parts() : ImportOptions();
        if (in_parts) options.segment_postings = 2000;
        const std::vector<std::string> inputs = expand_inputs({path});
        Imported imported(inputs, options);
        REQUIRE(imported.summary().failures.size() == 1);
        CHECK_THAT(imported.summary().failures[0],
                   Contains("a.zip/b.pgn: damaged zip data") && Contains("1000 games") &&
                       Contains("removed again") && Contains("--keep-damaged"));
        std::vector<std::string> kept = numbered(1, 200);
        const std::vector<std::string> last = numbered(1201, 1400);
        kept.insert(kept.end(), last.begin(), last.end());
        CHECK(events(imported) == kept);
        check_whole(imported);
        CHECK(imported.again(inputs, options).failures.size() == 1);
        CHECK(events(imported) == kept);

        directory.write("a.zip", whole);
        CHECK(imported.again(inputs, options).failures.empty());
        std::vector<std::string> all = events(imported);
        CHECK(imported.info().errors == errors_of_numbered(1400));
        check_whole(imported);
        std::sort(all.begin(), all.end());
        CHECK(all == numbered(1, 1400));
    }
}

TEST_CASE("Each unreadable file of an archive is a failure, and the others are imported") {
    const TemporaryDirectory directory;
    const std::string inner = zip_archive({{"a.pgn", numbered_games(1, 5)}});
    const std::string path = directory.write(
        "a.zip", zip_archive({{"a.pgn", inner}, {"b.pgn", numbered_games(1, 10)}, {"c.7z", "?"}}));
    Imported imported(expand_inputs({path, kArchives + "/encrypted.zip"}));
    const std::vector<std::string>& failures = imported.summary().failures;
    REQUIRE(failures.size() == 3);
    CHECK_THAT(failures[0], Contains("a.zip/a.pgn: is a zip archive inside an archive"));
    CHECK_THAT(failures[1], Contains("a.zip: holds 1 archive"));
    CHECK_THAT(failures[2], Contains("encrypted.zip/first.pgn: is encrypted"));
    CHECK(events(imported) == numbered(1, 10));
    check_whole(imported);
}

TEST_CASE("Games of an archive that is cut off stay, and the rest follows when it is whole") {
    const TemporaryDirectory directory;
    const std::string bytes = zip_archive(
        {{"a.pgn", numbered_games(1, 500)}, {"b.pgn", numbered_games(501, 1000), true}});
    const std::string path = directory.write("a.zip", bytes.substr(0, bytes.size() * 2 / 3));
    Imported imported(expand_inputs({path}), small_parts());
    CHECK_THAT(imported.summary().failures.at(0), Contains("a.zip/b.pgn") && Contains("cut off"));
    CHECK(imported.info().games > 600);
    directory.write("a.zip", bytes);
    CHECK(imported.again(expand_inputs({path}), small_parts()).failures.empty());
    CHECK(events(imported) == numbered(1, 1000));
    check_whole(imported);
}

TEST_CASE("A decompression bomb is refused after its first bytes") {
    const TemporaryDirectory directory;
    // 10 GiB, which need ZIP64.
    const auto bomb = [](char c) {
        return pgn::test::ZipFile{"bomb.pgn", std::string(1 << 20, c), false, 10 * 1024 - 1};
    };
    for (const char c : {'\0', ' ', 'x'}) {
        CAPTURE(c);
        const std::string path =
            directory.write("a.zip", zip_archive({bomb(c), {"b.pgn", numbered_games(1, 10)}}));
        Imported imported(expand_inputs({path}));
        REQUIRE(imported.summary().failures.size() == 1);
        CHECK_THAT(imported.summary().failures[0], Contains("bomb.pgn: is not PGN"));
        CHECK(events(imported) == numbered(1, 10));
    }
}

TEST_CASE("An archive of a thousand small files is read in one pass") {
    const TemporaryDirectory directory;
    std::vector<pgn::test::ZipFile> files;
    for (unsigned i = 1; i <= 1000; ++i) {
        files.push_back({std::to_string(i) + ".pgn", numbered_games(i, i)});
    }
    const std::vector<std::string> inputs =
        expand_inputs({directory.write("a.zip", zip_archive(files))});
    Imported imported(inputs);
    check_once(imported, 1000);
    CHECK(sources(imported) == inputs);
    CHECK(imported.again(inputs).known_sources == 1000);
}

TEST_CASE("The uncompressed size of an archive's files decides whether ply rows are stored") {
    const TemporaryDirectory directory;
    const std::string large = "[Event \"1\"]\n\n1. e4 1-0\n\n" + std::string(17 << 20, ' ');
    const std::string path = directory.write(
        "a.zip", zip_archive({{"small.pgn", numbered_games(1, 2)}, {"large.pgn", large}}));
    CHECK(ingest::expected_text({path + "/small.pgn"}) == numbered_games(1, 2).size());
    CHECK(ingest::expected_text(expand_inputs({path})) > ingest::kPlyRowsUpTo);
}

TEST_CASE("Zeros that a broken transfer leaves in an archive become no games") {
    const TemporaryDirectory directory;
    const std::string bytes = zip_archive({{"a.pgn", numbered_games(1, 2000)}});
    for (std::size_t cut = 500; cut < bytes.size(); cut += bytes.size() / 3) {
        CAPTURE(cut);
        const std::string path = directory.write(
            "a.zip", bytes.substr(0, cut) + std::string(bytes.size() - cut + 1000, '\0'));
        Imported imported(expand_inputs({path}));
        CHECK_FALSE(imported.summary().failures.empty());
        // Each is one of the original games; the last may be cut off, which its error says.
        std::vector<std::string> found = events(imported);
        if (!found.empty()) found.pop_back();
        CHECK(found == numbered(1, static_cast<unsigned>(found.size())));
        check_whole(imported);
        directory.write("a.zip", bytes);
        CHECK(imported.again(expand_inputs({path})).failures.empty());
        CHECK(events(imported) == numbered(1, 2000));
        check_whole(imported);
    }
}

TEST_CASE("The error of an unreadable archive is removed when it can be read") {
    const TemporaryDirectory directory;
    const std::string bytes = read_file(kArchives + "/games.7z");
    const std::string path = directory.write("a.7z", bytes.substr(0, bytes.size() - 10));
    Imported imported(expand_inputs({path}));
    CHECK_THAT(imported.summary().failures.at(0), Contains("a.7z: the 7z archive is cut off"));
    CHECK(imported.info().errors == 1);
    CHECK(imported.again(expand_inputs({path})).failures.size() == 1);
    CHECK(imported.info().errors == 1);
    directory.write("a.7z", bytes);
    CHECK(imported.again(expand_inputs({path})).failures.empty());
    CHECK(imported.info().errors == 0);
    CHECK(imported.info().games == 6);
    check_whole(imported);
}
