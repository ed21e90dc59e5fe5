#include "chess/san.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex::chess;
using fendex::test::any_start;
using fendex::test::Random;
using fendex::test::random_game;

Position position_of(const std::string& fen) {
    const FenResult result = parse_fen(fen);
    INFO(fen << ": " << result.error.field << ": " << result.error.reason);
    REQUIRE(result.position);
    return *result.position;
}

/// Returns the move that a text names in a position, in UCI (castling as king takes rook), or the
/// error.
std::string read(const Position& position, std::string_view text) {
    SanMove san;
    const SanError parsed = parse_san(text, san);
    if (parsed != SanError::kNone) return std::string(describe(parsed));
    Move move;
    const SanError resolved = resolve_san(position, san, move);
    if (resolved != SanError::kNone) return std::string(describe(resolved));
    return to_uci(position, move, Variant::kChess960);
}

std::string read(const std::string& fen, std::string_view text) {
    return read(position_of(fen), text);
}

SanError parse_error(std::string_view text) {
    SanMove san;
    return parse_san(text, san);
}

/// Returns the legal moves whose SAN begins with `prefix`.
std::set<std::string> sans(const std::string& fen, std::string_view prefix) {
    const Position position = position_of(fen);
    MoveList moves;
    legal_moves(position, moves);
    std::set<std::string> found;
    for (const Move m : moves) {
        const std::string san = to_san(position, m);
        if (san.starts_with(prefix)) found.insert(san);
    }
    return found;
}

using Sans = std::set<std::string>;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string kCastling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const std::string kPromotion = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
const std::string kEnPassant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";

}  // namespace

TEST_CASE("SAN in: pawn moves are read in every usual spelling") {
    for (const char* const text : {"e4", "e4!", "e4?!", "e4+", "e4#", "e4++", "e4+!?", "Pe4",
                                   "e2e4", "e2-e4", "Pe2e4", "Pe2-e4",
                                   "e2\xE2\x80\x93"
                                   "e4"}) {
        CAPTURE(text);
        CHECK(read(kStart, text) == "e2e4");
    }
    CHECK(read(kStart, "e3") == "e2e3");
    CHECK(read(kStart, "e2-e3") == "e2e3");
    CHECK(read(kStart, "e5") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "e2e5") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "e2d3") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "exd3") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "Pxd3") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "e7e5") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "e4e5") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "Pe3e4") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "e1") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "e8=Q") == describe(SanError::kNoSuchPiece));

    // A double step over a piece, or onto one.
    const std::string blocked = "4k3/8/8/8/3n4/4n3/3PP3/4K3 w - - 0 1";
    CHECK(read(blocked, "e4") == describe(SanError::kNoSuchPiece));
    CHECK(read(blocked, "d4") == describe(SanError::kNoSuchPiece));
    CHECK(read(blocked, "d3") == "d2d3");
    CHECK(read(blocked, "dxe3") == "d2e3");
}

TEST_CASE("SAN in: captures and captures en passant are read") {
    for (const char* const text :
         {"exd6", "exd6e.p.", "exd6ep", "exd6e.p.+", "exd6ep!", "ed6", "ed6e.p.", "e5xd6", "e5d6",
          "e5:d6", "e:d6", "Pexd6", "Pxd6", "e5xd6e.p."}) {
        CAPTURE(text);
        CHECK(read(kEnPassant, text) == "e5d6");
    }
    CHECK(read(kEnPassant, "e6") == "e5e6");
    CHECK(read(kEnPassant, "d6") == describe(SanError::kNoSuchPiece));
    CHECK(read(kEnPassant, "exf6") == describe(SanError::kNoSuchPiece));
    CHECK(read("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6") == describe(SanError::kNoSuchPiece));
    CHECK(read("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "Pxd6") == describe(SanError::kAmbiguous));
    CHECK(read("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "cxd6") == "c5d6");
    // Both pawns would leave the rank on which the king is attacked.
    CHECK(read("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "exd6") == describe(SanError::kIllegal));
    // One of two is pinned: no file is needed.
    CHECK(read("2r1k3/8/3p4/2P1P3/2K5/8/8/8 w - - 0 1", "Pxd6") == "e5d6");
}

TEST_CASE("SAN in: promotions are read in every usual spelling") {
    for (const char* const text :
         {"a8=Q", "a8Q", "a8(Q)", "a8=(Q)", "a8/Q", "a8=Q+", "a8Q#", "a8(Q)!", "a8=q", "a7a8q",
          "a7a8=Q", "a7-a8=Q", "a7a8Q", "a8q"}) {
        CAPTURE(text);
        CHECK(read(kPromotion, text) == "a7a8q");
    }
    for (const char* const text :
         {"axb8=B", "axb8B", "ab8b", "a7b8b", "a7xb8(B)", "axb8/B", "a7b8b+", "Pxb8=B"}) {
        CAPTURE(text);
        CHECK(read(kPromotion, text) == "a7b8b");
    }
    CHECK(read(kPromotion, "a7a8b") == "a7a8b");
    CHECK(read(kPromotion, "a8b") == "a7a8b");
    CHECK(read(kPromotion, "a8=N") == "a7a8n");
    CHECK(read(kPromotion, "a8=R") == "a7a8r");
    CHECK(read(kPromotion, "a8") == describe(SanError::kNoPromotion));
    CHECK(read(kPromotion, "a7a8") == describe(SanError::kNoPromotion));
    CHECK(read("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a1=N") == "a2a1n");
    CHECK(read("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1b") == "a2a1b");
    // On a last rank, but not this side's; and by a piece other than a pawn.
    CHECK(read("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a8=N") == describe(SanError::kNoSuchPiece));
    CHECK(read(kPromotion, "e1e2q") == describe(SanError::kBadPromotion));
    CHECK(read("4k3/1R6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q") == describe(SanError::kNoSuchPiece));
}

TEST_CASE("SAN in: castling is read in every usual spelling") {
    for (const char* const text :
         {"O-O", "0-0", "o-o", "O-O+", "O-O#", "0-0!", "OO", "O\xE2\x80\x93O",
          "0\xE2\x80\x94"
          "0",
          "0\xE2\x88\x92"
          "0",
          "e1g1", "e1h1", "e1-g1"}) {
        CAPTURE(text);
        CHECK(read(kCastling, text) == "e1h1");
    }
    for (const char* const text : {"O-O-O", "0-0-0", "o-o-o", "O-O-O+!", "OOO",
                                   "O\xE2\x80\x93O\xE2\x80\x93O", "e1c1", "e1a1"}) {
        CAPTURE(text);
        CHECK(read(kCastling, text) == "e1a1");
    }
    CHECK(read(kCastling, "e1g8") == describe(SanError::kNoSuchPiece));
    const std::string cannot(describe(SanError::kCannotCastle));
    CHECK(read("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "O-O") == cannot);
    CHECK(read("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1g1") == cannot);
    CHECK(read("r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1", "O-O") == cannot);  // blocked
    CHECK(read("r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1", "O-O-O") == cannot);
    CHECK(read("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "O-O") == cannot);  // in check
    CHECK(read("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O") == cannot);   // through check
    CHECK(read("4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O") == cannot);  // into check
    // Only the rook passes an attacked square.
    CHECK(read("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O") == "e1a1");
}

TEST_CASE("SAN in: castling is read in Chess960") {
    // The king stays put, the rook stays put, each goes where the other was.
    CHECK(read("1k6/8/8/8/8/8/8/6KR w K - 0 1", "O-O") == "g1h1");
    CHECK(read("1k6/8/8/8/8/8/8/6KR w K - 0 1", "g1h1") == "g1h1");
    CHECK(read("1k6/8/8/8/8/8/8/4KR2 w K - 0 1", "O-O") == "e1f1");
    CHECK(read("1k6/8/8/8/8/8/8/5KR1 w K - 0 1", "O-O") == "f1g1");
    CHECK(read("7k/8/8/8/8/8/8/R1K5 w Q - 0 1", "O-O-O") == "c1a1");
    CHECK(read("7k/8/8/8/8/8/8/3RK3 w Q - 0 1", "O-O-O") == "e1d1");
    CHECK(read("7k/8/8/8/8/8/8/2RK4 w Q - 0 1", "O-O-O") == "d1c1");
    CHECK(read("7k/8/8/8/8/8/8/1RK5 w Q - 0 1", "c1b1") == "c1b1");
    // The inner of two rooks.
    CHECK(read("8/k7/8/8/8/8/8/4KR1R w F - 0 1", "O-O") == "e1f1");
    CHECK(read("8/k7/8/8/8/8/8/4KR1R w F - 0 1", "e1h1") == describe(SanError::kNoSuchPiece));
    // The rook was a shield: without it the king is in check.
    CHECK(read("7k/8/8/8/8/8/8/qRK5 w Q - 0 1", "O-O-O") == describe(SanError::kCannotCastle));
    // A king on b1 moves to c1, or castles there; UCI distinguishes the two.
    const Position both = position_of("7k/8/8/8/8/8/8/RK6 w Q - 0 1");
    CHECK(read(both, "Kc1") == "b1c1");
    CHECK(read(both, "b1c1") == "b1c1");
    CHECK(read(both, "O-O-O") == "b1a1");
    CHECK(to_uci(both, Move(1, 0, MoveKind::kCastle), Variant::kChess960) == "b1a1");
    CHECK(to_uci(position_of(kCastling), Move(4, 0, MoveKind::kCastle), Variant::kStandard) ==
          "e1c1");
    CHECK(to_uci(position_of(kCastling), Move(4, 7, MoveKind::kCastle), Variant::kStandard) ==
          "e1g1");
}

TEST_CASE("SAN in: too little disambiguation is refused, and too much is read") {
    for (const char* const text :
         {"Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "g1-f3", "Nf3+", "Nf3!!",
          "Ng1\xE2\x80\x93"
          "f3",
          "Nxf3"}) {
        CAPTURE(text);
        CHECK(read(kStart, text) == "g1f3");
    }
    CHECK(read(kStart, "Nd2") == describe(SanError::kNoSuchPiece));  // own pawn there
    CHECK(read(kStart, "Nbf3") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "N2f3") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "Bb5") == describe(SanError::kNoSuchPiece));  // e2 is in the way
    CHECK(read(kStart, "Qd5") == describe(SanError::kNoSuchPiece));
    CHECK(read(kStart, "g8f6") == describe(SanError::kNoSuchPiece));

    const std::string knights = "4k3/8/8/1N3N2/8/8/8/4K3 w - - 0 1";
    CHECK(read(knights, "Nd4") == describe(SanError::kAmbiguous));
    CHECK(read(knights, "Nbd4") == "b5d4");
    CHECK(read(knights, "N5d4") == describe(SanError::kAmbiguous));
    CHECK(read(knights, "Nf5d4") == "f5d4");

    // A pinned piece is not a candidate.
    const std::string pinned = "4k3/4r3/8/8/8/4N3/8/1N2K3 w - - 0 1";
    CHECK(read(pinned, "Nc2") == describe(SanError::kIllegal));
    // Neither are two pinned pieces.
    CHECK(read("4k3/4r3/8/b7/8/4N3/3N4/4K3 w - - 0 1", "Nc4") == describe(SanError::kIllegal));
    const std::string one_pinned = "4k3/4r3/8/8/4N3/8/8/N3K3 w - - 0 1";
    CHECK(read(one_pinned, "Nc3") == describe(SanError::kIllegal));
    CHECK(read("4k3/4r3/8/8/4N3/8/8/1N2K3 w - - 0 1", "Nc3") == "b1c3");
    CHECK(read("4k3/4r3/8/8/4N3/8/8/1N2K3 w - - 0 1", "Nec3") == describe(SanError::kIllegal));
    CHECK(read("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "Kd1") == describe(SanError::kIllegal));
    CHECK(read("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "Kxe2") == "e1e2");
    CHECK(read("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2") == "e1e2");
    CHECK(read("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "Ke3") == describe(SanError::kNoSuchPiece));
    // It may move along the line it is pinned on.
    CHECK(read("4k3/4r3/8/8/4R3/8/8/4K2R w - - 0 1", "Re2") == "e4e2");
}

TEST_CASE("SAN in: null moves are read") {
    for (const char* const text : {"--", "Z0", "@@@@", "0000", "null"}) {
        CAPTURE(text);
        CHECK(read(kStart, text) == "0000");
        CHECK(read("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", text) == describe(SanError::kNullInCheck));
    }
    CHECK(to_san(Position(), Move::null()) == "--");
}

TEST_CASE("SAN in: words that are not moves are refused") {
    CHECK(parse_error("") == SanError::kEmpty);
    for (const char* const text :
         {"*",     "1-0",  "1/2-1/2",  "0-1",   "hello",    "N",       "Nf",   "N3",
          "e",     "exd",  "Kx",       "O",     "O-",       "O-O-O-O", "--e4", "-",
          "$1",    "+",    "=",        "Z1",    "i4",       "e9",      "Ni3",  "x",
          "0-0-1", "\xE2", "\xE2\x80", "e\xE2", "\xC3\xA9", "e2e",     "N@f3"}) {
        CAPTURE(text);
        CHECK(parse_error(text) != SanError::kNone);
    }
    CHECK(parse_error("Nf") == SanError::kNoTarget);
    CHECK(parse_error("exd") == SanError::kNoTarget);
    CHECK(parse_error("e2e4e6") == SanError::kTooManySquares);
    CHECK(parse_error("Nb1c3d5") == SanError::kTooManySquares);
    CHECK(parse_error("e44") == SanError::kTooManySquares);
    CHECK(parse_error("e8=K") == SanError::kBadPromotion);
    CHECK(parse_error("e8=P") == SanError::kBadPromotion);
    CHECK(parse_error("e8=") == SanError::kBadPromotion);
    CHECK(parse_error("e4=Q") == SanError::kBadPromotion);
    CHECK(parse_error("Nf8=Q") == SanError::kBadPromotion);
    CHECK(parse_error("Rb8b") == SanError::kBadPromotion);
    CHECK(parse_error("e4x?") == SanError::kNone);
    CHECK(parse_error("e4z") == SanError::kUnknownCharacter);
    CHECK(parse_error("hello") != SanError::kNone);
}

TEST_CASE("SAN out: a move is disambiguated by file, else rank, else both, and only if necessary") {
    CHECK(sans("4k3/8/8/1N3N2/8/8/8/4K3 w - - 0 1", "Nbd").count("Nbd4") == 1);
    // The file is used, although ranks differ, too.
    CHECK(sans("7k/8/8/1N6/8/8/8/K3N3 w - - 0 1", "N").count("Nbd4") == 0);
    CHECK(sans("7k/8/8/1N6/8/5N2/8/K7 w - - 0 1", "N").count("Nbd4") == 1);
    CHECK(sans("7k/8/8/1N6/8/5N2/8/K7 w - - 0 1", "N").count("Nfd4") == 1);
    // The rank is used if the file does not suffice.
    CHECK(sans("7k/8/8/8/R7/8/8/R6K w - - 0 1", "R").count("R1a3") == 1);
    CHECK(sans("7k/8/8/8/R7/8/8/R6K w - - 0 1", "R").count("R4a3") == 1);
    // Both are used if neither suffices.
    const Sans queens = sans("7k/8/8/1Q1Q4/8/1Q6/8/7K w - - 0 1", "Q");
    CHECK(queens.count("Qb5d3") == 1);
    CHECK(queens.count("Q3d3") == 1);
    CHECK(queens.count("Qdd3") == 1);
    CHECK(queens.count("Qbd3") == 0);
    CHECK(queens.count("Q3b4") == 1);
    CHECK(queens.count("Q5b4") == 1);
    // A pinned rival does not count.
    CHECK(sans("4k3/4r3/8/8/4N3/8/8/1N2K3 w - - 0 1", "Nc") == Sans{"Nc3"});
    CHECK(sans("4k3/8/8/8/8/8/8/RN2K2R w - - 0 1", "R").count("Rf1") == 1);
    // Pawns name their file only when they capture.
    CHECK(sans(kEnPassant, "e") == Sans{"e6", "exd6"});
    CHECK(sans(kPromotion, "a") ==
          Sans{"a8=N", "a8=B", "a8=R", "a8=Q", "axb8=N", "axb8=B", "axb8=R+", "axb8=Q+"});
}

TEST_CASE("SAN out: check and mate are marked, also after castling, and stalemate is not") {
    CHECK(sans("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8") == Sans{"Ra8#"});
    CHECK(sans("6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", "Ra8") == Sans{"Ra8+"});
    CHECK(sans("k7/2K5/8/1Q6/8/8/8/8 w - - 0 1", "Qb6") == Sans{"Qb6"});  // stalemate
    CHECK(sans("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O") == Sans{"O-O+", "O-O-O"});
    CHECK(sans("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O") == Sans{"O-O", "O-O-O+"});
    // The check comes from behind the pawn that is taken en passant.
    CHECK(sans("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", "exd6") == Sans{"exd6+"});
    // An en passant capture ends the check, so it is not mate.
    CHECK(sans("8/8/8/N1k2N2/4pN2/8/3P4/1R1R3K w - - 0 1", "d4") == Sans{"d4+"});
    CHECK(sans("8/8/8/N1k2N2/5N2/8/3P4/1R1R3K w - - 0 1", "d4") == Sans{"d4#"});
}

TEST_CASE("SAN and UCI round trip: every legal move of random games is read back") {
    Random random(8);
    unsigned moves_checked = 0;
    for (unsigned game = 0; game < fendex::test::fewer(120U); ++game) {
        random_game(any_start(random, game), random, 150, [&](const Position& p, Move) {
            MoveList moves;
            legal_moves(p, moves);
            std::set<std::string> texts;
            for (const Move m : moves) {
                const std::string san = to_san(p, m);
                const std::string uci = to_uci(p, m, Variant::kChess960);
                if (!texts.insert(san).second) FAIL(san << " twice in " << to_fen(p));
                if (!texts.insert(uci).second) FAIL(uci << " twice in " << to_fen(p));
                for (const std::string& text : {san, uci}) {
                    SanMove parsed;
                    Move found;
                    if (parse_san(text, parsed) != SanError::kNone ||
                        resolve_san(p, parsed, found) != SanError::kNone || found != m) {
                        FAIL(text << " in " << to_fen(p));
                    }
                }
                ++moves_checked;
            }
        });
    }
    CHECK(moves_checked > fendex::test::fewer(100000U));
}

TEST_CASE("SAN out is the shortest that resolves") {
    // All disambiguation is needed: without it, another legal move has the same name.
    Random random(9);
    unsigned disambiguated = 0;
    for (unsigned game = 0; game < fendex::test::fewer(100U); ++game) {
        random_game(any_start(random, game), random, 150, [&](const Position& p, Move) {
            MoveList moves;
            legal_moves(p, moves);
            for (const Move m : moves) {
                if (m.kind() == MoveKind::kCastle) continue;
                const PieceType type = type_of(p.piece_on(m.from()));
                if (type == PieceType::kPawn) continue;
                bool rival = false;
                bool same_file = false;
                bool same_rank = false;
                for (const Move other : moves) {
                    if (other == m || other.to() != m.to() || other.kind() == MoveKind::kCastle ||
                        type_of(p.piece_on(other.from())) != type) {
                        continue;
                    }
                    rival = true;
                    same_file = same_file || file_of(other.from()) == file_of(m.from());
                    same_rank = same_rank || rank_of(other.from()) == rank_of(m.from());
                }
                std::string expected(1, "PNBRQK"[index(type)]);
                std::string origin;
                append_square(m.from(), origin);
                if (rival && !same_file) expected += origin[0];
                if (rival && same_file && !same_rank) expected += origin[1];
                if (rival && same_file && same_rank) expected += origin;
                if (p.piece_on(m.to()) != Piece::kNone) expected += 'x';
                append_square(m.to(), expected);
                Position after = p;
                after.play(m);
                if (after.in_check()) expected += has_legal_move(after) ? '+' : '#';
                if (to_san(p, m) != expected) FAIL(to_san(p, m) << " in " << to_fen(p));
                disambiguated += rival;
            }
        });
    }
    CHECK(disambiguated > fendex::test::fewer(1000U));
}

TEST_CASE("SAN in finds legal moves only, whatever the text") {
    Random random(10);
    constexpr std::string_view kCharacters = "abcdefgh12345678KQRBNPxO0o-=+#epq()/";
    unsigned found = 0;
    for (unsigned game = 0; game < 40; ++game) {
        random_game(any_start(random, game), random, 80, [&](const Position& p, Move) {
            MoveList moves;
            legal_moves(p, moves);
            for (unsigned i = 0; i < 100; ++i) {
                std::string text;
                for (std::size_t length = 1 + random() % 6; text.size() < length;) {
                    text += kCharacters[random() % kCharacters.size()];
                }
                // Random text names moves too seldom, so half the texts have two squares.
                if (i % 2 == 0) {
                    text.clear();
                    append_square(static_cast<Square>(random() % 64), text);
                    append_square(static_cast<Square>(random() % 64), text);
                }
                SanMove parsed;
                Move m;
                if (parse_san(text, parsed) != SanError::kNone ||
                    parsed.kind == SanMove::Kind::kNull ||
                    resolve_san(p, parsed, m) != SanError::kNone) {
                    continue;
                }
                if (!moves.contains(m)) FAIL(text << " in " << to_fen(p));
                ++found;
            }
        });
    }
    CHECK(found > 500);
}
