#include "clickhouse/record_rows.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "chess/fen.hpp"
#include "clickhouse/fake_transport.hpp"
#include "clickhouse/reader.hpp"
#include "codec/record_block.hpp"
#include "query/evaluations.hpp"

using namespace fendex;

TEST_CASE("Positions that are expected are looked up with one query") {
    std::vector<std::string> asked;
    const auto evaluated = *chess::parse_fen("8/8/8/8/8/4k3/8/4K2R w - - 0 1").position;
    const auto unknown = *chess::parse_fen("8/8/8/8/8/4k3/8/4K2N w - - 0 1").position;
    std::string packed;
    codec::PositionRecord record;
    codec::add_evaluation({30, 1'000'000, {{{false, 500}, {}}}}, record);
    codec::BitWriter scratch;
    codec::pack_record(evaluated, record, scratch, packed);
    const auto answer = [&](std::string_view sql) -> std::string {
        if (sql.find("FROM push GROUP BY push") != sql.npos) return test::rows_of_push(5, 9);
        if (sql.find("FROM record ") == sql.npos) return {};
        asked.emplace_back(sql);
        if (sql.find(std::to_string(evaluated.key())) == sql.npos) return {};
        clickhouse::RowWriter row;
        row.u64(evaluated.key());
        row.string(packed);
        return row.bytes();
    };
    const auto reader = clickhouse::open_reader(test::connect_to_fake(answer),
                                                std::make_shared<clickhouse::SnapshotSource>(1000));
    store::StoreReader* const readers[] = {reader.get()};
    query::Evaluations evaluations(readers);
    std::vector<std::optional<query::Verdict>> verdicts;
    const auto look_up = [&] {
        verdicts = {evaluations.verdict(evaluated), evaluations.verdict(unknown),
                    evaluations.verdict(evaluated), evaluations.verdict_after(unknown, "Kd1")};
    };
    evaluations.expect(look_up);
    CHECK(asked.size() == 1);
    look_up();
    CHECK(asked.size() == 1);
    REQUIRE(verdicts.size() == 4);
    REQUIRE(verdicts[0]);
    CHECK(verdicts[0]->score == codec::Score{false, 500});
    CHECK_FALSE(verdicts[1]);
    REQUIRE(verdicts[2]);
    CHECK_FALSE(verdicts[3]);

    // A position that was not expected costs one query, the first time.
    const chess::AnyPosition start;
    CHECK_FALSE(evaluations.verdict(start));
    CHECK_FALSE(evaluations.verdict(start));
    CHECK(asked.size() == 2);
}
