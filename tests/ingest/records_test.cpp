// Records of positions are imported like games: by content, in any split, and again after an end in
// the middle. What is wrong in a line is an error with its line.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <random>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "ingest/importer.hpp"
#include "pgn/source_fixtures.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using Catch::Contains;
using test::TemporaryDirectory;

constexpr char kStart[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
constexpr char kAfterE4[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
constexpr char kCastling[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";

std::string write_file(const TemporaryDirectory& directory, const std::string& name,
                       const std::string& text) {
    const std::string path = directory.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

struct Imported {
    std::shared_ptr<store::Store> store;
    ingest::ImportSummary summary;

    codec::PositionRecord record(const std::string& fen) const {
        const store::Reader reader = store->reader();
        codec::PositionRecord out;
        const auto position = chess::any_position(chess::parse_any_fen(fen, std::nullopt));
        REQUIRE(position);
        REQUIRE(reader->local()->records()->find(*position, out));
        return out;
    }
    std::uint64_t count() const { return store->reader()->info().records; }
    /// Returns the errors: "3: no FEN"; warnings begin with a question mark.
    std::vector<std::string> errors() const {
        std::vector<std::string> out;
        store->reader()->for_each_error([&](const store::StoredError& each) {
            out.push_back((each.error.warning ? "?" : "") + std::to_string(each.error.line) + ": " +
                          each.error.reason);
            return true;
        });
        return out;
    }
};

Imported import(const TemporaryDirectory& directory, const std::string& text,
                ingest::ImportOptions options = {}) {
    static int number = 0;
    const std::string name = std::to_string(++number);
    const std::string path = write_file(directory, name, text);
    Imported out;
    out.store = store::file_store(directory.path() + "/" + name + ".db");
    out.summary = ingest::import_files(*out.store, {path}, options);
    return out;
}

std::string uci_of(const std::string& fen, const codec::Variation& pv) {
    chess::AnyPosition position = *chess::any_position(chess::parse_any_fen(fen, std::nullopt));
    std::string out;
    for (const chess::Move move : pv.moves) {
        out += (out.empty() ? "" : " ") + chess::to_uci(position, move, chess::Variant::kStandard);
        position.play(move);
    }
    return out;
}

std::string json_line(const std::string& fen, const std::string& evals) {
    return "{\"fen\":\"" + fen + "\",\"evals\":[" + evals + "]}\n";
}

/// The content of all records, in their order.
std::string dump(store::Store& store) {
    std::string out;
    const store::Reader reader = store.reader();
    reader->local()->records()->for_each([&](const chess::AnyPosition& position,
                                             const codec::PositionRecord& record) {
        out += chess::to_epd(position);
        for (const codec::Evaluation& each : record.evaluations) {
            out += " " + std::to_string(each.depth) + "/" + std::to_string(each.nodes);
            for (const codec::Variation& pv : each.pvs) {
                out += " " + std::to_string(pv.score.value) + "," + std::to_string(pv.moves.size());
            }
        }
        for (const auto& each : record.operations) out += " " + each.opcode + each.operand;
        out += '\n';
        return true;
    });
    return out;
}

/// Lines of positions after two random moves, some with the same position.
std::string random_lines(std::mt19937_64& random, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
        chess::AnyPosition position;
        for (int ply = 0; ply < 2; ++ply) {
            const chess::MoveList legal = chess::legal_moves(*position.standard());
            position.play(*(legal.begin() + random() % legal.size()));
        }
        const std::string score = std::to_string(static_cast<int>(random() % 200) - 100);
        const std::string depth = std::to_string(random() % 40);
        const std::string nodes = std::to_string(random() % 100'000);
        if (random() % 4 == 0) {
            out += chess::to_epd(position) + " ce " + score + "; acd " + depth + "; acn " + nodes +
                   "; id \"number " + std::to_string(random() % 9) + "\";\n";
        } else {
            out += json_line(chess::to_epd(position), "{\"pvs\":[{\"cp\":" + score +
                                                          ",\"line\":\"\"}],\"knodes\":" + nodes +
                                                          ",\"depth\":" + depth + "}");
        }
    }
    return out;
}

}  // namespace

TEST_CASE("Lichess's evaluations are read, with scores from White's view") {
    const TemporaryDirectory directory;
    const Imported imported = import(
        directory, json_line(kAfterE4,
                             "{\"pvs\":[{\"cp\":31,\"line\":\"c7c5 g1f3 d7d6\"}],\"knodes\":1234,"
                             "\"depth\":40},{\"pvs\":[{\"cp\":30,\"line\":\"e7e5\"},"
                             "{\"mate\":-4,\"line\":\"a7a6\"}],\"knodes\":5,\"depth\":22}") +
                       json_line(kCastling,
                                 "{\"pvs\":[{\"cp\":1,\"line\":\"e1g1 e8a8\"},"
                                 "{\"cp\":0,\"line\":\"e1h1 e8c8\"}],\"knodes\":9,\"depth\":3}"));
    CHECK(imported.summary.records == 2);
    CHECK(imported.summary.errors + imported.summary.warnings == 0);
    CHECK(imported.summary.failures.empty());
    CHECK(imported.count() == 2);
    const codec::PositionRecord record = imported.record(kAfterE4);
    REQUIRE(record.evaluations.size() == 2);
    CHECK(record.best() == record.evaluations.data());
    const codec::Evaluation& first = record.evaluations[0];
    CHECK(first.depth == 40);
    CHECK(first.nodes == 1'234'000);
    CHECK(first.pvs[0].score == codec::Score{false, 31});
    CHECK(uci_of(kAfterE4, first.pvs[0]) == "c7c5 g1f3 d7d6");
    CHECK(record.evaluations[1].pvs[1].score == codec::Score{true, -4});
    // Castling is read as the king's move and as king takes rook.
    const codec::PositionRecord castling = imported.record(kCastling);
    for (const codec::Variation& pv : castling.evaluations[0].pvs) {
        CHECK(uci_of(kCastling, pv) == "e1g1 e8c8");
    }
}

TEST_CASE("EPD is read, with scores from the view of the side to move") {
    const TemporaryDirectory directory;
    const Imported imported = import(
        directory, "# a suite\n" + std::string(kAfterE4) +
                       " ce 25; acd 18; acn 99001; pv 1...c5 Nf3; id \"e4\"; c0 \"a; b\";\r\n" +
                       kStart + " dm 3; acd 9; bm e4 d4;\n" + kCastling +
                       " 12 40 acd 7; foo \"own opcode\";\n" + "8/8/8/8/8/2k5/2p5/2K5 b - - dm 1;");
    CHECK(imported.errors().empty());
    CHECK(imported.count() == 4);
    const codec::PositionRecord e4 = imported.record(kAfterE4);
    REQUIRE(e4.evaluations.size() == 1);
    CHECK(e4.evaluations[0].pvs[0].score == codec::Score{false, -25});
    CHECK(e4.evaluations[0].nodes == 99'001);
    CHECK(uci_of(kAfterE4, e4.evaluations[0].pvs[0]) == "c7c5 g1f3");
    REQUIRE(e4.operations.size() == 2);
    CHECK(e4.operations[0].operand == "a; b");
    const codec::PositionRecord start = imported.record(kStart);
    CHECK(start.evaluations[0].pvs[0].score == codec::Score{true, 3});
    CHECK(start.operations[0].operand == "e4 d4");
    // Without a score there is no evaluation.
    const codec::PositionRecord castling = imported.record(kCastling);
    CHECK(castling.evaluations.empty());
    CHECK(castling.operations.size() == 2);
    CHECK(imported.record("8/8/8/8/8/2k5/2p5/2K5 b - -").evaluations[0].pvs[0].score ==
          codec::Score{true, -1});
}

TEST_CASE("A wrong line is an error with its number, and the others are kept") {
    const TemporaryDirectory directory;
    const std::string good =
        json_line(kStart, "{\"pvs\":[{\"cp\":1,\"line\":\"e2e4\"}],\"depth\":1}");
    std::string long_pv;
    for (int i = 0; i < 2500; ++i) long_pv += "g1f3 g8f6 f3g1 f6g8 ";
    const std::string lines[] = {
        good,
        "{\"fen\":\"rnbqkbnr\n",
        json_line("8/8/8/8/8/8/8/8 w - -", ""),
        json_line(kStart, "{\"pvs\":[{\"line\":\"e2e4\"}],\"depth\":1}"),
        json_line(kStart, "{\"pvs\":[{\"cp\":1,\"mate\":2,\"line\":\"e2e4\"}],\"depth\":1}"),
        json_line(kStart, "{\"pvs\":[{\"cp\":1,\"line\":\"e2e4\"}],\"depth\":-1}"),
        json_line(kStart, "{\"pvs\":[],\"depth\":1}"),
        json_line(kStart, "{\"pvs\":[{\"cp\":1.5,\"line\":\"e2e4\"}],\"depth\":1}"),
        "[Event \"?\"]\n",
        "{}\n",
        json_line(kAfterE4, "{\"pvs\":[{\"cp\":1,\"line\":\"c7c5 e4e6 c5c4\"}],\"depth\":1}"),
        json_line(kCastling, "{\"pvs\":[{\"cp\":1,\"line\":\"a1b1\"}],\"depth\":1}"),
        json_line("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -",
                  "{\"pvs\":[{\"cp\":1,\"line\":\"\"}],\"depth\":1}} trailing"),
        json_line("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
                  "{\"pvs\":[{\"cp\":1,\"line\":\"" + long_pv + "\"}],\"depth\":1}"),
        std::string(kStart) + " ce 5; ce 6; acd 3;\n",
        std::string(kAfterE4) + " id \"x\"; \xC3\xA9t\xC3\xA9 1; \"a b\" c; n\xC2\xB0 2;\n",
    };
    std::string text;
    for (const std::string& line : lines) text += line;
    const Imported imported = import(directory, text);
    const std::vector<std::string> errors = imported.errors();
    const char* const expected[] = {
        "2: damaged JSON",
        "3: placement: white has no king",
        "4: a PV has neither cp nor mate",
        "5: a PV has two scores",
        "6: a depth that is not a number from 0 on",
        "7: an evaluation without PVs",
        "8: a score that is not a number",
        "9: placement: ",
        "10: no FEN",
        "?11: a PV has a move that is not legal: it and what follows are left out",
        "13: damaged JSON",
        "?14: a PV is longer than 500 moves: the rest is left out",
        "?15: an operation is there twice: the second is left out",
        "?16: an operation whose name does not begin with a letter",
    };
    REQUIRE(errors.size() == std::size(expected));
    for (std::size_t i = 0; i < errors.size(); ++i) CHECK_THAT(errors[i], Contains(expected[i]));
    CHECK(imported.count() == 4);
    CHECK(imported.record(kAfterE4).evaluations[0].pvs[0].moves.size() == 1);
    CHECK(imported.record(kAfterE4).operations.size() == 1);
    CHECK(imported.record(kStart).evaluations[0].depth == 3);
    ingest::ImportOptions strict;
    strict.strict = true;
    CHECK_THROWS_AS(import(directory, text, strict), ingest::ImportFailed);
}

TEST_CASE("In any order and any split the same records are imported") {
    const TemporaryDirectory directory;
    std::mt19937_64 random(3);
    std::vector<std::string> lines;
    const std::string text = random_lines(random, 600);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        lines.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    const Imported whole = import(directory, text);
    CHECK(whole.errors().empty());
    const std::string expected = dump(*whole.store);
    CHECK(std::count(expected.begin(), expected.end(), '\n') ==
          static_cast<std::ptrdiff_t>(whole.count()));
    for (unsigned round = 0; round < 4; ++round) {
        std::shuffle(lines.begin(), lines.end(), random);
        std::vector<std::string> files;
        for (std::size_t i = 0; i < lines.size();) {
            std::string part;
            for (std::size_t count = 1 + random() % 300; count > 0 && i < lines.size(); --count) {
                part += lines[i++];
            }
            files.push_back(write_file(
                directory, std::to_string(round) + "-" + std::to_string(i) + ".jsonl", part));
        }
        ingest::ImportOptions options;
        options.threads = 1 + round % 2;
        options.batch_bytes = 500 + 3000 * round;
        options.read_bytes = 300;
        options.memory_bytes = std::size_t{1} << (10 + 4 * round);
        const std::shared_ptr<store::Store> store =
            store::file_store(directory.path() + "/split" + std::to_string(round) + ".db");
        for (const std::string& file : files) {
            if (random() % 2 == 0) static_cast<void>(ingest::import_files(*store, {file}, options));
        }
        static_cast<void>(ingest::import_files(*store, files, options));
        CHECK(dump(*store) == expected);
    }
}

TEST_CASE("An import of records that was stopped goes on where it stopped") {
    const TemporaryDirectory directory;
    std::mt19937_64 random(4);
    const std::string text = random_lines(random, 800);
    const std::string path = write_file(directory, "evals.jsonl", text);
    const Imported whole = import(directory, text);
    const std::string expected = dump(*whole.store);
    for (unsigned stop_at = 1; stop_at < 40; stop_at += 6) {
        CAPTURE(stop_at);
        const std::shared_ptr<store::Store> store =
            store::file_store(directory.path() + "/stop" + std::to_string(stop_at) + ".db");
        ingest::ImportOptions options;
        options.batch_bytes = 2000;
        options.read_bytes = 1000;
        unsigned calls = 0;
        options.stop = [&] { return ++calls > 10 * stop_at; };
        const ingest::ImportSummary first = ingest::import_files(*store, {path}, options);
        options.stop = {};
        ingest::ImportSummary second;
        if (first.stopped) second = ingest::import_files(*store, {path}, options);
        CHECK(first.records + second.records >= 800);
        CHECK(dump(*store) == expected);
        CHECK(store->reader()->sources().size() == 1);
        CHECK(store->reader()->sources().front().records == 800);
        CHECK(ingest::import_files(*store, {path}, options).known_sources == 1);
    }
}

TEST_CASE("An archive of records that ends early is read on, though nothing may be left") {
    const TemporaryDirectory directory;
    std::mt19937_64 random(5);
    const std::string text = random_lines(random, 300);
    const std::string archive = pgn::test::gzip_member(text);
    const std::string expected = dump(*import(directory, text).store);
    // All of the text comes without the checksum, which is the last 8 bytes.
    for (const std::size_t missing : {std::size_t{4}, archive.size() / 2}) {
        const std::shared_ptr<store::Store> store =
            store::file_store(directory.path() + "/cut" + std::to_string(missing) + ".db");
        const std::string path = directory.path() + "/evals.jsonl.gz";
        write_file(directory, "evals.jsonl.gz", archive.substr(0, archive.size() - missing));
        CHECK(ingest::import_files(*store, {path}, {}).failures.size() == 1);
        write_file(directory, "evals.jsonl.gz", archive);
        const ingest::ImportSummary rest = ingest::import_files(*store, {path}, {});
        CHECK(rest.failures.empty());
        CHECK((rest.records == 0) == (missing == 4));
        CHECK(dump(*store) == expected);
    }
}

TEST_CASE("Only games choose whether ply rows are stored") {
    const TemporaryDirectory directory;
    const std::string line =
        std::string(kStart) + " ce 20; id \"" + std::string(1000, 'x') + "\";\n";
    std::string lines;
    while (lines.size() <= ingest::kPlyRowsUpTo) lines += line;
    const std::string evals = write_file(directory, "evals.epd", lines);
    const std::string games = write_file(directory, "games.pgn", "1. e4 e5 *\n");
    CHECK(ingest::expected_text({evals, games}) < 100);
    const std::shared_ptr<store::Store> store = store::file_store(directory.path() + "/my.db");
    static_cast<void>(ingest::import_files(*store, {evals}, {}));
    CHECK_FALSE(store->reader()->info().ply_rows);
    const ingest::ImportSummary summary = ingest::import_files(*store, {games}, {});
    CHECK(summary.ply_rows == store::PlyRows::kYes);
    // A name may be wrong: then there are none.
    const std::shared_ptr<store::Store> other = store::file_store(directory.path() + "/other.db");
    static_cast<void>(
        ingest::import_files(*other, {write_file(directory, "games.jsonl", "1. e4 e5 *\n")}, {}));
    CHECK(other->reader()->info().games == 1);
    CHECK(other->reader()->info().ply_rows == store::PlyRows::kNo);
}

TEST_CASE("Records of positions that no game has reached can be left out") {
    const TemporaryDirectory directory;
    const std::string games = write_file(directory, "games.pgn", "1. e4 e5 2. Nf3 *\n\n1. d4 *\n");
    const std::string evals = write_file(
        directory, "evals.epd",
        std::string(kStart) + " ce 20;\n" + kAfterE4 + " ce -20;\n" + kCastling + " ce 1;\n" +
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQk - ce 2;\n");
    ingest::ImportOptions options;
    options.only_known = true;
    const std::shared_ptr<store::Store> store = store::file_store(directory.path() + "/my.db");
    const ingest::ImportSummary summary = ingest::import_files(*store, {games, evals}, options);
    CHECK(summary.games == 2);
    CHECK(summary.records == 2);
    CHECK(summary.unknown == 2);
    CHECK(store->reader()->info().records == 2);
}
