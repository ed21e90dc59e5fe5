// The quick reader of FENs reads what the other one reads, or nothing.
#include "chess/plain_fen.hpp"

#include <catch2/catch.hpp>

#include "chess/random_play.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;

/// Returns whether the text was read.
bool compare(const std::string& text) {
    CAPTURE(text);
    const auto plain = chess::read_plain_fen(text);
    if (!plain) return false;
    const chess::FenResult result = chess::parse_any_fen(text, std::nullopt);
    REQUIRE(result.position);
    CHECK(result.dropped.empty());
    CHECK(plain->same_as(*result.position));
    CHECK(plain->key() == result.position->key());
    CHECK(plain->en_passant_square() == result.position->en_passant_square());
    return true;
}

}  // namespace

TEST_CASE("A plain FEN gives the position that the usual reader gives") {
    test::Random random(1);
    unsigned read = 0;
    for (unsigned turn = 0; turn < test::fewer(2000U, 10); ++turn) {
        chess::Position position = test::any_start(random, turn % 3 == 0 ? turn / 3 : 0);
        for (std::uint64_t plies = random() % 80; plies > 0; --plies) {
            const chess::MoveList legal = chess::legal_moves(position);
            if (legal.empty()) break;
            position.play(test::random_move(legal, random));
        }
        std::string text = chess::to_epd(position);
        read += compare(text) ? 1U : 0U;
        for (unsigned change = 0; change < 5; ++change) {
            std::string other = text;
            const char letters[] = "pPnNbBrRqQkK12345678/ wb-KQkqx";
            other[random() % other.size()] = letters[random() % (sizeof letters - 1)];
            if (random() % 4 == 0) other.erase(random() % other.size(), 1);
            compare(other);
        }
    }
    CHECK(read > test::fewer(1000U, 10));
}

TEST_CASE("Other FENs are left to the usual reader") {
    for (const char* const text :
         {"", "8", "8/8/8/8/8/8/8/8 w - -", "4k3/8/8/8/8/8/8/4K3 w - e3",
          "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/4K2R w H -",
          "4k3/8/8/8/8/8/8/4K2R w KK -", "4k3/8/8/8/8/8/8/4K2R w  -", "4k3/8/8/8/8/8/8/4K2P w - -",
          "44/8/8/8/8/8/8/4K2P w - -", "4k3/8/8/8/8/8/8/4K3 w -", "4k3/8/8/8/8/8/8/4K3",
          "4k3/8/8/8/8/8/8/4KK2 w - -", "4k3/4R3/8/8/8/8/8/4K3 w - -"}) {
        CAPTURE(text);
        CHECK_FALSE(chess::read_plain_fen(text));
    }
    CHECK(chess::read_plain_fen("4k3/8/8/8/8/8/8/4K2R w K -"));
}
