// SAN of variants: every legal move of random games reads back, and real games replay.
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/variant_movegen.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using chess::Move;
using chess::Variant;
using chess::VariantPosition;

constexpr Variant kVariants[] = {
    Variant::kCrazyhouse, Variant::kThreeCheck, Variant::kKingOfTheHill,
    Variant::kAtomic,     Variant::kAntichess,  Variant::kSuicide,
    Variant::kLosers,     Variant::kHorde,      Variant::kRacingKings};

VariantPosition played(Variant variant, const std::vector<std::string>& moves) {
    VariantPosition position(variant);
    for (const std::string& text : moves) {
        Move move;
        INFO(text);
        REQUIRE(chess::read_san(position, text, move) == chess::SanError::kNone);
        CHECK(chess::to_san(position, move) == text);
        position.play(move);
    }
    return position;
}

}  // namespace

TEST_CASE("Variants: every move and FEN of random games is read back as the same") {
    for (const Variant variant : kVariants) {
        std::mt19937 random(static_cast<unsigned>(variant));
        for (unsigned game = 0; game < test::fewer(20U); ++game) {
            VariantPosition position(variant);
            for (unsigned ply = 0; ply < 80; ++ply) {
                const chess::FenResult fen = chess::parse_any_fen(chess::to_fen(position), variant);
                INFO(chess::to_fen(position) << ' ' << fen.error.reason);
                REQUIRE(fen.variant_position);
                REQUIRE(fen.variant_position->same_as(position));
                REQUIRE(fen.variant_position->key() == position.key());
                const std::vector<Move> legal = chess::legal_moves(position);
                if (legal.empty()) break;
                for (const Move move : legal) {
                    for (const std::string& text :
                         {chess::to_san(position, move), chess::to_uci(position, move)}) {
                        if (text.ends_with('k')) continue;  // a promotion to a king in UCI
                        Move read;
                        INFO(text);
                        REQUIRE(chess::read_san(position, text, read) == chess::SanError::kNone);
                        REQUIRE(read == move);
                    }
                }
                position.play(legal[random() % legal.size()]);
            }
        }
    }
}

TEST_CASE("Three-check: the published position is reached by its moves") {
    const VariantPosition position =
        played(Variant::kThreeCheck, {"e4", "e5", "d4", "Bb4+", "c3", "Bxc3+", "Nxc3", "Qh4"});
    CHECK(chess::to_fen(position) ==
          "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5 +0+2");
}

TEST_CASE("A move that wins by a variant's rule is marked like mate") {
    played(Variant::kKingOfTheHill, {"e3", "e6", "Ke2", "d6", "Kd3", "c6", "Kd4#"});
    played(Variant::kAtomic, {"Nf3", "f6", "Ne5", "e6", "Nxd7#"});
}

TEST_CASE("Crazyhouse: drops are read with and without the pawn's letter") {
    VariantPosition position(Variant::kCrazyhouse);
    for (const char* const text : {"e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5"}) {
        Move move;
        REQUIRE(chess::read_san(position, text, move) == chess::SanError::kNone);
        position.play(move);
    }
    Move with;
    Move without;
    CHECK(chess::read_san(position, "P@e4", with) == chess::SanError::kNone);
    CHECK(chess::read_san(position, "@e4", without) == chess::SanError::kNone);
    CHECK(with == without);
    for (const char* const text : {"N@e4", "P@e1"}) {
        CHECK(chess::describe(chess::read_san(position, text, with)) ==
              "illegal move: the piece cannot be dropped there");
    }
}

TEST_CASE("The halfmove clock: captures, pawn moves and drops of pawns reset it") {
    for (const Variant variant : kVariants) {
        std::mt19937 random(40 + static_cast<unsigned>(variant));
        for (unsigned game = 0; game < 20; ++game) {
            VariantPosition position(variant);
            for (unsigned ply = 0; ply < 100; ++ply) {
                const std::vector<Move> legal = chess::legal_moves(position);
                if (legal.empty()) break;
                const Move move = legal[random() % legal.size()];
                const std::string san = chess::to_san(position, move);
                CAPTURE(chess::to_fen(position), san);
                const bool of_a_pawn = san[0] == 'P' || (san[0] >= 'a' && san[0] <= 'h');
                const unsigned before = position.halfmove_clock();
                position.play(move);
                const bool resets = of_a_pawn || san.find('x') != std::string::npos;
                REQUIRE(position.halfmove_clock() == (resets ? 0 : before + 1));
            }
        }
    }
}

TEST_CASE("Chess960: castling by coordinates may name the king's target or the rook") {
    const auto read = [](const std::string& fen, const char* text) {
        const chess::FenResult start = chess::parse_any_fen(fen, Variant::kCrazyhouse);
        REQUIRE(start.variant_position);
        Move move;
        CAPTURE(fen, text);
        REQUIRE(chess::read_san(*start.variant_position, text, move) == chess::SanError::kNone);
        return chess::to_san(*start.variant_position, move);
    };
    const std::string on_f = "5k1r/pppppppp/8/8/8/8/PPPPPPPP/5K1R w Kk - 0 1";
    CHECK(read(on_f, "f1g1") == "Kg1");
    CHECK(read(on_f, "f1h1") == "O-O");
    const std::string on_b = "rk6/pppppppp/8/8/8/8/PPPPPPPP/RK6 w Qq - 0 1";
    CHECK(read(on_b, "b1c1") == "Kc1");
    CHECK(read(on_b, "b1a1") == "O-O-O");
    const std::string on_e = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    CHECK(read(on_e, "e1g1") == "O-O");
    CHECK(read(on_e, "e1h1") == "O-O");
    CHECK(read(on_e, "e1c1") == "O-O-O");
    CHECK(read(on_e, "e1a1") == "O-O-O");
    CHECK(read(on_e, "e1f1") == "Kf1");
}

TEST_CASE("UCI: castling is the king's step, or king takes rook if Chess960 is requested") {
    const auto position =
        chess::parse_any_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Variant::kAtomic);
    REQUIRE(position.variant_position);
    Move castling;
    REQUIRE(chess::read_san(*position.variant_position, "O-O", castling) == chess::SanError::kNone);
    CHECK(chess::to_uci(*position.variant_position, castling) == "e1g1");
    for (const auto& [variant, text] :
         {std::pair{Variant::kAtomic, "e1g1"}, std::pair{Variant::kChess960, "e1h1"}}) {
        std::string uci;
        chess::append_uci(*position.variant_position, castling, variant, uci);
        CHECK(uci == text);
    }
}
