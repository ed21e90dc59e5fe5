// Records of positions that are written and read again are the same.
#include "emit/position_records.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "codec/record_block.hpp"
#include "codec/record_fixtures.hpp"
#include "ingest/record_lines.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;

/// Reads lines and merges the records of one position.
codec::PositionRecord read_lines(const std::string& text, const chess::AnyPosition& expected) {
    pgn::Batch batch;
    batch.text = text;
    ingest::RecordLineReader reader;
    const store::NewGames read = reader.read(batch, chess::Variant::kStandard);
    // A PV without a score is kept as text, with a warning if it is not legal.
    for (const store::NewError& each : read.errors) {
        if (!each.error.warning) FAIL(each.error.reason + " in " + text);
    }
    codec::PositionRecord out;
    for (const store::NewRecord& each : read.records) {
        chess::AnyPosition position;
        codec::PositionRecord record;
        REQUIRE(codec::unpack_record(each.bits.of(read.record_bits), position, record));
        CHECK(position.same_as(expected));
        codec::merge_record(record, out);
    }
    return out;
}

}  // namespace

TEST_CASE("Records written as EPD and as JSON lines are read back unchanged") {
    test::Random random(1);
    const char* const odd[] = {"acd", "acn", "ce", "dm", "pv", "foo", "c1", "bm"};
    const char* const operands[] = {"",  "a; b",  "12x",      "two  blanks",
                                    " ", "e4 d5", "\xC3\xA4", "x"};
    for (unsigned turn = 0; turn < test::fewer(1500U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        codec::PositionRecord record = test::random_record(position, random);
        if (random() % 3 == 0) {
            codec::add_operation({odd[random() % 8], operands[random() % 8]}, record.operations);
        }
        std::string epd;
        emit::append_epd_lines(position, record, epd);
        CAPTURE(epd);
        CHECK(read_lines(epd, position) == record);
        std::string json;
        emit::append_json_line(position, record, json);
        CAPTURE(json);
        CHECK(read_lines(json, position) == record);
    }
}

TEST_CASE("Scores are White's in JSON, and the side's to move in EPD") {
    const chess::AnyPosition position(
        *chess::parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -").position);
    codec::PositionRecord record;
    codec::add_evaluation({20, 1'000'000, {{{false, 31}, {}}, {{true, -4}, {}}}}, record);
    std::string json;
    emit::append_json_line(position, record, json);
    CHECK(
        json ==
        "{\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\",\"evals\":[{\"pvs\":["
        "{\"cp\":31,\"line\":\"\"},{\"mate\":-4,\"line\":\"\"}],\"knodes\":1000,\"depth\":20}]}\n");
    std::string epd;
    emit::append_epd_lines(position, record, epd);
    CHECK(epd ==
          "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - acd 20; acn 1000000; ce -31; dm2 "
          "4;\n");
}
