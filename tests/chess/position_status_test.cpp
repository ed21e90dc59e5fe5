#include "chess/position_status.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "chess/fen.hpp"
#include "chess/random_play.hpp"

namespace {

using namespace fendex;
using chess::Variant;

std::string said(const std::string& fen, std::optional<Variant> variant = std::nullopt) {
    const chess::FenResult result = chess::parse_any_fen(fen, variant);
    INFO(fen << ": " << result.error.field << ": " << result.error.reason);
    REQUIRE((result.position || result.variant_position));
    const chess::PositionStatus status = result.position
                                             ? chess::status_of(*result.position)
                                             : chess::status_of(*result.variant_position);
    std::ostringstream out;
    out << status.name << ' ' << status.result << ' ' << status.legal_moves;
    if (status.check) out << " check";
    if (status.fifty_moves) out << " fifty";
    if (status.seventy_five_moves) out << " seventy-five";
    if (status.insufficient_material) out << " dead";
    return out.str();
}

const std::string kFoolsMate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

}  // namespace

TEST_CASE("A position's status: check, mate, stalemate, and how many moves there are") {
    CHECK(said("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == "ongoing * 20");
    CHECK(said("rnb1kbnr/pppp1ppp/8/8/4Pp1q/8/PPPP2PP/RNBQKBNR w KQkq - 1 3") == "check * 2 check");
    CHECK(said(kFoolsMate) == "checkmate 0-1 0 check");
    CHECK(said("5Rk1/2p1P1pp/1p6/2n1q3/8/1b6/PP4PP/7K b - - 0 29") == "checkmate 1-0 0 check");
    // The published result is a loss, on time.
    CHECK(said("3R1b1k/pp4r1/2p4p/4QPn1/4N3/6P1/PPP3PK/4q3 b - - 8 27") == "ongoing * 30");
    CHECK(said("k7/8/1Q6/8/8/8/8/7K b - - 0 1") == "stalemate 1/2-1/2 0");
}

TEST_CASE("A position's status: fifty moves allow a claim, seventy-five draw, mate precedes both") {
    CHECK(said("4k3/8/8/8/8/8/8/R3K3 w - - 99 80") == "ongoing * 15");
    CHECK(said("4k3/8/8/8/8/8/8/R3K3 w - - 100 80") == "ongoing * 15 fifty");
    CHECK(said("4k3/8/8/8/8/8/8/R3K3 w - - 149 80") == "ongoing * 15 fifty");
    CHECK(said("4k3/8/8/8/8/8/8/R3K3 w - - 150 80") ==
          "seventy-five moves 1/2-1/2 15 fifty seventy-five");
    CHECK(said("R3k3/8/4K3/8/8/8/8/8 b - - 150 80") == "checkmate 1-0 0 check");
    CHECK(said("k7/8/1Q6/8/8/8/8/7K b - - 150 80") == "stalemate 1/2-1/2 0");
}

TEST_CASE("A position's status: material that cannot mate is insufficient") {
    const auto dead = [](const std::string& placement) {
        return said(placement + " w - - 0 1").ends_with("dead");
    };
    CHECK(said("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == "insufficient material 1/2-1/2 5 dead");
    CHECK(dead("4k3/8/8/8/8/8/8/4KN2"));
    CHECK(dead("4kn2/8/8/8/8/8/8/4K3"));
    CHECK(dead("4k3/8/8/8/8/8/8/4KB2"));
    CHECK(dead("4kb2/8/8/8/8/8/8/2B1K3"));       // f8 and c1 are both dark
    CHECK(dead("4kb2/8/7b/8/8/B7/8/2B1K3"));     // all of these are dark
    CHECK_FALSE(dead("4kb2/8/8/8/8/8/8/4KB2"));  // f1 is light
    CHECK_FALSE(dead("4k3/8/8/8/8/8/8/2B1KB2"));
    CHECK_FALSE(dead("4k3/8/8/8/8/8/8/4KNN1"));
    CHECK_FALSE(dead("4kn2/8/8/8/8/8/8/4KN2"));
    CHECK_FALSE(dead("4kn2/8/8/8/8/8/8/4KB2"));
    CHECK_FALSE(dead("4k3/8/8/8/8/8/4P3/4K3"));
    CHECK_FALSE(dead("4k3/8/8/8/8/8/8/R3K3"));
    CHECK_FALSE(dead("4k3/8/8/8/8/8/8/Q3K3"));
}

TEST_CASE("A position's status: no random game mates if all bishops stand on one colour") {
    // Checks the rule by playing: games from dead positions end only by stalemate.
    test::Random random(9);
    for (unsigned round = 0; round < 200; ++round) {
        chess::Setup setup;
        std::vector<chess::Square> dark;
        for (chess::Square s = 0; s < 64; ++s) {
            if ((chess::rank_of(s) + chess::file_of(s)) % 2 == 0) dark.push_back(s);
        }
        std::shuffle(dark.begin(), dark.end(), random);
        using chess::Color, chess::PieceType, chess::make_piece;
        setup.board[dark[0]] = make_piece(Color::kWhite, PieceType::kKing);
        setup.board[dark[1]] = make_piece(Color::kBlack, PieceType::kKing);
        for (std::size_t i = 2; i < 2 + round % 5; ++i) {
            setup.board[dark[i]] =
                make_piece(i % 2 == 0 ? Color::kWhite : Color::kBlack, PieceType::kBishop);
        }
        const chess::FenResult start = chess::parse_fen(chess::to_fen(chess::Position(setup)));
        if (!start.position) continue;  // a check, or adjacent kings
        test::random_game(*start.position, random, 60, [](const chess::Position& p, chess::Move m) {
            chess::Position next = p;
            next.play(m);
            const chess::PositionStatus status = chess::status_of(next);
            if (!status.insufficient_material || status.name == "checkmate") {
                FAIL(chess::to_fen(next));
            }
        });
    }
    SUCCEED();
}

TEST_CASE("A position's status: variants end by their own rules") {
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    CHECK(said(start + " +0+3") == "third check 0-1 0");
    CHECK(said(start + " +2+2") == "ongoing * 20");
    CHECK(said("4k3/8/8/8/8/8/8/R3K3/ w - - 150 80") == "ongoing * 15");
    CHECK(said(kFoolsMate, Variant::kThreeCheck) == "checkmate 0-1 0 check");

    CHECK(said("8/8/4k3/8/8/3K4/8/8 b - - 0 1", Variant::kKingOfTheHill) == "ongoing * 8");
    CHECK(said("4k3/8/8/8/3K4/8/8/8 b - - 0 1", Variant::kKingOfTheHill) ==
          "king on the hill 1-0 0");
    CHECK(said("4k3/8/8/8/3K4/8/8/8 b - - 150 90", Variant::kKingOfTheHill) ==
          "king on the hill 1-0 0");

    CHECK(said("4k3/8/8/8/8/8/8/R7 b - - 0 1", Variant::kAtomic) == "king exploded 0-1 0");
    CHECK(said("4k3/8/8/8/8/8/8/8 w - - 0 1", Variant::kAtomic) == "king exploded 0-1 0");
    CHECK(said("4k3/8/8/8/8/8/8/4K3 b - - 0 1", Variant::kAtomic) ==
          "insufficient material 1/2-1/2 5 dead");

    CHECK(said("8/8/8/8/8/8/8/k7 w - - 0 1", Variant::kAntichess) == "no pieces left 1-0 0");
    CHECK(said("8/8/8/p7/P7/8/8/8 w - - 0 1", Variant::kAntichess) == "stalemate 1-0 0");
    CHECK(said("8/8/8/p7/P7/8/8/8 w - - 0 1", Variant::kSuicide) == "stalemate 1/2-1/2 0");
    CHECK(said("8/8/8/p7/P7/8/7p/8 w - - 0 1", Variant::kSuicide) == "stalemate 1-0 0");
    CHECK(said("8/8/7p/p6P/P6P/8/8/8 w - - 0 1", Variant::kSuicide) == "stalemate 0-1 0");

    CHECK(said("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Variant::kLosers) == "bare king 0-1 0");
    CHECK(said(kFoolsMate, Variant::kLosers) == "checkmate 1-0 0 check");

    CHECK(said("4k3/8/8/8/8/8/8/8 w - - 0 1", Variant::kHorde) == "horde captured 0-1 0");
    CHECK(said("8/8/8/4k3/4P3/8/8/8 w - - 0 1", Variant::kHorde) == "stalemate 1/2-1/2 0");

    CHECK(said("K7/8/8/8/8/8/8/7k b - - 0 1", Variant::kRacingKings) == "race over 1-0 0");
    CHECK(said("K7/7k/8/8/8/8/8/8 b - - 0 1", Variant::kRacingKings).starts_with("ongoing * "));
    CHECK(said("K6k/8/8/8/8/8/8/8 w - - 0 1", Variant::kRacingKings) == "race over 1/2-1/2 0");
    CHECK(said("7k/8/8/8/8/8/8/K7 w - - 0 1", Variant::kRacingKings) == "race over 0-1 0");
}
