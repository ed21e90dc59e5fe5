// Imported texts are recognised under any name: as a file, an archive, a stream.
#include "ingest/known_texts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "ingest/numbered_games.hpp"
#include "pgn/source_fixtures.hpp"
#include "store/source_prefixes.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/fifo.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using ingest::ImportOptions;

const unsigned kGames = at_size(6000U, kSanitized ? 6000U : 9000U);

class Inputs {
  public:
    /// Imports a file of that name, or a stream if the name is "stream".
    const ingest::ImportSummary& import(Imported& imported, const std::string& name,
                                        const std::string& text,
                                        ImportOptions options = small_parts()) {
        if (name.starts_with("stream")) {
            const test::Fifo fifo(directory_ / name, text);
            return imported.again({fifo.path()}, std::move(options));
        }
        std::string bytes = text;
        for (const auto& format : pgn::test::formats()) {
            if (name.ends_with(format.name)) bytes = format.compress(text);
        }
        return imported.again({directory_.write(name, bytes)}, std::move(options));
    }
    std::string operator/(const std::string& name) const { return directory_ / name; }

  private:
    TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("An imported text is recognised under any name", "[full]") {
    const std::string text = numbered_games(1, kGames);
    const std::vector<std::string> names{"a.pgn", "a.pgn.zstd", "a.gzip", "stream", "stream2"};
    for (std::size_t round = 0; round < names.size(); ++round) {
        if (left_out(round, 3)) continue;
        const std::string& first = names[round];
        Inputs inputs;
        Imported imported;
        inputs.import(imported, first, text);
        for (const std::string& second : names) {
            CAPTURE(first, second);
            const ingest::ImportSummary& summary = inputs.import(imported, second, text);
            CHECK(summary.games == 0);
            CHECK(summary.known_sources == 1);
            REQUIRE(summary.notices.size() == 1);
            CHECK_THAT(summary.notices[0], Catch::Contains("was imported before"));
        }
        check_once(imported, kGames);
        CHECK(imported.info().sources == 1);
        inputs.import(imported, "b.pgn", "\n" + text.substr(1));
        CHECK(imported.info().games == 2 * kGames);
    }
}

TEST_CASE("A killed import is resumed with the same text under any name", "[full]") {
    const std::string text = numbered_games(1, kGames);
    const std::vector<std::string> names{"a.pgn", "a.pgn.zstd", "stream"};
    unsigned times = 3;
    std::size_t round = 0;
    for (const std::string& first : names) {
        for (const std::string& second : names) {
            // A quick run has two pairs of different names.
            const std::size_t number = round++;
            if (left_out(number, 4) || left_to_full_size(number + 3, 4)) continue;
            times = times % 9 + 3;
            CAPTURE(first, second, times);
            Inputs inputs;
            Imported imported;
            REQUIRE(killed_after(times, [&](const auto& options) {
                inputs.import(imported, first, text, options);
            }));
            CHECK(imported.info().games > 0);
            // Killed again under the second name.
            REQUIRE(killed_after(
                2, [&](const auto& options) { inputs.import(imported, second, text, options); }));
            const std::uint64_t before = imported.info().games;
            const ingest::ImportSummary& summary = inputs.import(imported, first, text);
            CHECK(summary.games == kGames - before);
            check_once(imported, kGames);
            for (const std::string& name : names) {
                CHECK(inputs.import(imported, name, text).games == 0);
            }
            check_once(imported, kGames);
        }
    }
}

TEST_CASE("A stream whose writer died is continued when the stream is imported again", "[full]") {
    const std::string text = numbered_games(1, kGames);
    std::size_t round = 0;
    for (const std::size_t size :
         {std::size_t{10}, std::size_t{21}, std::size_t{40}, std::size_t{700}, std::size_t{1030},
          std::size_t{65'570}, std::size_t{200'003}, text.size() - 3}) {
        for (const std::string name : {"stream", "a.pgn.zstd"}) {
            const std::size_t number = round++;
            if (left_out(number, 5) || left_to_full_size(number, 5)) continue;
            CAPTURE(size, name);
            Inputs inputs;
            Imported imported;
            inputs.import(imported, "stream", text.substr(0, size));
            inputs.import(imported, name, text);
            check_once(imported, kGames);
            CHECK(inputs.import(imported, name, text).games == 0);
        }
    }
}

TEST_CASE("A text that begins like an imported one adds only the rest", "[full]") {
    for (const unsigned known : {1U, 20U, kGames}) {
        Inputs inputs;
        Imported imported;
        unsigned count = known;
        inputs.import(imported, "a.pgn", numbered_games(1, count));
        for (const std::string name : {"stream", "b.pgn", "stream", "a.pgn", "c.gzip"}) {
            CAPTURE(known, name);
            count += 200;
            CHECK(inputs.import(imported, name, numbered_games(1, count)).games == 200);
            CHECK(inputs.import(imported, name, numbered_games(1, count)).games == 0);
        }
        check_once(imported, count);
        CHECK(inputs.import(imported, "d.pgn", numbered_games(1, known)).games == 0);
    }
}

TEST_CASE("A text that differs from a known one is a new source from the last common mark on",
          "[full]") {
    const std::string text = numbered_games(1, kGames);
    std::size_t round = 0;
    for (const unsigned same : {0U, 10U, 2000U, kGames / 3 * 2, kGames - 1}) {
        for (const std::string name : {"stream", "b.pgn"}) {
            const std::size_t number = round++;
            if (left_out(number, 3) || left_to_full_size(number, 3)) continue;
            CAPTURE(same, name);
            Inputs inputs;
            Imported imported;
            inputs.import(imported, "stream", text);
            const std::string other = numbered_games(1, same) +
                                      numbered_games(kGames + 1, kGames + 3000) +
                                      numbered_games(same + 1, kGames);
            inputs.import(imported, name, other);
            const std::vector<std::string> all = events(imported);
            CHECK(std::set(all.begin(), all.end()).size() == kGames + 3000);
            // At most some 64 KiB of the common text are stored twice.
            CHECK(all.size() <= 2 * std::size_t{kGames} + 3000 - same + 1500);
            check_whole(imported);
            const std::size_t count = all.size();
            CHECK(inputs.import(imported, name, other).games == 0);
            CHECK(inputs.import(imported, "stream", text).games == 0);
            CHECK(imported.info().games == count);
        }
    }
}

TEST_CASE("A text that ends inside a known one adds nothing, wherever it ends", "[full]") {
    const std::string text = numbered_games(1, kGames);
    std::vector<std::size_t> sizes{1030, 40'003, 65'570, 200'003, text.size() - 3};
    // Cut in each part of a game.
    const std::size_t game = text.find("[Event \"00005000\"]");
    for (const std::size_t i : {0U, 3U, 8U, 13U, 19U, 22U, 27U, 33U, 37U, 41U}) {
        sizes.push_back(game + i);
    }
    std::size_t round = 0;
    for (const std::size_t size : sizes) {
        for (const std::string name : {"stream", "b.pgn", "b.gzip"}) {
            // The cuts take turns with the kinds of input.
            if (!test::full_size() && ++round % 11 != 0) continue;
            CAPTURE(size, name);
            Inputs inputs;
            Imported imported;
            inputs.import(imported, "a.pgn", text);
            const std::string part = text.substr(0, size);
            CHECK(inputs.import(imported, name, part).games == 0);
            CHECK(inputs.import(imported, name, part).known_sources == 1);
            // The text grows.
            inputs.import(imported, name, text.substr(0, size + 20'000));
            inputs.import(imported, name, text);
            check_once(imported, kGames);
        }
    }
    // The same in one import.
    const TemporaryDirectory directory;
    const std::string whole = directory.write("a.pgn", text);
    const std::string part = directory.write("b.pgn", text.substr(0, 200'003));
    check_once(Imported({whole, part}, small_parts()), kGames);
    check_once(Imported({part, whole}, small_parts()), kGames);
}

TEST_CASE("A text that follows a known one and then differs adds its new games", "[full]") {
    const unsigned same = 5000;
    for (const std::string& last :
         {numbered_games(kGames + 1, kGames + 1), std::string("[Event \"00005001\"]\n\n1. e4 e6"),
          std::string("[Event \"00005001\"]\n[Site \"?\"]\n\n1. e4 *\n")}) {
        CAPTURE(last);
        Inputs inputs;
        Imported imported;
        inputs.import(imported, "a.pgn", numbered_games(1, kGames));
        const std::string other = numbered_games(1, same) + last;
        CHECK(inputs.import(imported, "b.pgn", other).games == 1);
        CHECK(inputs.import(imported, "b.pgn", other).games == 0);
        CHECK(imported.info().games == kGames + 1);
        const std::string grown = other + "\n" + numbered_games(kGames + 2, kGames + 3);
        CHECK(inputs.import(imported, "b.pgn", grown).games <= 3);
        CHECK(imported.info().games == kGames + 3);
        check_whole(imported);
    }
}

TEST_CASE("An interrupted import with --again continues when it is repeated", "[full]") {
    const TemporaryDirectory directory;
    const std::vector<std::string> inputs{directory.write("a.pgn", numbered_games(1, 1000)),
                                          directory.write("b.pgn", numbered_games(1001, kGames))};
    Imported imported(inputs, small_parts());
    ImportOptions again = small_parts();
    again.again = true;
    again.as_given = "--again";
    for (unsigned time = 2; time < 4; ++time) {
        REQUIRE(killed_after(10, [&](ImportOptions options) {
            options.again = true;
            options.as_given = "--again";
            imported.again(inputs, options);
        }));
        CHECK(imported.info().games > (time - 1) * kGames + 1000);
        if (time == 3) imported.again({directory.write("c.pgn", "[Event \"c\"]\n\n1. a3 *\n")});
        imported.again(inputs, again);
        CHECK(imported.info().games == time * kGames + (time == 3 ? 1 : 0));
    }
    check_whole(imported);
    CHECK(imported.again(inputs, again).games == kGames);
}

TEST_CASE("The same text twice in one import is imported once") {
    const TemporaryDirectory directory;
    const std::string text = numbered_games(1, 3000);
    const std::vector<std::string> inputs{
        directory.write("a.pgn", text), directory.write("a.pgn.gz", pgn::test::gzip_member(text)),
        directory.write("b.pgn", text + numbered_games(3001, 3100)),
        directory.write("c.pgn.zst", pgn::test::zstd_frame(text + numbered_games(3001, 3100)))};
    Imported imported(inputs, small_parts());
    check_once(imported, 3100);
    CHECK(imported.info().sources == 2);
    CHECK(imported.summary().known_sources == 2);
    ImportOptions again = small_parts();
    again.again = true;
    CHECK(imported.again(inputs, again).games == 3000 + 3000 + 3100 + 3100);
}

TEST_CASE("Marks are at the first kilobyte and at ends of games, at least 64 KiB apart") {
    Inputs inputs;
    Imported imported;
    const std::string text = numbered_games(1, 9000);
    inputs.import(imported, "stream", text);
    std::uint64_t last = 0;
    const store::StoredSource source =
        store::file_store(imported.path())->reader()->sources().front();
    const std::vector<pgn::Mark> marks = store::marks_of(source.progress.prefixes);
    REQUIRE(marks.size() > 5);
    CHECK(marks[0].byte == pgn::kHeadBytes);
    for (const pgn::Mark& mark : marks) {
        base::Digest digest;
        digest.add(std::string_view(text).substr(0, mark.byte));
        CHECK(mark.digest == digest.hex());
        if (mark.line == 0) continue;
        CHECK(text.substr(mark.byte - 3, 5) == "1-0\n\n");
        CHECK(mark.line ==
              3U +
                  static_cast<std::uint64_t>(std::count(
                      text.begin(), text.begin() + static_cast<long>(mark.byte) - 4, '\n')) -
                  2U);
        CHECK(mark.byte >= pgn::next_mark(last));
        CHECK(mark.byte < pgn::next_mark(last) + 100);
        last = mark.byte;
    }
}
