// Opening books: against sums kept in the test, and against Polyglot, which makes the same book of
// the same games and reads ours.
#include "emit/polyglot_book.hpp"

#include <map>
#include <set>

#include "emit/emit_fixtures.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"
#include "support/skip.hpp"

namespace {

using namespace fendex;
using test::Imported;
using test::TemporaryDirectory;

using Entries = std::map<std::pair<std::uint64_t, std::uint16_t>, std::uint64_t>;

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

/// Splits a book into its entries and checks that they are in order.
Entries entries_of(const std::string& book) {
    REQUIRE(book.size() % 16 == 0);
    Entries entries;
    std::pair<std::uint64_t, std::uint64_t> before{0, ~std::uint64_t{0}};
    for (std::size_t at = 0; at < book.size(); at += 16) {
        const std::uint64_t key = big_endian(std::string_view(book).substr(at, 8));
        const auto move = static_cast<std::uint16_t>(big_endian(book.substr(at + 8, 2)));
        const std::uint64_t weight = big_endian(book.substr(at + 10, 2));
        CHECK(big_endian(book.substr(at + 12, 4)) == 0);
        CHECK(weight > 0);
        CHECK((key > before.first || (key == before.first && weight <= before.second)));
        before = {key, weight};
        CHECK(entries.emplace(std::pair(key, move), weight).second);
    }
    return entries;
}

Entries brute_force(const emit::ExportJob& job, const emit::PositionChoice& choice) {
    const auto reader = job.database->reader();
    struct Sum {
        std::set<std::uint64_t> games;
        std::uint64_t score = 0;
    };
    std::map<std::pair<std::uint64_t, std::uint16_t>, Sum> sums;
    for (std::uint64_t place = 0; place < job.games.size(); ++place) {
        store::StoredMoves moves;
        REQUIRE(reader->moves(job.games[place], moves));
        if (!chess::has_standard_rules(moves.facts.variant)) continue;
        codec::GameWalk walk = replay::walk(job.games[place], moves);
        for (; !walk.at_end() && walk.ply() < choice.max_ply; walk.advance()) {
            const chess::Move move = walk.next_move();
            if (move.kind() == chess::MoveKind::kNull) continue;
            // A castling right of an inner rook is written as a file letter: X-FEN.
            const std::string epd = chess::to_epd(walk.position());
            const std::string rights = epd.substr(epd.find(' ') + 3);
            if (rights.substr(0, rights.find(' ')).find_first_of("abcdefghABCDEFGH") !=
                std::string::npos) {
                continue;
            }
            Sum& sum = sums[{emit::polyglot_key(walk.position()), emit::polyglot_move(move)}];
            if (!sum.games.insert(place).second) continue;
            const bool white = walk.position().side_to_move() == chess::Color::kWhite;
            switch (moves.facts.result) {
                case codec::Result::kWhiteWins: sum.score += white ? 2 : 0; break;
                case codec::Result::kBlackWins: sum.score += white ? 0 : 2; break;
                case codec::Result::kDraw: sum.score += 1; break;
                case codec::Result::kUnknown: break;
            }
        }
    }
    Entries entries;
    for (const auto& [entry, sum] : sums) {
        if (sum.games.size() >= choice.min_games && sum.score != 0) entries[entry] = sum.score;
    }
    return entries;
}

std::string book_of(const emit::ExportJob& job, const emit::PositionChoice& choice) {
    test::TextSink sink;
    const std::uint64_t entries = emit::export_polyglot_book(job, choice, sink);
    CHECK(sink.text.size() == entries * 16);
    return sink.text;
}

}  // namespace

TEST_CASE("Keys in a book are Polyglot's published ones") {
    // From the description of the format; the fourth position has an en passant square but no
    // capture.
    for (const auto& [fen, key] : std::initializer_list<std::pair<const char*, std::uint64_t>>{
             {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c},
             {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196},
             {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78},
             {"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637},
             {"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
              0x5c3f9b829b279560}}) {
        CAPTURE(fen);
        CHECK(emit::polyglot_key(*chess::parse_fen(fen).position) == key);
    }
    // The capture would open the rank to the king, so it is not legal; Polyglot does not check
    // that.
    const chess::Position pinned = *chess::parse_fen("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1").position;
    CHECK_FALSE(pinned.en_passant_is_legal());
    CHECK(emit::polyglot_key(pinned) == (pinned.key() ^ chess::zobrist::en_passant(3)));
}

TEST_CASE("In a book castling is king takes rook, and promotions are numbered from the knight") {
    using chess::Move;
    using chess::MoveKind;
    CHECK(emit::polyglot_move(Move(12, 28, MoveKind::kDoublePush)) == 0x31C);
    CHECK(emit::polyglot_move(Move(4, 7, MoveKind::kCastle)) == (4 << 6 | 7));
    CHECK(emit::polyglot_move(Move(60, 56, MoveKind::kCastle)) == (60 << 6 | 56));
    CHECK(emit::polyglot_move(Move(48, 56, MoveKind::kPromoteKnight)) == (1 << 12 | 48 << 6 | 56));
    CHECK(emit::polyglot_move(Move(48, 57, MoveKind::kPromoteQueen)) == (4 << 12 | 48 << 6 | 57));
}

TEST_CASE("A book's scores are the sums over the games") {
    const TemporaryDirectory directory;
    const std::string samples = FENDEX_SAMPLES;
    const Imported imported(
        {directory.write("a.pgn", test::random_archive(51, test::fewer(900U, 6)).text()),
         samples + "/repetitions.pgn", samples + "/fischer-random.pgn"});
    const emit::ExportJob job = test::job_of(imported, 3);
    emit::PositionChoice choice{.directory = directory.path()};
    CHECK((entries_of(book_of(job, choice)) == brute_force(job, choice)));
    choice.min_games = 3;
    CHECK((entries_of(book_of(job, choice)) == brute_force(job, choice)));
    choice.min_games = 1;
    choice.max_ply = 7;
    CHECK((entries_of(book_of(job, choice)) == brute_force(job, choice)));
    choice.memory_bytes = 64 * 1024;
    CHECK((entries_of(book_of(job, choice)) == brute_force(job, choice)));
}

TEST_CASE("Scores beyond 16 bits are scaled, and none becomes zero") {
    const TemporaryDirectory directory;
    std::string text;
    for (int i = 0; i < 40'000; ++i) text += "[Event \"x\"]\n\n1. e4 1-0\n\n";
    for (int i = 0; i < 10'000; ++i) text += "[Event \"x\"]\n\n1. d4 1-0\n\n";
    text += "[Event \"x\"]\n\n1. a3 1/2-1/2\n\n";
    const Imported imported({directory.write("a.pgn", text)},
                            test::ply_rows(ingest::PlyRowChoice::kNo));
    const Entries entries =
        entries_of(book_of(test::job_of(imported), {.directory = directory.path()}));
    const std::uint64_t start = chess::Position().key();
    REQUIRE(entries.size() == 3);
    CHECK(entries.at({start, 12 << 6 | 28}) == 65'535);
    CHECK(entries.at({start, 11 << 6 | 27}) == 65'535 / 4);
    CHECK(entries.at({start, 8 << 6 | 16}) == 1);
}

TEST_CASE("Polyglot makes the same book from the same games, and reads ours") {
    if (test::skip_without("polyglot")) return;
    const TemporaryDirectory directory;
    // Polyglot counts a game twice if it returns to a position, and takes '*' for a draw; so take
    // only games that do neither.
    const Imported all({std::string(FENDEX_SAMPLES) + "/classics.pgn",
                        std::string(FENDEX_SAMPLES) + "/tournament.pgn.zst",
                        std::string(FENDEX_SAMPLES) + "/curiosities.pgn"});
    const auto reader = store::file_store(all.path())->reader();
    std::vector<store::GameId> ids;
    for (store::GameId id = 1; id <= all.info().games; ++id) {
        store::StoredMoves moves;
        REQUIRE(reader->moves(id, moves));
        if (moves.facts.variant != chess::Variant::kStandard || !moves.start.empty() ||
            moves.facts.result == codec::Result::kUnknown) {
            continue;
        }
        std::set<std::uint64_t> keys;
        bool plain = true;
        codec::GameWalk walk = replay::walk(id, moves);
        for (; !walk.at_end(); walk.advance()) {
            plain &= keys.insert(walk.position().key()).second;
            plain &= walk.next_move().kind() != chess::MoveKind::kNull;
        }
        if (plain) ids.push_back(id);
    }
    REQUIRE(ids.size() > 20);
    const emit::ExportJob job{store::file_store(all.path()), emit::GameList(ids), 2};
    const std::string pgn = directory.write("a.pgn", test::exported_pgn(job));
    const std::string book = book_of(job, {.directory = directory.path()});
    const std::string ours = directory.write("ours.bin", book);

    const test::ProcessOptions there{.directory = directory.path()};
    const test::Outcome made =
        test::run_process({"polyglot", "make-book", "-pgn", pgn, "-bin", "theirs.bin", "-min-game",
                           "1", "-max-ply", "1000"},
                          there);
    INFO(made.err);
    REQUIRE(made.status == 0);
    const std::string theirs = test::read_file(directory / "theirs.bin");
    CHECK(theirs.size() == book.size());
    CHECK((entries_of(book) == entries_of(theirs)));

    const test::Outcome dump = test::run_process(
        {"polyglot", "dump-book", "-bin", ours, "-color", "white", "-out", "white.txt"}, there);
    REQUIRE(dump.status == 0);
    CHECK_THAT(test::read_file(directory / "white.txt"), Catch::Contains("1: 1. "));
    const test::Outcome info = test::run_process({"polyglot", "info-book", "-bin", ours}, there);
    CHECK_THAT(info.out, Catch::Contains("Isolated positions             :        0"));
}
