// The table of openings, read again from its files and replayed by the PGN reader's own replay.
#include "replay/opening_names.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>
#include <fstream>
#include <map>
#include <thread>

#include "base/checksum.hpp"
#include "chess/fen.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/reader.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using replay::Opening;
using replay::opening_of;

struct Line {
    std::string eco;
    std::string name;
    std::string moves;
};

std::string file_of_openings(const std::string& name) {
    return std::string(FENDEX_OPENINGS) + "/" + name;
}

constexpr const char* kVolumes[] = {"a.tsv", "b.tsv", "c.tsv", "d.tsv", "e.tsv"};

std::vector<Line> all_lines() {
    std::vector<Line> lines;
    for (const char* const volume : kVolumes) {
        std::ifstream file(file_of_openings(volume));
        REQUIRE(file);
        std::string text;
        std::getline(file, text);
        REQUIRE(text == "eco\tname\tpgn");
        Line line;
        while (std::getline(file, line.eco, '\t') && std::getline(file, line.name, '\t') &&
               std::getline(file, line.moves)) {
            lines.push_back(line);
        }
    }
    return lines;
}

chess::Position after(const std::string& moves) {
    std::vector<store::TagPair> tags;
    std::deque<std::string> owned;
    ingest::GameReplay replay;
    replay.start(tags, owned);
    pgn::read_game(moves, false, replay);
    replay.finish();
    INFO(moves);
    REQUIRE(replay.problems().empty());
    chess::Position position = *replay.start_position().standard();
    for (const chess::Move move : replay.moves()) position.play(move);
    return position;
}

/// Returns what keys.txt must have.
std::string keys_of_lines() {
    std::string keys;
    for (const Line& line : all_lines()) keys += fmt::format("{:016x}\n", after(line.moves).key());
    return keys;
}

std::string name_after(const std::string& moves) {
    const std::optional<Opening> opening = opening_of(after(moves));
    return opening ? std::string(opening->name) : "";
}

}  // namespace

TEST_CASE("the position of every line in the table of openings has that line's name") {
    const std::vector<Line> lines = all_lines();
    CHECK(lines.size() > 3000);
    std::map<std::string, const Line*> first;  // by EPD, which is a position's identity
    for (const Line& line : lines) {
        const chess::Position position = after(line.moves);
        const auto [at, is_new] = first.emplace(chess::to_epd(position), &line);
        // Lines that share a position would be errors of the table; there are none.
        INFO(line.moves << " and " << at->second->moves);
        CHECK(is_new);
        const std::optional<Opening> opening = opening_of(position);
        REQUIRE(opening);
        CHECK(opening->eco == at->second->eco);
        CHECK(opening->name == at->second->name);
        CHECK(opening->line == at->second->moves);
        CHECK(opening->text == line.eco + " " + line.name);
    }
}

TEST_CASE("the keys of openings are those of their lines") {
    CHECK(test::read_file(file_of_openings("keys.txt")) == keys_of_lines());
}

TEST_CASE("the keys of openings are written to their file", "[.][write]") {
    const std::string keys = keys_of_lines();
    std::ofstream file(file_of_openings("keys.txt"));
    CHECK(file << keys << std::flush);
}

TEST_CASE("the mark of the table of openings changes with its text") {
    // The checksum goes on from piece to piece, and a piece has whole lines of at most 60,000
    // bytes.
    std::uint64_t mark = 0;
    for (const char* const volume : kVolumes) {
        const std::string text = test::read_file(file_of_openings(volume));
        for (std::string_view rest = text; !rest.empty();) {
            const std::string_view piece = rest.substr(0, rest.rfind('\n', 60'000 - 1) + 1);
            mark = base::checksum(piece, mark);
            rest.remove_prefix(piece.size());
        }
    }
    CHECK(mark == replay::kOpeningTableMark);
}

TEST_CASE("openings are named by position, not by the order of the moves") {
    CHECK(name_after("1. e4 c5") == "Sicilian Defense");
    CHECK(name_after("1. c4 e6 2. d4 d5") == name_after("1. d4 d5 2. c4 e6"));
    CHECK_FALSE(name_after("1. c4 e6 2. d4 d5").empty());
    CHECK(name_after("1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3") ==
          name_after("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3"));
    CHECK_FALSE(name_after("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3").empty());
    // Clocks, and an en passant square that no pawn can use, do not matter.
    const chess::FenResult e4 =
        chess::parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 17 40");
    REQUIRE(e4.position);
    CHECK(opening_of(*e4.position)->eco == "B00");
    // Without a right to castle it is another position.
    const chess::FenResult other =
        chess::parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1");
    REQUIRE(other.position);
    CHECK_FALSE(opening_of(*other.position));
}

TEST_CASE("positions that are not in the table of openings have no name") {
    CHECK_FALSE(opening_of(chess::Position()));
    CHECK_FALSE(opening_of(after("1. e4 c5 2. h4 h5 3. a4 a5 4. Rh3")));
    CHECK_FALSE(opening_of(std::uint64_t{0}));
}

TEST_CASE("several threads may use the table of openings for the first time") {
    // The thread sanitizer checks this.
    std::vector<std::jthread> threads;
    std::vector<int> found(4);
    const std::uint64_t key = after("1. e4 e5").key();
    for (int& n : found) {
        threads.emplace_back([&n, key] { n = opening_of(key) ? 1 : 0; });
    }
    threads.clear();
    CHECK(found == std::vector<int>{1, 1, 1, 1});
}
