// Compares the results of find and count for the samples with a table made in the simple way: every
// position of every game, by its EPD.
#include "query/position_search.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <filesystem>
#include <map>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "ingest/game_replay.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "pgn/reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/memory_store.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

struct Reached {
    std::uint64_t game = 0;
    std::vector<std::uint32_t> plies;
    std::string next;  // "" at the end of the game

    bool operator==(const Reached&) const = default;
};

using Table = std::map<std::string, std::vector<Reached>>;  // by EPD

Table simple_table(const std::vector<std::string>& files) {
    Table table;
    std::uint64_t game = 0;
    ingest::GameReplay replay;
    for (const std::string& file : files) {
        for_each_game(file, [&](std::string_view text, bool truncated) {
            ++game;
            std::vector<store::TagPair> tags;
            std::deque<std::string> owned;
            replay.start(tags, owned);
            pgn::read_game(text, truncated, replay);
            replay.finish();
            chess::Position position = *replay.start_position().standard();
            const auto& moves = replay.moves();
            for (std::uint32_t ply = 0; ply <= moves.size(); ++ply) {
                std::vector<Reached>& reached = table[chess::to_epd(position)];
                if (reached.empty() || reached.back().game != game) {
                    reached.push_back(
                        {game, {}, ply < moves.size() ? chess::to_san(position, moves[ply]) : ""});
                }
                reached.back().plies.push_back(ply);
                if (ply < moves.size()) position.play(moves[ply]);
            }
            return true;
        });
    }
    return table;
}

std::vector<Reached> found(query::PositionSearch& search, const query::Question& question) {
    std::vector<Reached> games;
    search.find(question, [&](const query::Hit& hit) {
        games.push_back(
            {hit.game, hit.plies, hit.next ? chess::to_san(hit.position, *hit.next) : ""});
        return true;
    });
    return games;
}

void import_files(const std::string& database, const std::vector<std::string>& files) {
    const ingest::ImportOptions options{.threads = 2, .ply_rows = ingest::PlyRowChoice::kNo};
    CHECK(ingest::import_files(database, files, options).errors == 0);
}

/// Searches every position; in a sanitizer build, some.
void check_all(const std::shared_ptr<store::Store>& store, const Table& table) {
    const auto reader = store->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    std::size_t wrong = 0;
    std::size_t round = 0;
    for (const auto& [epd, expected] : table) {
        if (left_out(round++)) continue;
        const query::Question question = query::Question::of(*chess::parse_fen(epd).position);
        bool right = found(search, question) == expected;
        right = right &&
                found(search, query::Question::of_key(question.targets.front().key)) == expected;
        std::uint64_t occurrences = 0;
        for (const Reached& each : expected) occurrences += each.plies.size();
        for (const bool verify : {false, true}) {
            const query::Count count = search.count(question, verify);
            right = right && count.games == expected.size() && count.occurrences == occurrences;
        }
        if (!right && ++wrong < 5) FAIL_CHECK(epd);
    }
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("find and count are right for every position of every sample") {
    const std::vector<std::string> files = pgn::expand_inputs({FENDEX_SAMPLES});
    const Table table = simple_table(files);
    CHECK(table.size() > 8000);
    const TemporaryDirectory directory;
    SECTION("imported at once") {
        import_files(directory / "once.db", files);
        check_all(store::file_store(directory / "once.db"), table);
        check_all(test::memory_store(directory / "once.db"), table);
    }
    SECTION("a file at a time, a segment each") {
        for (const std::string& file : files) import_files(directory / "segments.db", {file});
        check_all(store::file_store(directory / "segments.db"), table);
    }
}

TEST_CASE("find: unreached positions and keys that differ in one bit find nothing") {
    const TemporaryFile database("my.db");
    const std::vector<std::string> files = pgn::expand_inputs({FENDEX_SAMPLES});
    import_files(database, files);
    const bool in_memory = GENERATE(false, true);
    const auto store = in_memory ? test::memory_store(database) : store::file_store(database);
    const auto reader = store->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    const chess::Position start;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const query::Question question =
            query::Question::of_key(start.key() ^ std::uint64_t{1} << bit);
        CHECK(found(search, question).empty());
        CHECK(search.count(question, false).games == 0);
    }
    // The key of one position with another position: no game has both.
    const query::Question forged{
        {{start.key(), chess::parse_fen("8/8/8/8/8/k7/8/K6R w - - 0 1").position, false}}};
    CHECK(found(search, forged).empty());
    CHECK(search.count(forged, true).games == 0);
    // Only the side to move, a castling right, or a usable en passant square differ.
    for (const char* const fen :
         {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
          "rnb1kb1r/p2p1ppp/2p5/1B3Nqn/4PpP1/3P4/PPP4P/RNBQ1K1R b kq - 0 10"}) {
        CAPTURE(fen);
        CHECK(found(search, query::Question::of(*chess::parse_fen(fen).position)).empty());
    }
}

TEST_CASE("find stops when its callback returns false") {
    const TemporaryFile database("my.db");
    import_files(database, pgn::expand_inputs({FENDEX_SAMPLES}));
    const auto reader = store::file_store(database)->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    std::vector<std::uint64_t> seen;
    search.find(query::Question::of(chess::Position()), [&](const query::Hit& hit) {
        seen.push_back(hit.game);
        return seen.size() < 3;
    });
    CHECK(seen == std::vector<std::uint64_t>{1, 2, 3});
}
