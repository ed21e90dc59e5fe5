// Packed games of variants: they come back, and no bytes give illegal moves.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "chess/variant_play.hpp"
#include "codec/game_walk.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using chess::Move;
using chess::MoveKind;
using chess::Variant;
using chess::VariantPosition;

std::string packed(Variant variant, const std::vector<Move>& moves) {
    codec::BitWriter out;
    VariantPosition position(variant);
    for (const Move move : moves) {
        codec::encode_move(position, move, out);
        position.play(move);
    }
    return out.take();
}

}  // namespace

TEST_CASE("Packed games of every variant are read back unchanged") {
    std::map<MoveKind, unsigned> kinds;
    for (const Variant variant : test::variants_to_play()) {
        CAPTURE(chess::name_of(variant));
        std::mt19937_64 random(static_cast<unsigned>(variant));
        for (unsigned game = 0; game < test::fewer(40U, 4); ++game) {
            const std::vector<Move> moves = test::random_variant_game(variant, random, 120, true);
            const std::string bytes = packed(variant, moves);
            codec::VariantWalk walk(VariantPosition(variant), bytes,
                                    static_cast<std::uint32_t>(moves.size()));
            VariantPosition position(variant);
            for (const Move move : moves) {
                REQUIRE_FALSE(walk.at_end());
                REQUIRE(walk.next_move() == move);
                ++kinds[move.kind()];
                position.play(move);
                walk.advance();
                REQUIRE(walk.position().same_as(position));
                REQUIRE(walk.position().key() == position.key());
            }
            CHECK(walk.at_end());
            CHECK_FALSE(walk.corrupt());
        }
    }
    for (const MoveKind kind :
         {MoveKind::kNormal, MoveKind::kPromoteQueen, MoveKind::kCastle, MoveKind::kEnPassant,
          MoveKind::kDoublePush, MoveKind::kNull, MoveKind::kDrop, MoveKind::kPromoteKing}) {
        CAPTURE(static_cast<int>(kind));
        CHECK(kinds[kind] > test::fewer(3U, 4));
    }
}

TEST_CASE("Whatever the bytes, a game of a variant is decoded to legal moves only") {
    std::mt19937_64 random(5);
    for (const Variant variant : test::variants_to_play()) {
        CAPTURE(chess::name_of(variant));
        for (unsigned game = 0; game < test::fewer(60U); ++game) {
            std::string bytes = packed(variant, test::random_variant_game(variant, random, 60));
            for (unsigned i = 0; i < 3 && !bytes.empty(); ++i) {
                bytes[random() % bytes.size()] = static_cast<char>(random());
            }
            bytes.resize(random() % (bytes.size() + 1));
            codec::VariantWalk walk(VariantPosition(variant), bytes, 200);
            for (; !walk.at_end(); walk.advance()) {
                const std::vector<Move> legal = chess::legal_moves(walk.position());
                const Move move = walk.next_move();
                const bool is_legal = std::find(legal.begin(), legal.end(), move) != legal.end();
                REQUIRE((is_legal || (move == Move::null() && !walk.position().in_check())));
                REQUIRE_FALSE(walk.position().is_over());
            }
        }
    }
}
