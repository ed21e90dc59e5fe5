// Keys and fingerprint as described in schema/FORMAT.md, computed from the stored EPDs without the
// program's code, apart from Polyglot's published numbers.
#include <array>
#include <catch2/catch.hpp>
#include <charconv>
#include <map>
#include <sstream>

#include "chess/zobrist.hpp"
#include "ingest/ingest_fixtures.hpp"

namespace {

using namespace fendex;
using test::Imported;
using test::TemporaryDirectory;

/// "What SplitMix64 returns from state x."
std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
    x = (x ^ x >> 27) * 0x94D049BB133111EBU;
    return x ^ x >> 31;
}

constexpr std::string_view kPieces = "pPnNbBrRqQkK";  // Polyglot's order of kinds

struct Board {
    std::map<unsigned, char> squares;  // a1 is 0
    std::array<unsigned, 12> pocket{};
    std::uint64_t promoted = 0;  // the terms of pieces that were pawns
};

Board board_of(const std::string& placement) {
    Board board;
    unsigned rank = 7;
    unsigned file = 0;
    bool in_pocket = false;
    for (const char c : placement) {
        if (c == '/') {
            in_pocket = rank == 0;
            rank -= in_pocket ? 0 : 1;
            file = 0;
        } else if (in_pocket) {
            ++board.pocket[kPieces.find(c)];
        } else if (c == '~') {
            board.promoted ^= mix(0x66656E64657B0000U + 8 * rank + file - 1);
        } else if (c >= '1' && c <= '8') {
            file += static_cast<unsigned>(c - '0');
        } else {
            board.squares[8 * rank + file++] = c;
        }
    }
    return board;
}

/// Returns the square of the rook that a letter of the castling field names, and whether it is the
/// outermost.
std::pair<unsigned, bool> rook_of(const Board& board, char letter) {
    const bool white = letter >= 'A' && letter <= 'Z';
    const char kind = white ? static_cast<char>(letter | 0x20) : letter;
    const unsigned first = white ? 0 : 56;
    const char rook = white ? 'R' : 'r';
    if (kind >= 'a' && kind <= 'h') return {first + static_cast<unsigned>(kind - 'a'), false};
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned square = first + (kind == 'q' ? i : 7 - i);
        const auto piece = board.squares.find(square);
        if (piece != board.squares.end() && piece->second == rook) return {square, true};
    }
    return {64, false};
}

std::uint64_t key_of(const std::string& epd, unsigned variant) {
    std::istringstream words(epd);
    std::string placement;
    std::string side;
    std::string castling;
    std::string en_passant;
    std::string checks;
    words >> placement >> side >> castling >> en_passant >> checks;
    const auto& polyglot = chess::zobrist::kPolyglot;
    const Board board = board_of(placement);
    std::uint64_t key = board.promoted;
    for (const auto& [square, piece] : board.squares) {
        key ^= polyglot[64 * kPieces.find(piece) + square];
    }
    for (const char letter : castling == "-" ? std::string() : castling) {
        const auto [square, outermost] = rook_of(board, letter);
        const bool by_letter = outermost && variant == 0;
        key ^= by_letter ? polyglot[768 + std::string_view("KQkq").find(letter)]
                         : mix(0x66656E6465780000U + square);
    }
    if (en_passant != "-") key ^= polyglot[772 + static_cast<unsigned>(en_passant[0] - 'a')];
    if (side == "w") key ^= polyglot[780];
    if (variant == 0) return key;
    key ^= mix(0x66656E6465790000U + variant);
    for (unsigned kind = 0; kind < 12; ++kind) {
        const unsigned count = board.pocket[kind];
        if (count != 0) key ^= mix(0x66656E64657A0000U + 256 * kind + count);
    }
    if (!checks.empty()) {  // +White's+Black's
        const auto given = [&](std::size_t at) { return static_cast<unsigned>(checks[at] - '0'); };
        if (given(1) != 0) key ^= mix(0x66656E64657C0000U + 256 + given(1));
        if (given(3) != 0) key ^= mix(0x66656E64657C0000U + given(3));
    }
    return key;
}

}  // namespace

TEST_CASE("Keys and the fingerprint are those that FORMAT.md describes") {
    const TemporaryDirectory directory;
    const Imported imported({directory.write(
        "a.pgn",
        "1. e4 d5 2. e5 f5 3. Nf3 Nc6 4. Be2 e6 5. O-O Qe7 1-0\n\n"
        "1. a4 b5 2. h4 b4 3. c4 bxc3 4. Ra3 *\n\n"
        // Rights of rooks that are not the outermost.
        "[Variant \"Chess960\"]\n[FEN \"1r2kr1r/8/8/8/8/8/8/R2RK2R w HDfb - 0 1\"]\n\n1. Ra2 Rh7 "
        "*\n\n"
        "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 Nf6 5. P@d7+ Kd8 6. "
        "dxc8=Q+ Kxc8 *\n\n"
        "[Variant \"Three-check\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Bc4+ Kf6 *\n\n"
        "[Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 *\n")});
    REQUIRE(imported.summary().errors == 0);
    std::uint64_t fingerprint = 0;
    std::size_t rows = 0;
    bool promoted = false;
    bool inner = false;
    for (const std::string& row : imported.rows(
             "SELECT game_id || '|' || ply || '|' || CASE WHEN variant = 1 THEN 0 ELSE variant END"
             " || '|' || printf('%016x', key) || '|' || epd FROM ply JOIN game ON game.id = "
             "game_id")) {
        CAPTURE(row);
        std::istringstream fields(row);
        std::array<std::string, 5> field;
        for (std::string& each : field) std::getline(fields, each, '|');
        const std::uint64_t game = std::stoull(field[0]);
        const std::uint64_t ply = std::stoull(field[1]);
        const std::uint64_t key = key_of(field[4], static_cast<unsigned>(std::stoul(field[2])));
        CHECK(key == std::stoull(field[3], nullptr, 16));
        fingerprint += mix(key ^ (mix(game) + ply * 0xD1B54A32D192ED03U));
        promoted |= field[4].find('~') != std::string::npos;
        inner |=
            field[4].find("Db") != std::string::npos || field[4].find("Df") != std::string::npos;
        ++rows;
    }
    CHECK(rows == imported.info().positions);
    CHECK(promoted);
    CHECK(inner);
    CHECK(fingerprint == imported.info().fingerprint);
}
