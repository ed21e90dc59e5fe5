// What is taken from the lines of a search, and what is refused.
#include "uci/search_lines.hpp"

#include <catch2/catch.hpp>

#include "chess/fen.hpp"
#include "uci/search_limit.hpp"

namespace {

using fendex::chess::AnyPosition;
using fendex::codec::Evaluation;
using fendex::codec::PositionRecord;
using fendex::uci::Nonsense;
using fendex::uci::SearchLimit;
using fendex::uci::SearchLines;

AnyPosition position_of(const char* fen) {
    return *fendex::chess::any_position(fendex::chess::parse_any_fen(fen, std::nullopt));
}

const char* const kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const char* const kBlack = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// Returns the result of a search with these lines.
std::optional<Evaluation> result_of(const char* fen, std::size_t pvs,
                                    std::initializer_list<const char*> lines) {
    SearchLines search(position_of(fen), pvs);
    for (const char* const line : lines) search.add_info(line);
    return search.result();
}

}  // namespace

TEST_CASE("The last depth counts, with the most nodes, from White's view") {
    const auto white =
        result_of(kStart, 1,
                  {"info depth 1 seldepth 1 multipv 1 score cp 10 nodes 20 nps 1 pv d2d4",
                   "info depth 2 score cp 31 wdl 10 980 10 nodes 40 hashfull 0 pv e2e4 e7e5",
                   "info depth 3 currmove a2a3 currmovenumber 1", "info nodes 99 nps 3",
                   "info string depth 50 score cp 5 pv d2d4"});
    REQUIRE(white);
    CHECK(white->depth == 2);
    CHECK(white->nodes == 99);
    REQUIRE(white->pvs.size() == 1);
    CHECK(white->pvs[0].score == fendex::codec::Score{false, 31});
    CHECK(white->pvs[0].moves.size() == 2);

    const auto black = result_of(kBlack, 1, {"info depth 2 score cp 31 nodes 1 pv e7e5"});
    CHECK(black->pvs[0].score == fendex::codec::Score{false, -31});
    const auto mate = result_of(kBlack, 1, {"info depth 2 score mate -3 nodes 1 pv e7e5"});
    CHECK(mate->pvs[0].score == fendex::codec::Score{true, 3});
}

TEST_CASE("Bounds are not taken") {
    const auto result = result_of(kStart, 1,
                                  {"info depth 4 score cp 20 nodes 1 pv e2e4",
                                   "info depth 5 score cp 70 lowerbound nodes 1 pv d2d4",
                                   "info depth 5 score cp -9 upperbound nodes 1 pv d2d4"});
    CHECK(result->depth == 4);
    CHECK_FALSE(result_of(kStart, 1, {"info depth 5 score cp 70 lowerbound nodes 1 pv d2d4"}));
}

TEST_CASE("PVs of different depths are not mixed") {
    const auto shown = {
        "info depth 4 multipv 1 score cp 20 pv e2e4", "info depth 4 multipv 2 score cp 10 pv d2d4",
        // Depth 5 is not complete: what is shown last is the order of that moment.
        "info depth 5 multipv 1 score cp 50 pv c2c4", "info depth 4 multipv 2 score cp 20 pv e2e4"};
    const auto result = result_of(kStart, 2, shown);
    REQUIRE(result);
    CHECK(result->depth == 4);
    REQUIRE(result->pvs.size() == 2);
    CHECK(result->pvs[0].score.value == 20);
    CHECK(result->pvs[1].score.value == 10);

    CHECK_FALSE(result_of(kStart, 2, {"info depth 4 multipv 1 score cp 20 pv e2e4"}));
    CHECK_FALSE(result_of(kStart, 2,
                          {"info depth 4 multipv 2 score cp 20 pv e2e4",
                           "info depth 4 multipv 1 score cp 20 pv d2d4"}));
    INFO("A move has one PV");
    CHECK_FALSE(result_of(kStart, 2,
                          {"info depth 4 multipv 1 score cp 20 pv e2e4",
                           "info depth 4 multipv 2 score cp 20 pv e2e4 e7e5"}));
    INFO("More than were asked for");
    CHECK(result_of(kStart, 1,
                    {"info depth 4 multipv 1 score cp 20 pv e2e4",
                     "info depth 4 multipv 2 score cp 20 pv d2d4"})
              ->pvs.size() == 1);
    INFO("A later line of a depth replaces the one before, a lesser depth does not");
    CHECK(result_of(kStart, 1,
                    {"info depth 4 score cp 20 pv e2e4", "info depth 4 score cp 25 pv d2d4",
                     "info depth 3 score cp 7 pv d2d4"})
              ->pvs[0]
              .score.value == 25);
}

TEST_CASE("PVs are cut at an illegal move, and both spellings of castling are read") {
    CHECK(result_of(kStart, 1, {"info depth 4 score cp 1 pv e2e4 e7e5 e2e4 d7d5"})
              ->pvs[0]
              .moves.size() == 2);
    const char* const castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    const auto king = result_of(castling, 1, {"info depth 4 score cp 1 pv e1g1 e8e7"});
    const auto rook = result_of(castling, 1, {"info depth 4 score cp 1 pv e1h1 e8e7"});
    CHECK(king == rook);
    CHECK(king->pvs[0].moves.size() == 2);
    std::string shuffle = "info depth 4 score cp 1 pv";
    for (int i = 0; i < 3000; ++i) shuffle += " g1f3 g8f6 f3g1 f6g8";
    CHECK(result_of(kStart, 1, {shuffle.c_str()})->pvs[0].moves.size() == 500);
}

TEST_CASE("Nonsense is refused") {
    const auto refused = [](const char* line) {
        CHECK_THROWS_AS(result_of(kStart, 1, {line}), Nonsense);
    };
    refused("info depth 4 score cp 1 pv e2e5");
    refused("info depth 4 score cp 1 pv 0000");
    refused("info depth 4 score mate 0 pv e2e4");
    refused("info depth -1 score cp 1 pv e2e4");
    refused("info depth 70000 score cp 1 pv e2e4");
    refused("info depth 4 score cp 99999999999 pv e2e4");
    refused("info depth 4 score cp x pv e2e4");
    refused("info depth 4 score mate pv e2e4");
    refused("info depth 4 nodes 999999999999999999999 score cp 1 pv e2e4");
    refused("info depth 4 multipv 0 score cp 1 pv e2e4");
    INFO("Half a line says nothing");
    CHECK_FALSE(result_of(kStart, 1,
                          {"info", "info score cp 1 pv e2e4", "info depth 3 pv e2e4",
                           "info depth 3 score cp 4", "info depth 3 score cp 4 pv"}));

    SearchLines search(position_of(kStart), 1);
    CHECK_NOTHROW(search.end("bestmove e2e4 ponder e7e5"));
    for (const char* const line :
         {"bestmove", "bestmove (none)", "bestmove 0000", "bestmove e2e5"}) {
        CHECK_THROWS_AS(search.end(line), Nonsense);
    }
}

TEST_CASE("Progress is a greater depth or more nodes") {
    SearchLines search(position_of(kStart), 1);
    CHECK(search.add_info("info depth 1 nodes 5"));
    CHECK_FALSE(search.add_info("info depth 1 nodes 5"));
    CHECK_FALSE(search.add_info("info string hello"));
    CHECK(search.add_info("info nodes 6"));
    CHECK(search.add_info("info depth 2"));
}

TEST_CASE("A search is enough if it was as long, has as many PVs, or found a mate") {
    const auto record_of = [](std::uint32_t depth, std::uint64_t nodes, std::size_t pvs,
                              bool is_mate = false) {
        PositionRecord record;
        Evaluation search{depth, nodes, {}};
        search.pvs.resize(pvs);
        search.pvs.front().score = {is_mate, 3};
        fendex::codec::add_evaluation(std::move(search), record);
        return record;
    };
    using Kind = SearchLimit::Kind;
    const SearchLimit nodes{Kind::kNodes, 1000};
    CHECK(nodes.is_met_by(record_of(3, 1000, 1), 1));
    CHECK_FALSE(nodes.is_met_by(record_of(60, 999, 1), 1));
    CHECK_FALSE(nodes.is_met_by(record_of(3, 1000, 1), 2));
    CHECK(nodes.is_met_by(record_of(3, 1000, 3), 2));
    CHECK(nodes.is_met_by(record_of(3, 5, 1, true), 1));
    CHECK_FALSE(nodes.is_met_by(PositionRecord(), 1));
    const SearchLimit depth{Kind::kDepth, 20};
    CHECK(depth.is_met_by(record_of(20, 1, 1), 1));
    CHECK_FALSE(depth.is_met_by(record_of(19, 100000, 1), 1));
    const SearchLimit time{Kind::kMilliseconds, 500};
    CHECK(time.is_met_by(record_of(0, 0, 1), 1));
    CHECK_FALSE(time.is_met_by(record_of(0, 0, 1), 2));
}
