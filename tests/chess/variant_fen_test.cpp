// FENs of variants: the published examples byte by byte, and what is refused.
#include <catch2/catch.hpp>
#include <string>

#include "chess/fen.hpp"
#include "chess/variant_movegen.hpp"

namespace {

using namespace fendex;
using chess::FenDialect;
using chess::Variant;
using chess::VariantPosition;

VariantPosition read(const std::string& text, std::optional<Variant> variant = std::nullopt) {
    const chess::FenResult result = chess::parse_any_fen(text, variant);
    INFO(text << ": " << result.error.field << ": " << result.error.reason);
    REQUIRE(result.variant_position);
    return *result.variant_position;
}

std::string refusal(const std::string& text, std::optional<Variant> variant = std::nullopt) {
    const chess::FenResult result = chess::parse_any_fen(text, variant);
    CHECK(!result.position);
    CHECK(!result.variant_position);
    return std::string(result.error.field) + ": " + result.error.reason;
}

}  // namespace

TEST_CASE("Crazyhouse: published FENs come back byte for byte in both dialects") {
    const struct {
        std::string ninth_rank;
        std::string brackets;
    } examples[] = {
        {"r2q1rk1/ppp2ppp/5p2/b7/8/P1NPB2b/1PP1QP1P/R3R1K1/NNPPbnp b - - 0 16",
         "r2q1rk1/ppp2ppp/5p2/b7/8/P1NPB2b/1PP1QP1P/R3R1K1[NNPPbnp] b - - 0 16"},
        {"rkn2Q~N1/pppq4/5P2/8/1P1P1n2/5B1P/PPPN1PpP/R3K1R1/RBBBPPq b Q - 0 43",
         "rkn2Q~N1/pppq4/5P2/8/1P1P1n2/5B1P/PPPN1PpP/R3K1R1[RBBBPPq] b Q - 0 43"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"},
    };
    for (const auto& each : examples) {
        for (const std::string& text : {each.ninth_rank, each.brackets}) {
            const VariantPosition position = read(text);
            CHECK(position.variant() == Variant::kCrazyhouse);
            CHECK(chess::to_fen(position) == each.ninth_rank);
            CHECK(chess::to_fen(position, FenDialect::kLegal) == each.brackets);
        }
    }
}

TEST_CASE("Crazyhouse: an empty pocket is written in several ways, and read in each") {
    const VariantPosition start(Variant::kCrazyhouse);
    const std::string placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (const std::string pocket : {"/", "/-", "[]", "[-]"}) {
        CHECK(read(placement + pocket + " w KQkq - 0 1").same_as(start));
    }
    CHECK(read(placement + " w KQkq - 0 1", Variant::kCrazyhouse).same_as(start));
}

TEST_CASE("Crazyhouse: the order of a pocket is no matter") {
    const std::string rest = " w - - 0 1";
    const VariantPosition a = read("4k3/8/8/8/8/8/8/4K3/pNnPQ" + rest);
    CHECK(a.same_as(read("4k3/8/8/8/8/8/8/4K3[QNPnp]" + rest)));
    CHECK(chess::to_epd(a) == "4k3/8/8/8/8/8/8/4K3/QNPnp w - -");
}

TEST_CASE("Three-check: checks given and checks left are read and written") {
    const std::string given = "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5 +0+2";
    const std::string left = "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 3+1 1 5";
    for (const std::string& text : {given, left}) {
        const VariantPosition position = read(text);
        CHECK(position.variant() == Variant::kThreeCheck);
        CHECK(position.checks_given(chess::Color::kBlack) == 2);
        CHECK(chess::to_fen(position) == given);
        CHECK(chess::to_fen(position, FenDialect::kLegal) == left);
    }
    std::string underscores = given;
    std::string plus = given;
    for (char& c : underscores) c = c == ' ' ? '_' : c;
    CHECK(read(underscores).same_as(read(given)));
}

TEST_CASE("Pockets, promoted pieces and Shredder castling go together") {
    const VariantPosition position =
        read("rk1r4/8/8/8/8/8/8/RK1RQ~3[Pp] w KQkq - 0 1", Variant::kCrazyhouse);
    CHECK(chess::to_fen(position, FenDialect::kShredder) ==
          "rk1r4/8/8/8/8/8/8/RK1RQ~3/Pp w DAda - 0 1");
}

TEST_CASE("Every variant starts where its FEN says, and has a key of its own") {
    const chess::Variant variants[] = {
        Variant::kCrazyhouse, Variant::kThreeCheck, Variant::kKingOfTheHill,
        Variant::kAtomic,     Variant::kAntichess,  Variant::kSuicide,
        Variant::kLosers,     Variant::kHorde,      Variant::kRacingKings};
    std::vector<std::uint64_t> keys = {chess::Position().key()};
    for (const Variant variant : variants) {
        const VariantPosition start(variant);
        CHECK(read(chess::to_fen(start), variant).same_as(start));
        CHECK(std::find(keys.begin(), keys.end(), start.key()) == keys.end());
        keys.push_back(start.key());
    }
}

TEST_CASE("What no variant allows is refused in words") {
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3[Q w - - 0 1") == "placement: a pocket without its ]");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1") == "placement: 'K' in a pocket");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", Variant::kAtomic) ==
          "placement: pockets and promoted pieces are of Crazyhouse only");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+1", Variant::kAtomic) ==
          "checks: checks are counted in Three-check only");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+4") == "checks: '+1+4' is not like +0+2");
    CHECK(!chess::parse_fen("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1").position);
}
