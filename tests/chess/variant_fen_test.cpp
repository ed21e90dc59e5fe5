// FENs of variants: the published examples byte by byte, and invalid ones.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <string>

#include "chess/fen.hpp"
#include "chess/perft_suite.hpp"
#include "chess/san.hpp"
#include "chess/variant_movegen.hpp"
#include "chess/web_address.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"

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

constexpr Variant kVariants[] = {
    Variant::kCrazyhouse, Variant::kThreeCheck, Variant::kKingOfTheHill,
    Variant::kAtomic,     Variant::kAntichess,  Variant::kSuicide,
    Variant::kLosers,     Variant::kHorde,      Variant::kRacingKings};

/// Checks that every dialect reads back as the same position and is written unchanged again, and
/// that it gives the standard FEN, apart from an en passant square that the dialect omits.
void check_round_trip(const VariantPosition& p) {
    const std::string standard = chess::to_fen(p);
    for (const auto& [dialect, name] : chess::kFenDialects) {
        const std::string text = chess::to_fen(p, dialect);
        const chess::FenResult again = chess::parse_any_fen(text, p.variant());
        if (!again.variant_position) {
            FAIL(text << ": " << again.error.field << ": " << again.error.reason);
        }
        const VariantPosition& q = *again.variant_position;
        const bool says_the_square = q.en_passant_square() == p.en_passant_square();
        const bool equal = q.same_as(p) && q.key() == p.key() &&
                           chess::to_fen(q, dialect) == text &&
                           (!says_the_square || chess::to_fen(q) == standard);
        if (!equal) FAIL(standard << " as " << name << ": " << text);
        const bool may_drop = dialect == FenDialect::kLegal || dialect == FenDialect::kXfen;
        if (!says_the_square && (!may_drop || p.en_passant_is_legal())) FAIL(standard);
    }
    const std::string epd = chess::to_epd(p);
    const chess::FenResult again = chess::parse_any_fen(epd, p.variant());
    if (!again.variant_position || !again.variant_position->same_as(p) ||
        chess::to_epd(*again.variant_position) != epd) {
        FAIL(epd);
    }
}

/// Checks the endgames of Suicide in the corpus, or in its cut.
void check_suicide_endgames(const std::string& corpus) {
    for (const char* const name : {"suicide-dtm", "suicide-dtz", "suicide-stats"}) {
        std::ifstream file(corpus + "/fen/python-chess/" + name + ".epd");
        REQUIRE(file);
        for (std::string line; std::getline(file, line);) {
            if (!line.empty() && line[0] != '#') check_round_trip(read(line, Variant::kSuicide));
        }
    }
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

TEST_CASE("Crazyhouse: an empty pocket is read in each of its spellings") {
    const VariantPosition start(Variant::kCrazyhouse);
    const std::string placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (const std::string pocket : {"/", "/-", "[]", "[-]"}) {
        CHECK(read(placement + pocket + " w KQkq - 0 1").same_as(start));
    }
    CHECK(read(placement + " w KQkq - 0 1", Variant::kCrazyhouse).same_as(start));
}

TEST_CASE("Crazyhouse: the order of pieces in a pocket does not matter") {
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
}

TEST_CASE("Variants: FENs are read as web addresses write them") {
    const char* const fens[] = {
        "r2q1rk1/ppp2ppp/5p2/b7/8/P1NPB2b/1PP1QP1P/R3R1K1/NNPPbnp b - - 0 16",
        "r2q1rk1/ppp2ppp/5p2/b7/8/P1NPB2b/1PP1QP1P/R3R1K1[NNPPbnp] b - - 0 16",
        "rkn2Q~N1/pppq4/5P2/8/1P1P1n2/5B1P/PPPN1PpP/R3K1R1/RBBBPPq b Q - 0 43",
        "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5 +0+2",
        "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 3+1 1 5",
        "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 3 +1+2",
        "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 +1+2",
        "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - +0+2",
    };
    for (const std::string fen : fens) {
        const std::string canonical = chess::to_fen(read(fen));
        for (const std::string& address : test::as_web_addresses(fen)) {
            INFO(address);
            CHECK(chess::to_fen(read(address)) == canonical);
        }
    }
}

TEST_CASE("Three-check: numbers in a web address are read as clocks if they can be clocks") {
    const std::string fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-";
    for (const std::string rest : {"+3+1", "+3+1+bm+e4;", "++10+40", "++0+40"}) {
        CAPTURE(rest);
        CHECK(chess::parse_any_fen(fields + rest, std::nullopt).position);
    }
}

TEST_CASE("A Shredder FEN may have a pocket and promoted pieces") {
    const VariantPosition position =
        read("rk1r4/8/8/8/8/8/8/RK1RQ~3[Pp] w KQkq - 0 1", Variant::kCrazyhouse);
    CHECK(chess::to_fen(position, FenDialect::kShredder) ==
          "rk1r4/8/8/8/8/8/8/RK1RQ~3/Pp w DAda - 0 1");
}

TEST_CASE("The start of every variant is read from its FEN and has a key of its own") {
    std::vector<std::uint64_t> keys = {chess::Position().key()};
    for (const Variant variant : kVariants) {
        const VariantPosition start(variant);
        CHECK(read(chess::to_fen(start), variant).same_as(start));
        CHECK(std::find(keys.begin(), keys.end(), start.key()) == keys.end());
        keys.push_back(start.key());
    }
}

TEST_CASE("A FEN that its variant does not allow is refused with the reason") {
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3[Q w - - 0 1") == "placement: a pocket without its ]");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1") == "placement: 'K' in a pocket");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", Variant::kAtomic) ==
          "placement: pockets and promoted pieces are of Crazyhouse only");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+1", Variant::kAtomic) ==
          "checks: checks are counted in Three-check only");
    CHECK(refusal("4k3/8/8/8/8/8/8/4K3 w - - 0 1 +1+4") == "checks: '+1+4' is not like +0+2");
    CHECK(!chess::parse_fen("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1").position);
}

TEST_CASE("Variants: FEN round trip in every dialect, over random games") {
    std::mt19937_64 random(11);
    for (const Variant variant : kVariants) {
        for (unsigned game = 0; game < test::fewer(20U); ++game) {
            VariantPosition position(variant);
            for (unsigned ply = 0; ply < 120; ++ply) {
                check_round_trip(position);
                const std::vector<chess::Move> moves = chess::legal_moves(position);
                if (moves.empty()) break;
                position.play(moves[random() % moves.size()]);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("Variants: FEN round trip over the perft suites") {
    const struct {
        const char* suite;
        Variant variant;
    } suites[] = {{"3check", Variant::kThreeCheck},     {"atomic", Variant::kAtomic},
                  {"crazyhouse", Variant::kCrazyhouse}, {"giveaway", Variant::kAntichess},
                  {"horde", Variant::kHorde},           {"racingkings", Variant::kRacingKings}};
    for (const auto& [suite, variant] : suites) {
        const std::string path =
            std::string(FENDEX_TEST_DATA "/perft/variants/") + suite + ".perft";
        for (const test::PerftCase& each : test::read_perft_suite(path)) {
            check_round_trip(read(each.epd, variant));
        }
    }
}

TEST_CASE("Suicide: FENs of endgames are read") { check_suicide_endgames(test::corpus_cut()); }

TEST_CASE("Suicide: FENs of the corpus' endgames are read", "[.corpus]") {
    check_suicide_endgames(test::whole_corpus());
}

TEST_CASE("Three-check: the published game reaches the published FEN") {
    VariantPosition position(Variant::kThreeCheck);
    for (const char* const san : {"e4", "e5", "d4", "Bb4+", "c3", "Bxc3+", "Nxc3", "Qh4"}) {
        chess::Move move;
        INFO(san);
        REQUIRE(chess::read_san(position, san, move) == chess::SanError::kNone);
        position.play(move);
    }
    CHECK(chess::to_fen(position) ==
          "rnb1k1nr/pppp1ppp/8/4p3/3PP2q/2N5/PP3PPP/R1BQKBNR w KQkq - 1 5 +0+2");
}

TEST_CASE("Antichess: if there are several kings, the one on its back rank castles") {
    const std::string two = "r3k3/k7/8/8/8/8/8/4K2R w Kq - 0 1";
    CHECK(chess::to_fen(read(two, Variant::kAntichess)) == two);
    check_round_trip(read(two, Variant::kAntichess));
    CHECK(refusal("4k3/8/8/8/8/8/8/K3K2R w K - 0 1", Variant::kAntichess) ==
          "castling: 'K': several kings on the back rank");
    // A second king comes to the back rank.
    VariantPosition position = read("4k3/P7/8/8/8/8/3K4/4K2R w K - 0 1", Variant::kAntichess);
    for (const char* const san : {"Kc1", "Ke7"}) {
        chess::Move move;
        REQUIRE(chess::read_san(position, san, move) == chess::SanError::kNone);
        position.play(move);
    }
    CHECK(position.castling_rooks() == 0);
    check_round_trip(position);
}
