// Compares the results of GameTrace for games of variants with those of comparing every pair of
// positions.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "chess/san.hpp"
#include "chess/variant_play.hpp"
#include "replay/game_trace.hpp"

namespace {

using namespace fendex;
using chess::Variant;
using chess::VariantPosition;

std::vector<VariantPosition> positions_of(Variant variant, const std::vector<chess::Move>& moves) {
    std::vector<VariantPosition> out{VariantPosition(variant)};
    for (const chess::Move move : moves) {
        out.push_back(out.back());
        out.back().play(move);
    }
    return out;
}

/// Returns all plies of every repeated position, by the first ply.
std::map<std::uint32_t, std::vector<std::uint32_t>> repetitions_of(
    const std::vector<VariantPosition>& positions) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> out;
    std::vector<bool> known(positions.size());
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
        std::vector<std::uint32_t> plies{i};
        for (std::uint32_t j = i + 1; j < positions.size(); ++j) {
            if (known[j] || !positions[i].same_as(positions[j])) continue;
            known[j] = true;
            plies.push_back(j);
        }
        if (plies.size() > 1 && !known[i]) out[i] = plies;
    }
    return out;
}

replay::VariantTrace traced(Variant variant, const std::vector<chess::Move>& moves) {
    replay::VariantTrace trace;
    trace.clear();
    trace.start(VariantPosition(variant));
    for (const chess::Move move : moves) trace.play(move);
    trace.finish();
    return trace;
}

}  // namespace

TEST_CASE("Variants: keys, repetitions and signature agree with a plain replay") {
    std::size_t repeated = 0;
    for (const Variant variant : test::variants_to_play()) {
        CAPTURE(chess::name_of(variant));
        std::mt19937_64 random(17);
        for (unsigned game = 0; game < 12; ++game) {
            // The pieces sometimes move to and fro, so that positions recur.
            std::vector<chess::Move> moves;
            VariantPosition position(variant);
            while (moves.size() < 150) {
                const std::vector<chess::Move> legal = chess::legal_moves(position);
                if (legal.empty()) break;
                chess::Move move = legal[random() % legal.size()];
                if (moves.size() >= 2 && random() % 3 != 0) {
                    const chess::Move last = moves[moves.size() - 2];
                    const chess::Move back(last.to(), last.from());
                    if (std::find(legal.begin(), legal.end(), back) != legal.end()) move = back;
                }
                moves.push_back(move);
                position.play(move);
            }
            const replay::VariantTrace trace = traced(variant, moves);
            const std::vector<VariantPosition> positions = positions_of(variant, moves);
            REQUIRE(trace.keys().size() == positions.size());
            std::map<std::uint32_t, std::vector<std::uint32_t>> found;
            for (const store::RepeatedPosition& each : trace.repetitions()) {
                found[each.plies.front()] = each.plies;
            }
            REQUIRE((found == repetitions_of(positions)));
            repeated += found.size();
            for (std::size_t i = 0; i < positions.size(); ++i) {
                const VariantPosition& here = positions[i];
                REQUIRE(trace.keys()[i] == here.key());
                for (unsigned piece = 0; piece < codec::kCountedPieces; ++piece) {
                    const auto color = static_cast<chess::Color>(piece & 1U);
                    const auto type = static_cast<chess::PieceType>(piece >> 1);
                    const unsigned number = chess::count(here.pieces(color, type));
                    REQUIRE(trace.signature().least_of(piece) <= number);
                    REQUIRE((number <= codec::kStartingSet[piece >> 1] ||
                             trace.signature().surplus[piece & 1U]));
                }
            }
        }
    }
    CHECK(repeated > 100);
}

TEST_CASE("Crazyhouse: a position can repeat after captures and drops, with the same pockets") {
    // Each side takes a knight, drops it where the other side's stood, and moves the other pieces
    // back.
    std::vector<chess::Move> moves;
    VariantPosition position(Variant::kCrazyhouse);
    for (const char* const text :
         {"Nf3", "Nc6", "Nd4", "Nxd4", "Nc3", "Nf6", "Nb5", "Ng8", "Nxd4", "N@b8", "Nb5", "Nf6",
          "Nc3", "Ng8", "Nb1", "Nf6", "N@g1", "Ng8"}) {
        CAPTURE(text);
        chess::Move move;
        REQUIRE(chess::read_san(position, text, move) == chess::SanError::kNone);
        moves.push_back(move);
        position.play(move);
    }
    const replay::VariantTrace trace = traced(Variant::kCrazyhouse, moves);
    REQUIRE(trace.keys().back() == trace.keys().front());
    REQUIRE(trace.repetitions().size() == 1);
    CHECK(trace.repetitions()[0].plies == std::vector<std::uint32_t>{0, 18});
}

TEST_CASE(
    "Variants: the fifty-move rule applies only if the variant has it, and a win precedes it") {
    const auto shuffled = [](Variant variant) {
        std::vector<chess::Move> moves;
        VariantPosition position(variant);
        for (unsigned ply = 0; ply < 110; ++ply) {
            constexpr const char* kMoves[] = {"Nc3", "Nc6", "Nb1", "Nb8"};
            chess::Move move;
            REQUIRE(chess::read_san(position, kMoves[ply % 4], move) == chess::SanError::kNone);
            moves.push_back(move);
            position.play(move);
        }
        return traced(variant, moves).quiet_runs();
    };
    const auto runs = shuffled(Variant::kAtomic);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].ply50 == 100);
    CHECK(runs[0].longest == 110);
    CHECK(shuffled(Variant::kCrazyhouse).empty());
}
