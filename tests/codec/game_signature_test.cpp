// Signatures of games: they agree with a brute-force look at every position, and their columns come
// back.
#include "codec/game_signature.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "chess/random_play.hpp"
#include "codec/codec_fixtures.hpp"
#include "support/first_wrong.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::codec;
using test::Random;

/// Looks at every square of all positions; shares no code with the finder.
GameSignature brute_force(const std::vector<chess::Position>& positions) {
    unsigned least[kCountedPieces];
    for (unsigned& n : least) n = 15;
    GameSignature s;
    s.replayed = true;
    for (const chess::Position& p : positions) {
        unsigned counts[12] = {};
        for (chess::Square square = 0; square < 64; ++square) {
            const chess::Piece piece = p.piece_on(square);
            if (piece == chess::Piece::kNone) continue;
            ++counts[chess::index(piece)];
            const unsigned rank = chess::rank_of(square);
            if (piece == chess::make_piece(chess::Color::kWhite, chess::PieceType::kPawn) &&
                rank >= 2) {
                s.white_pawns |= chess::bit(square);
            }
            if (piece == chess::make_piece(chess::Color::kBlack, chess::PieceType::kPawn) &&
                rank <= 5) {
                s.black_pawns |= chess::bit(square);
            }
        }
        constexpr unsigned kSet[10] = {8, 8, 2, 2, 2, 2, 2, 2, 1, 1};
        for (unsigned i = 0; i < kCountedPieces; ++i) {
            least[i] = std::min(least[i], counts[i]);
            if (counts[i] > kSet[i]) s.surplus[i % 2] = true;
        }
    }
    for (unsigned i = 0; i < kCountedPieces; ++i) s.least |= std::uint64_t{least[i]} << (4 * i);
    return s;
}

GameSignature random_signature(Random& random) {
    constexpr std::uint64_t kForty = (std::uint64_t{1} << 40) - 1;
    GameSignature s;
    s.least = random() & kForty;
    s.white_pawns = (random() & kForty) << 16;
    s.black_pawns = (random() & kForty) << 8;
    s.surplus[0] = random() % 2 == 0;
    s.surplus[1] = random() % 2 == 0;
    s.replayed = random() % 2 == 0;
    return s;
}

std::string random_chunk(Random& random, std::size_t size, std::vector<GameSignature>& out) {
    out.clear();
    while (out.size() < size) out.push_back(random_signature(random));
    return encode_signatures(out);
}

}  // namespace

TEST_CASE("A game's signature agrees with all of its positions") {
    Random random(61);
    unsigned surplus = 0;
    for (unsigned round = 0; round < test::fewer(300U, 5); ++round) {
        chess::Position start = test::any_start(random, round);
        // Pawns about to promote, and more pieces than at any start.
        if (round % 5 == 4) {
            start =
                *chess::parse_fen(round % 2 == 0 ? "8/PPP2PPP/4k3/8/8/4K3/ppp2ppp/8 w - - 0 1"
                                                 : "qqqqkqqq/qqqqqqqq/8/8/8/8/4P3/4K2R b K - 7 1")
                     .position;
        }
        std::vector<chess::Position> positions;
        SignatureFinder finder;
        test::random_game(start, random, 400, [&](const chess::Position& p, chess::Move) {
            positions.empty() ? finder.start(p) : finder.next(p);
            positions.push_back(p);
        });
        REQUIRE(!positions.empty());
        REQUIRE(finder.signature() == brute_force(positions));
        if (finder.signature().surplus[0]) ++surplus;
    }
    CHECK(surplus > test::fewer(30U, 5));
    CHECK_FALSE(SignatureFinder().signature().replayed);
}

TEST_CASE("Signatures take 16 bytes each and are read back from their columns") {
    Random random(62);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{255}, kGamesPerChunk - 1, kGamesPerChunk}) {
        std::vector<GameSignature> signatures;
        const std::string bytes = random_chunk(random, size, signatures);
        CHECK(bytes.size() == 2 + 16 * size);
        const SignatureChunk chunk(bytes);
        REQUIRE(chunk.size() == size);
        test::FirstWrong wrong;
        for (std::size_t i = 0; i < size; ++i) {
            wrong.check(chunk[i] == signatures[i], [&] {
                return "game " + std::to_string(i) + " of " + std::to_string(size);
            });
        }
        CHECK(wrong.text() == "");
    }
}

TEST_CASE("A chunk of signatures with a wrong length is refused") {
    Random random(63);
    std::vector<GameSignature> signatures;
    const std::string bytes = random_chunk(random, 40, signatures);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        CHECK(SignatureChunk(std::string_view(bytes).substr(0, size)).size() == 0);
    }
    CHECK(SignatureChunk(bytes + '\0').size() == 0);
    CHECK(SignatureChunk(random_chunk(random, kGamesPerChunk + 1, signatures)).size() == 0);
    for (int round = 0; round < 5'000; ++round) {
        const std::string damaged = test::damage(bytes, random);
        const SignatureChunk chunk(damaged);
        for (std::size_t i = 0; i < chunk.size(); ++i) (void)chunk[i];
    }
}
