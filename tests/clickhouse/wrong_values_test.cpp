// A server may send any bytes. A value that no push writes is one error that names the server, the
// table, the column and the value; it never becomes an index, and never a wrong answer.
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clickhouse/fake_transport.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/reader.hpp"
#include "clickhouse/retract.hpp"
#include "codec/record_block.hpp"
#include "store/engine.hpp"
#include "store/store_error.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;
using clickhouse::Connection;
using clickhouse::RowWriter;
using store::Engine;
using store::StoreReader;

/// What a server answers to statements that contain a text; nothing to others.
using Answers = std::vector<std::pair<std::string, std::string>>;

Connection connect(const Answers& answers) {
    return connect_to_fake([answers](std::string_view sql) -> std::string {
        for (const auto& [part, rows] : answers) {
            if (sql.find(part) != sql.npos) return rows;
        }
        return sql.find("FROM push GROUP BY push") != sql.npos ? rows_of_push(5, 9) : std::string();
    });
}

std::unique_ptr<StoreReader> reader_of(const Answers& answers) {
    return clickhouse::open_reader(connect(answers),
                                   std::make_shared<clickhouse::SnapshotSource>(1000));
}

void check_refused(const std::function<void()>& ask, const std::string& words) {
    try {
        ask();
        FAIL("no error, but expected: " + words);
    } catch (const store::StoreError& error) {
        CHECK(error.kind() == store::StoreError::kDamaged);
        CHECK_THAT(error.what(), Contains("clickhouse://fake:1/chess: ") && Contains(words));
    }
}

struct Facts {
    std::uint64_t id = 1;
    std::uint8_t result = 1;
    std::uint8_t variant = 0;
    std::uint8_t time_class = 0;
    std::uint8_t mode = 0;
    std::uint16_t white_elo = 0;
    std::uint32_t date = 0;
    std::uint32_t plies = 0;
};

/// A row of kFactColumns.
RowWriter row_of(const Facts& facts) {
    RowWriter row;
    row.u64(facts.id);
    row.u8(facts.result);
    row.u8(facts.variant);
    row.u8(facts.time_class);
    row.u8(facts.mode);
    row.u16(facts.white_elo);
    row.u16(0);
    row.u32(facts.date);
    row.u32(facts.plies);
    return row;
}

struct WrongFacts {
    Facts facts;
    std::string words;
};

std::vector<WrongFacts> wrong_facts() {
    return {{{.result = 24}, "game.result of game 1 is 24"},
            {{.variant = 12}, "game.variant of game 1 is 12"},
            {{.time_class = 7}, "game.time_class of game 1 is 7"},
            {{.mode = 255}, "game.mode of game 1 is 255"},
            {{.white_elo = 10'000}, "game.white_elo of game 1 is 10000"},
            {{.date = 20'261'301}, "game.date of game 1 is 20261301"},
            {{.plies = 1U << 20}, "game.plies of game 1 is 1048576"},
            {{.id = std::uint64_t{1} << 53}, "game.id is 9007199254740992"},
            {{.id = 0}, "game.id is 0"}};
}

/// Rows of a tree: each key was reached by one game, which ended there.
std::string groups_of(const std::vector<std::uint64_t>& keys) {
    RowWriter row;
    for (const std::uint64_t key : keys) {
        row.u64(key);
        row.u16(0xFFFF);
        row.u64(1);
        for (int tally = 0; tally < 2; ++tally) {
            // Games, their results, sums and numbers of ratings.
            for (const std::uint64_t value : std::vector<std::uint64_t>{1, 0, 1, 0, 0, 0, 0, 0, 0})
                row.u64(value);
            row.u32(0);
            row.u32(0);
        }
    }
    return row.bytes();
}

const std::vector<Engine::Target> kMirrored{{5, false}, {6, true}};
constexpr Engine::TreeLists kNoLists{store::GameLists::kNone, 0, 1};

}  // namespace

TEST_CASE("Wrong facts of a game are refused by every function that reads them") {
    for (const WrongFacts& each : wrong_facts()) {
        INFO(each.words);
        const std::string row = row_of(each.facts).bytes();
        check_refused(
            [&] {
                static_cast<void>(reader_of({{"FROM game", row}})->facts(1));
            },
            each.words);

        RowWriter repetition;
        repetition.u64(1);
        repetition.u64(77);
        repetition.size(2);
        repetition.u32(1);
        repetition.u32(5);
        const Answers repeated{{"FROM repetition", repetition.bytes()}, {"FROM game", row}};
        check_refused(
            [&] { static_cast<void>(reader_of(repeated)->engine().repetitions({}, 1, 10, {})); },
            each.words);

        RowWriter tagged = row_of(each.facts);
        for (int text = 0; text < 9; ++text) tagged.string({});
        store::GameFilter filter;
        filter.tags = {{"Annotator", "A"}};
        check_refused(
            [&] {
                const auto reader = reader_of({{"position(tags", tagged.bytes()}});
                static_cast<void>(reader->engine().count_games(filter, {}));
            },
            each.words);

        RowWriter copy = row_of(each.facts);
        for (int text = 0; text < 3; ++text) copy.string({});
        copy.u8(0);
        check_refused(
            [&] {
                Connection connection = connect({{"FROM game", copy.bytes()}});
                clickhouse::OriginPushes pushes;
                pushes.complete.emplace_back().number = 1;
                const std::vector<store::GameId> games{1};
                clickhouse::retract(connection, 2, pushes, games);
            },
            each.words);
    }
}

TEST_CASE("A wrong value in the rows of a tree is refused, also in mirrored trees") {
    const auto double_row = [](std::uint64_t key, std::uint16_t next, std::uint8_t first,
                               std::uint8_t result) {
        RowWriter row;
        row.u64(1);
        row.u64(key);
        row.u16(next);
        row.u8(first);
        row.u8(1);
        row.u8(result);
        row.u16(2000);
        row.u16(2100);
        return row.bytes();
    };
    const auto [rows, words] = GENERATE_COPY(table<std::string, std::string>({
        {double_row(5, 0xFFFF, 1, 24), "posting.result of game 1 is 24, which no push writes"},
        {double_row(7, 0xFFFF, 1, 1), "posting.key = 7 does not belong there"},
        {double_row(5, 0xF000, 1, 1), "posting.next of game 1 is 61440"},
        {double_row(5, 0xFFFF, 2, 1), "posting.first_of_key of game 1 is 2"},
        {double_row(5, 0xFFFF, 1, 1) + double_row(6, 0xFFFF, 1, 3), "contradict its sums"},
    }));
    const auto reader = reader_of(
        {{"first_of_key, first_of_move, result", rows}, {"GROUP BY key, next", groups_of({5, 6})}});
    check_refused([&] { static_cast<void>(reader->engine().tree(kMirrored, {}, kNoLists, {})); },
                  words);

    // The sums of the results are not the number of games.
    std::string sums = groups_of({5});
    sums[8 + 2 + 8 + 8] = 1;
    const auto other = reader_of({{"GROUP BY key, next", sums}});
    check_refused(
        [&] {
            static_cast<void>(other->engine().tree({kMirrored.data(), 1}, {}, kNoLists, {}));
        },
        "posting.result is not what a push writes");
}

TEST_CASE("Wrong values in other answers are refused") {
    const auto bytes = [](const std::function<void(RowWriter&)>& write) {
        RowWriter row;
        write(row);
        return row.bytes();
    };
    struct Question {
        std::string part;  // of the statement
        std::string rows;
        std::function<void(StoreReader&)> ask;
        std::string words;
    };
    const auto ranked = [](std::uint32_t rank, std::uint64_t game, std::uint32_t ply) {
        RowWriter row;
        row.u32(rank);
        row.u64(game);
        row.u32(ply);
        return row.bytes();
    };
    const auto reached = [](StoreReader& reader) {
        static_cast<void>(reader.engine().reached(kMirrored, {}, store::GameOrder::kId,
                                                  store::RankedGame{0, 1}, 9, {}));
    };
    std::vector<Question> questions{
        {"GROUP BY variant", bytes([](RowWriter& row) {
             row.u8(99);
             row.u64(5);
         }),
         [](StoreReader& reader) { static_cast<void>(reader.engine().count_by_variant({})); },
         "game.variant is 99"},
        {"intDiv(date, 100), result", bytes([](RowWriter& row) {
             row.u64(5);
             row.u32(202'613);
             row.u8(1);
             row.u64(1);
         }),
         [](StoreReader& reader) { static_cast<void>(reader.engine().months(kMirrored, {}, {})); },
         "posting.month is 202613"},
        {"intDiv(date, 100), result", bytes([](RowWriter& row) {
             row.u64(5);
             row.u32(202'612);
             row.u8(7);
             row.u64(1);
         }),
         [](StoreReader& reader) { static_cast<void>(reader.engine().months(kMirrored, {}, {})); },
         "posting.result is 7"},
        {"game, ply FROM posting", ranked(0, 2, 1U << 20), reached,
         "posting.ply of game 2 is 1048576"},
        {"game, ply FROM posting", ranked(0, 1, 3), reached,
         "posting.game = 1 does not belong there"},
        {"game, ply FROM posting", ranked(0, 3, 3) + ranked(0, 2, 3), reached,
         "posting.game = 2 does not belong there"},
        {"FROM quiet_run", bytes([](RowWriter& row) {
             row.u64(2);
             row.u32(100);
             row.u8(3);
             row.u32(0);
             row.u32(120);
         }),
         [](StoreReader& reader) { static_cast<void>(reader.quiet_runs(2)); },
         "quiet_run.has75 of game 2 is 3"},
        {"FROM repetition", bytes([](RowWriter& row) {
             row.u64(2);
             row.u64(77);
             row.size(2);
             row.u32(5);
             row.u32(5);
         }),
         [](StoreReader& reader) { static_cast<void>(reader.repetitions(2)); },
         "repetition.plies of game 2 is not what a push writes"},
        {"FROM game", row_of({.id = 2}).bytes() + row_of({.id = 9}).bytes(),
         [](StoreReader& reader) { static_cast<void>(reader.has_game(2)); },
         "game.id = 9 does not belong there"},
    };
    const chess::AnyPosition start;
    codec::PositionRecord record;
    codec::add_evaluation({30, 1'000'000, {{{false, 25}, {}}}}, record);
    const auto row_of_record = [&](std::uint64_t key, std::size_t without) {
        std::string packed;
        codec::BitWriter scratch;
        codec::pack_record(start, record, scratch, packed);
        RowWriter row;
        row.u64(key);
        row.string(std::string_view(packed).substr(0, packed.size() - without));
        return row.bytes();
    };
    const auto find = [&](StoreReader& reader) {
        codec::PositionRecord found;
        return reader.records()->find(start, found) && found == record;
    };
    const auto scan = [&](StoreReader& reader) {
        reader.records()->for_each([](const auto&, const auto&) { return true; });
    };
    const std::string of_start = "table record has a record of the key 463b96181691fc9c";
    CHECK(find(*reader_of({{"FROM record WHERE key IN", row_of_record(start.key(), 0)}})));
    questions.insert(
        questions.end(),
        {{"FROM record WHERE key IN", row_of_record(77, 0), find,
          "record.key = 77 does not belong there"},
         {"FROM record WHERE key IN", row_of_record(start.key(), 1), find, of_start},
         {"FROM record WHERE key >=", row_of_record(start.key(), 1), scan, of_start},
         {"FROM record WHERE key >=", row_of_record(77, 0), scan,
          "table record has a record of the key 000000000000004d that no push writes"}});
    for (const Question& each : questions) {
        INFO(each.words);
        const auto reader = reader_of({{each.part, each.rows}});
        check_refused([&] { each.ask(*reader); }, each.words);
    }
}

TEST_CASE("A ledger with wrong values is refused") {
    std::string rows = rows_of_push(5);
    SECTION("numbers of games that no database has") {
        rows[1 + 4 + 4 + 8 + 6] = 1;
        check_refused(
            [&] {
                static_cast<void>(reader_of({{"FROM push GROUP", rows}}));
            },
            "push.last_game is 281474976710661");
    }
    SECTION("a number of rows that is not the ledger's") {
        rows[rows.size() - 10] = 4;
        check_refused(
            [&] {
                static_cast<void>(reader_of({{"FROM push GROUP", rows}}));
            },
            "table game has 4 rows of push 1 of origin 0 instead of 5");
    }
    SECTION("an unknown state") {
        RowWriter row;
        row.u32(1);
        row.u8(9);
        Connection connection = connect({{"FROM push WHERE origin", row.bytes()}});
        check_refused([&] { static_cast<void>(clickhouse::Ledger(connection).pushes_of(0)); },
                      "push.state is 9");
    }
}

TEST_CASE("Answers that end inside a value name the server") {
    const auto reader = reader_of({{"GROUP BY variant", std::string(1, 0)}});
    CHECK_THROWS_WITH(reader->engine().count_by_variant({}),
                      Contains("fake:1/chess: ") && Contains("ends inside a value"));
}
