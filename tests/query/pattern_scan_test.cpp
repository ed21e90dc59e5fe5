// Compares scans for patterns with brute force: every position of every game, square by square,
// from the PGN text. Starts of many kinds test which games a scan skips.
#include "query/pattern_scan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <fstream>

#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "ingest/game_replay.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "pgn/reader.hpp"
#include "query/pattern_text.hpp"
#include "query/pattern_twin.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/pgn_extract.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "support/skip.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

struct Game {
    std::vector<std::string> boards;  // by ply
    std::vector<std::string> next;    // SAN, "" at the end
};

struct Found {
    std::uint64_t game = 0;
    std::vector<std::uint32_t> plies;
    std::string board;  // the first time
    std::string next;

    bool operator==(const Found&) const = default;
};

/// Returns games from starts that no signature of a standard game covers.
std::string odd_games(Random& random, unsigned games) {
    const char* const kStarts[] = {
        "8/PPP2PPP/4k3/8/8/4K3/ppp2ppp/8 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/4P3/4K2R b K - 7 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "nnnnknnn/8/8/8/8/8/PPPPPPPP/4K3 w - - 5 9",
    };
    std::string out;
    for (unsigned i = 0; i < games; ++i) {
        const chess::Position start =
            i % 3 == 0 ? any_start(random, i) : *chess::parse_fen(kStarts[i % 4]).position;
        out += "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"" + chess::to_fen(start) + "\"]\n\n";
        if (start.side_to_move() == chess::Color::kBlack) out += "1... ";
        random_game(start, random, 20 + static_cast<unsigned>(random() % 150),
                    [&](const chess::Position& p, chess::Move move) {
                        out += chess::to_san(p, move) + '\n';
                    });
        out += "*\n\n";
    }
    // Unknown rules: no position of such a game matches anything.
    out += "[Variant \"Xiangqi\"]\n\n1. e4 e5 *\n\n";
    return out;
}

std::vector<Game> replayed(const std::vector<std::string>& files) {
    std::vector<Game> games;
    ingest::GameReplay replay;
    for (const std::string& file : files) {
        for_each_game(file, [&](std::string_view text, bool truncated) {
            std::vector<store::TagPair> tags;
            std::deque<std::string> owned;
            replay.start(tags, owned);
            pgn::read_game(text, truncated, replay);
            replay.finish();
            Game& game = games.emplace_back();
            if (!replay.replayed()) return true;
            chess::Position position = *replay.start_position().standard();
            for (const chess::Move move : replay.moves()) {
                game.boards.push_back(squares_of(position));
                game.next.push_back(chess::to_san(position, move));
                position.play(move);
            }
            game.boards.push_back(squares_of(position));
            game.next.emplace_back();
            return true;
        });
    }
    return games;
}

class Archive {
  public:
    explicit Archive(const std::vector<std::string>& files) : games_(replayed(files)) {
        ingest::ImportOptions options{.ply_rows = ingest::PlyRowChoice::kNo};
        // Two imports, so that a chunk is written, read and written again.
        const auto half = files.begin() + static_cast<std::ptrdiff_t>(files.size() / 2);
        if (half != files.begin()) ingest::import_files(path(), {files.begin(), half}, options);
        ingest::import_files(path(), {half, files.end()}, options);
    }

    std::string path() const { return directory_ / "games.db"; }
    const std::vector<Game>& games() const { return games_; }

    template <typename Fits>
    std::vector<Found> brute_force(Fits fits) const {
        std::vector<Found> out;
        for (std::size_t i = 0; i < games_.size(); ++i) {
            const Game& game = games_[i];
            Found found{i + 1, {}, {}, {}};
            for (std::uint32_t ply = 0; ply < game.boards.size(); ++ply) {
                if (!fits(game.boards[ply])) continue;
                if (found.plies.empty()) {
                    found.board = game.boards[ply];
                    found.next = game.next[ply];
                }
                found.plies.push_back(ply);
            }
            if (!found.plies.empty()) out.push_back(std::move(found));
        }
        return out;
    }

    std::vector<Found> scan(const query::PositionPattern& pattern,
                            const query::ScanOptions& options) const {
        std::vector<Found> out;
        query::find_pattern(*store::file_store(path()), pattern, options,
                            [&](const query::Hit& hit) {
                                out.push_back(found(hit));
                                return true;
                            });
        return out;
    }

    static Found found(const query::Hit& hit) {
        return {hit.game, hit.plies, squares_of(*hit.position.standard()),
                hit.next ? chess::to_san(hit.position, *hit.next) : ""};
    }

    /// Checks random patterns, each made from a position of some game.
    void check(Random& random, unsigned patterns) const {
        std::size_t skippable = 0;
        const auto reader = store::file_store(path())->reader();
        for (unsigned round = 0; round < patterns; ++round) {
            const Game* game = nullptr;
            do {
                game = &games_[random() % games_.size()];
            } while (game->boards.empty());
            const std::string& model = game->boards[random() % game->boards.size()];
            const std::string board =
                random_board(model, 1 + static_cast<unsigned>(random() % 40), random);
            const std::string material = random_material(model, random);
            const bool with_board = random() % 3 != 0;
            const bool with_material = !with_board || random() % 4 == 0;
            const bool either_side = random() % 3 == 0;
            query::PatternText text;
            if (with_board) text.board = board;
            if (with_material) text.material = material;
            text.either_side = either_side;
            CAPTURE(board, material, either_side, with_board, with_material);
            const query::PatternResult result = query::parse_pattern(text);
            INFO(result.error);
            REQUIRE(result.pattern);

            const auto tokens = tokens_of(board);
            const auto fits_all = [&](const std::string& squares) {
                return (!with_board || board_fits(tokens, squares)) &&
                       (!with_material || material_fits(material, squares));
            };
            const std::vector<Found> expected = brute_force([&](const std::string& squares) {
                return fits_all(squares) || (either_side && fits_all(reversed(squares)));
            });
            query::ScanOptions options;
            options.threads = 1 + round % 3;
            const std::vector<Found> all = scan(*result.pattern, options);
            REQUIRE(all.size() == expected.size());
            REQUIRE(all == expected);
            // A single game is scanned without regard to its signature.
            const std::uint64_t one = 1 + random() % games_.size();
            query::Hit hit;
            const bool there = query::find_pattern_in(*reader, *result.pattern, one, hit);
            const auto known = std::find_if(expected.begin(), expected.end(),
                                            [&](const Found& f) { return f.game == one; });
            REQUIRE(there == (known != expected.end()));
            if (there) CHECK(found(hit) == *known);
            const query::Count count =
                query::count_pattern(*store::file_store(path()), *result.pattern, options);
            CHECK(count.games == expected.size());
            std::uint64_t occurrences = 0;
            for (const Found& each : expected) occurrences += each.plies.size();
            CHECK(count.occurrences == occurrences);
            if (expected.size() < games_.size() / 4) ++skippable;
        }
        CHECK(skippable > patterns / 4);
    }

  private:
    TemporaryDirectory directory_;
    std::vector<Game> games_;
};

query::PositionPattern pattern_of(const std::string& board) {
    return *query::parse_pattern({board, std::nullopt, false}).pattern;
}

/// Boards that pgn-extract finds, too: common ones, and rarer ones for thousands of games.
const std::vector<std::string> kCommonBoards{"*/*/*/???N*/??P?P*/*/*/*",
                                             "*/*/*/*/*/*/*/4K??R",
                                             "*/[^Pp]*/*/???pP*/*/*/*/*",
                                             "*/*/8/8/8/8/8/*",
                                             "?????rk?/?????aaa/*/*/*/*/P[BP]P*/*",
                                             "*/*/*/*/*/*/*/1!!*"};
const std::vector<std::string> kRareBoards{"*[Rr][Rr]/*/*/*/*/*/*/*", "*/*/*/*q/*/*A/*/*K"};

/// Checks the first games of human.pgn.zst of the corpus, or of its cut.
void check_with_pgn_extract(const std::string& corpus, unsigned games_wanted,
                            const std::vector<std::string>& boards) {
    const TemporaryDirectory directory;
    const std::string file =
        directory.write("some.pgn", first_games(corpus + "/human.pgn.zst", games_wanted));
    const std::string database = directory / "some.db";
    ingest::import_files(database, {file}, {});
    for (const std::string& board : boards) {
        CAPTURE(board);
        const Outcome outcome = run_process({"pgn-extract", "-s", "-Tf" + board, file});
        std::uint64_t games = 0;
        for (const std::string& line : lines_of(outcome.out)) {
            if (line.starts_with("[Event ")) ++games;
        }
        CHECK(games > 0);
        CHECK(query::count_pattern(*store::file_store(database), pattern_of(board), {}).games ==
              games);
    }
}

}  // namespace

TEST_CASE("Pattern scans find what brute force finds: samples, and games from odd starts",
          "[full]") {
    Random random(81);
    const TemporaryDirectory directory;
    std::vector<std::string> files = pgn::expand_inputs({FENDEX_SAMPLES});
    files.push_back(directory / "odd.pgn");
    std::ofstream(files.back()) << odd_games(random, fewer(at_size(60U, 150U), 4));
    const Archive archive(files);
    archive.check(random, fewer(at_size(15U, 200U), 3));
}

TEST_CASE("Pattern scans find what brute force finds: games of the corpus", "[.corpus]") {
    std::vector<std::string> files;
    for (const char* name :
         {"chess960.pgn.zst", "annotated/endgames-from-fen.pgn", "annotated/GM_games.pgn",
          "annotated/electronic_campfire.pgn", "online/twic1599_100k.pgn"}) {
        files.push_back(whole_corpus() + "/" + name);
    }
    Random random(82);
    const Archive archive(files);
    archive.check(random, 30);
}

TEST_CASE("Scans over several chunks keep the order and the chosen games, and can end early") {
    // Short games, every seventh with a knight on f3.
    const TemporaryDirectory directory;
    const unsigned games = 3 * codec::kGamesPerChunk + 5;
    {
        std::ofstream file(directory / "short.pgn");
        for (unsigned i = 1; i <= games; ++i) {
            file << "[White \"" << (i % 5 == 0 ? "Fifth" : "Other") << "\"]\n\n1. "
                 << (i % 7 == 0 ? "Nf3" : "e4") << " *\n\n";
        }
    }
    const std::string database = directory / "short.db";
    ingest::import_files(database, {directory / "short.pgn"}, {});
    const query::PositionPattern knight = pattern_of("*/*/*/*/*/?????N*/*/*");
    const query::PositionPattern pawn = pattern_of("*/*/*/*/????P*/*/*/*");
    for (const unsigned threads : {1U, 2U, 5U}) {
        query::ScanOptions options;
        options.threads = threads;
        std::vector<std::uint64_t> seen;
        const auto note = [&](const query::Hit& hit) {
            seen.push_back(hit.game);
            return true;
        };
        query::find_pattern(*store::file_store(database), knight, options, note);
        REQUIRE(seen.size() == games / 7);
        std::size_t i = 0;
        while (i < seen.size() && seen[i] == 7 * (i + 1)) ++i;
        if (i < seen.size()) FAIL_CHECK("hit " << i << " is game " << seen[i]);
        CHECK(query::count_pattern(*store::file_store(database), pawn, options).games ==
              games - games / 7);

        seen.clear();
        options.filter.white = "fifth";
        query::find_pattern(*store::file_store(database), knight, options, note);
        CHECK(seen.size() == games / 35);
        CHECK(seen.front() == 35);

        seen.clear();
        options.filter = {};
        query::find_pattern(*store::file_store(database), pawn, options,
                            [&](const query::Hit& hit) {
                                seen.push_back(hit.game);
                                return seen.size() < 4;
                            });
        CHECK(seen == std::vector<std::uint64_t>{1, 2, 3, 4});
    }
}

TEST_CASE("A game that the signature rules out is not read") {
    const TemporaryFile database("damaged.db");
    ingest::import_files(database, pgn::expand_inputs({FENDEX_SAMPLES}),
                         {.ply_rows = ingest::PlyRowChoice::kNo});
    store::Connection(database, store::Connection::Mode::kReadWrite)
        .run("UPDATE game SET moves = x'FF' WHERE plies > 20");
    // No sample has three white queens; every sample may have a knight on some square.
    CHECK(query::count_pattern(*store::file_store(database),
                               *query::parse_pattern({{}, "Q=3", false}).pattern, {})
              .games == 0);
    CHECK_THROWS_AS(
        query::count_pattern(*store::file_store(database), pattern_of("*/*/*/???N*/*/*/*/*"), {}),
        store::StoreError);
    store::Connection(database, store::Connection::Mode::kReadWrite)
        .run("UPDATE signature SET data = x'0000'");
    CHECK_THROWS_AS(
        query::count_pattern(*store::file_store(database), pattern_of("*/*/*/*/*/*/*/*"), {}),
        store::StoreError);
}

TEST_CASE("Pattern scans find as many games as pgn-extract does") {
    if (skip_without("pgn-extract")) return;
    check_with_pgn_extract(corpus_cut(), 300, kCommonBoards);
}

TEST_CASE("Pattern scans find as many games of the corpus as pgn-extract does", "[.corpus]") {
    if (skip_without("pgn-extract")) return;
    std::vector<std::string> boards = kCommonBoards;
    boards.insert(boards.end(), kRareBoards.begin(), kRareBoards.end());
    check_with_pgn_extract(whole_corpus(), 6'000, boards);
}
