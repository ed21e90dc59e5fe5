// If an archive's checksum shows that its text is wrong, the games are removed, even if they were
// committed and indexed; and the repaired archive is recognised as the same source. Games of an
// archive that is cut off are kept.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <vector>

#include "ingest/numbered_games.hpp"
#include "pgn/source_fixtures.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Contains;
using ingest::ImportOptions;

const unsigned kGames = 4000;

/// Returns text that compresses badly, so that damage is not noticed at once.
std::string text_of(unsigned first, unsigned last) {
    std::string text;
    Random random(first);
    for (unsigned i = first; i <= last; ++i) {
        text += "[Event \"" + event_of(i) + "\"]\n[Round \"" + std::to_string(random()) +
                "\"]\n\n" + (i % 100 == 7 ? "1. e4 e5 2. Ke3 *\n\n" : "1. e4 e5 2. d4 1-0\n\n");
    }
    return text;
}

std::string damaged(std::string archive, std::size_t at) {
    for (std::size_t i = at; i < std::min(at + 50, archive.size()); ++i) {
        archive[i] = static_cast<char>(archive[i] ^ static_cast<char>(0x55 + i % 40));
    }
    return archive;
}

std::string members(unsigned games_each) {
    std::string archive;
    for (unsigned first = 1; first <= kGames; first += games_each) {
        archive += pgn::test::gzip_member(text_of(first, std::min(first + games_each - 1, kGames)));
    }
    return archive;
}

ImportOptions indexed_in_parts() {
    ImportOptions options = small_parts();
    options.segment_postings = 5000;
    return options;
}

/// Checks that the games are some of the original ones, each once and in order; the tag of the last
/// may be cut off.
void check_some(std::vector<std::string> found) {
    if (!found.empty() && found.back().size() < 8) found.pop_back();
    CHECK(std::is_sorted(found.begin(), found.end()));
    CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
    CHECK((found.empty() || (found.back() <= event_of(kGames) && found.back().size() == 8)));
}

struct Archive {
    std::string name;
    std::string bytes;
    bool one_part = true;
};

std::vector<Archive> archives() {
    const std::string text = text_of(1, kGames);
    return {{"a.gz", pgn::test::gzip_member(text)},
            {"a.zst", pgn::test::zstd_frame(text)},
            {"members.gz", members(500), false},
            {"small.gz", members(30), false}};
}

}  // namespace

TEST_CASE("Games before a wrong checksum are retracted, and imported when the archive is whole",
          "[full]") {
    std::size_t round = 0;
    for (const Archive& archive : archives()) {
        const std::vector<double> places =
            test::at_size<std::vector<double>>({0.3, 0.98}, {0.01, 0.3, 0.5, 0.77, 0.98});
        for (const double place : places) {
            const auto at =
                static_cast<std::size_t>(place * static_cast<double>(archive.bytes.size()));
            for (const bool in_parts : {false, true}) {
                // A quick run has another damage for each archive.
                const std::size_t number = round++;
                if (left_to_full_size(number, 5) || left_out(number, 3)) continue;
                CAPTURE(archive.name, at, in_parts);
                const TemporaryDirectory directory;
                const ImportOptions options = in_parts ? indexed_in_parts() : ImportOptions();
                const std::string before =
                    directory.write("before.pgn", "[Event \"before\"]\n\n1. e4 e5 1-0\n");
                const std::string after =
                    directory.write("zafter.pgn", "[Event \"zafter\"]\n\n1. e4 e5 1-0\n");
                const std::string file = directory.write(archive.name, damaged(archive.bytes, at));
                Imported imported({before, file, after}, options);
                REQUIRE(imported.summary().failures.size() == 1);
                CHECK_THAT(imported.summary().failures[0],
                           Contains("damaged") && Contains("fetch it again") &&
                               ((Contains("removed again") && Contains("--keep-damaged")) ||
                                Contains("everything before it was read")));
                std::vector<std::string> kept = events(imported);
                CHECK(imported.summary().games == kept.size());
                CHECK(kept.front() == "before");
                CHECK(kept.back() == "zafter");
                kept = {kept.begin() + 1, kept.end() - 1};
                check_some(kept);
                if (archive.one_part) {
                    CHECK(kept.empty());
                } else {
                    const auto whole = static_cast<std::size_t>(place * kGames);
                    CHECK(kept.size() + 600 > whole);
                    CHECK(kept.size() <= whole + 40);
                }
                check_whole(imported);
                CHECK(imported.info().errors ==
                      errors_of_numbered(static_cast<unsigned>(kept.size())) + 1);

                // The same damage again gives the same result.
                CHECK(imported.again({file}, options).failures.size() == 1);
                CHECK(imported.info().games == kept.size() + 2);

                directory.write(archive.name, archive.bytes);
                CHECK(imported.again({file}, options).failures.empty());
                CHECK(imported.info().games == kGames + 2);
                CHECK(imported.info().errors == errors_of_numbered(kGames));
                const std::vector<std::string> all = events(imported);
                CHECK(std::set(all.begin(), all.end()).size() == kGames + 2);
                check_whole(imported);
                CHECK(imported.again({file}, options).known_sources == 1);
            }
        }
    }
}

TEST_CASE("An import of nothing but a damaged archive leaves an empty database") {
    const TemporaryDirectory directory;
    std::size_t round = 0;
    for (const Archive& archive : archives()) {
        if (!archive.one_part) continue;
        for (const bool in_parts : {false, true}) {
            if (left_out(round++, 3)) continue;
            const ImportOptions options = in_parts ? indexed_in_parts() : ImportOptions();
            const std::string file =
                directory.write(archive.name, damaged(archive.bytes, archive.bytes.size() / 2));
            Imported imported({file}, options);
            CHECK(imported.info().games == 0);
            directory.write(archive.name, archive.bytes);
            imported.again({file}, options);
            check_once(imported, kGames);
            CHECK(imported.info().sources == 1);
            CHECK(imported.info().fingerprint == Imported({file}, options).info().fingerprint);
        }
    }
}

TEST_CASE("Retracting a damaged archive includes the games that a killed import had stored") {
    std::size_t round = 0;
    for (const Archive& archive : archives()) {
        if (left_out(round++, 3)) continue;
        const TemporaryDirectory directory;
        CAPTURE(archive.name);
        const std::string file =
            directory.write(archive.name, damaged(archive.bytes, archive.bytes.size() * 9 / 10));
        Imported imported;
        REQUIRE(killed_after(7, [&](const auto& options) { imported.again({file}, options); }));
        CHECK(imported.info().games > 0);
        CHECK(imported.again({file}, small_parts()).failures.size() == 1);
        if (archive.one_part) CHECK(imported.info().games == 0);
        check_some(events(imported));
        directory.write(archive.name, archive.bytes);
        imported.again({file}, small_parts());
        check_once(imported, kGames);
    }
}

TEST_CASE("Games of a killed import of a damaged archive go, even after other imports") {
    std::size_t round = 0;
    for (const Archive& archive : archives()) {
        if (left_out(round++, 3)) continue;
        const TemporaryDirectory directory;
        CAPTURE(archive.name);
        const std::string file =
            directory.write(archive.name, damaged(archive.bytes, archive.bytes.size() * 9 / 10));
        Imported imported;
        for (const unsigned batches : {3U, 2U}) {
            REQUIRE(killed_after(batches,
                                 [&](const auto& options) { imported.again({file}, options); }));
            imported.again(
                {directory.write("between.pgn", "[Event \"between" + std::to_string(batches) +
                                                    "\"]\n\n1. a3 *\n")},
                small_parts());
        }
        CHECK(imported.info().games > 2);
        CHECK(imported.again({file}, small_parts()).failures.size() == 1);
        if (archive.one_part) CHECK(imported.info().games == 2);
        check_whole(imported);
        CHECK(imported.again({file}, small_parts()).failures.size() == 1);
        check_whole(imported);
        directory.write(archive.name, archive.bytes);
        imported.again({file}, small_parts());
        const std::vector<std::string> all = events(imported);
        CHECK(all.size() == kGames + 2);
        CHECK(std::set(all.begin(), all.end()).size() == kGames + 2);
        check_whole(imported);
    }
}

TEST_CASE("bzip2: games of a damaged block are stored only when the archive is whole") {
    const std::string bytes = pgn::test::bzip2_stream(text_of(1, kGames));
    for (const std::size_t part : {1U, 3U, 5U, 7U}) {
        const TemporaryDirectory directory;
        const std::string file = directory.write("a.bz2", damaged(bytes, bytes.size() * part / 8));
        Imported imported({file}, small_parts());
        CHECK(imported.summary().failures.size() == 1);
        const std::vector<std::string> kept = events(imported);
        check_some(kept);
        CHECK(kept.empty() == (part == 1));
        CHECK(imported.again({file}, small_parts()).failures.size() == 1);
        directory.write("a.bz2", bytes);
        imported.again({file}, small_parts());
        CHECK(imported.info().games == kGames);
        CHECK(imported.info().errors == errors_of_numbered(kGames));
        check_whole(imported);
    }
}

TEST_CASE("An archive that ends early keeps its games") {
    std::size_t round = 0;
    for (const Archive& archive : archives()) {
        if (left_out(round++, 3)) continue;
        CAPTURE(archive.name);
        const TemporaryDirectory directory;
        const std::string file =
            directory.write(archive.name, archive.bytes.substr(0, archive.bytes.size() / 2));
        Imported imported({file}, small_parts());
        REQUIRE(imported.summary().failures.size() == 1);
        CHECK_THAT(imported.summary().failures[0], Contains("cut off"));
        CHECK(imported.info().games > kGames / 3);
        check_some(events(imported));
        directory.write(archive.name, archive.bytes);
        imported.again({file}, small_parts());
        CHECK(imported.info().games == kGames);
        CHECK(imported.info().errors == errors_of_numbered(kGames));
        check_whole(imported);
    }
}

TEST_CASE("An archive whose end is zeros gives the games of one that is cut off there", "[full]") {
    std::vector<Archive> all = archives();
    all.push_back({"a.bz2", pgn::test::bzip2_stream(text_of(1, kGames))});
    std::size_t round = 0;
    std::size_t tail = 0;
    for (const Archive& archive : all) {
        if (left_out(round++, 3)) continue;
        for (const double place : {0.2, 0.6}) {
            if (left_to_full_size(tail++, 3)) continue;
            CAPTURE(archive.name, place);
            const TemporaryDirectory directory;
            const auto cut =
                static_cast<std::size_t>(place * static_cast<double>(archive.bytes.size()));
            const std::string head = archive.bytes.substr(0, cut);
            const Imported expected({directory.write(archive.name, head)}, small_parts());
            const std::string file =
                directory.write(archive.name, head + std::string(archive.bytes.size() - cut, '\0'));
            Imported imported({file}, small_parts());
            REQUIRE(imported.summary().failures.size() == 1);
            CHECK_THAT(imported.summary().failures[0], Contains("cut off"));
            CHECK((events(imported) == events(expected)));
            CHECK(imported.info().fingerprint == expected.info().fingerprint);
            CHECK(imported.info().errors == expected.info().errors);
            check_some(events(imported));
            CHECK(imported.again({file}, small_parts()).failures.size() == 1);
            CHECK(imported.info().fingerprint == expected.info().fingerprint);

            directory.write(archive.name, archive.bytes);
            CHECK(imported.again({file}, small_parts()).failures.empty());
            check_once(imported, kGames);
        }
    }
}

TEST_CASE("Damaged archives obey --keep-damaged, --strict and --skip-duplicates") {
    const TemporaryDirectory directory;
    const Archive archive = archives()[0];
    const std::string file =
        directory.write("a.gz", damaged(archive.bytes, archive.bytes.size() / 2));
    const std::string whole = directory.write("b.gz", archive.bytes);
    ImportOptions options = indexed_in_parts();
    options.keep_damaged = true;
    CHECK(Imported({file}, options).info().games > kGames / 3);
    options.keep_damaged = false;
    options.strict = true;
    Imported strict;
    CHECK_THROWS_AS(strict.again({file}, options), ingest::ImportFailed);
    CHECK_FALSE(std::filesystem::exists(strict.path()));
    options.strict = false;
    options.skip_duplicates = true;
    const Imported both({file, whole}, options);
    CHECK(both.info().games == Imported({whole}, options).info().games);
    check_whole(both);
}
