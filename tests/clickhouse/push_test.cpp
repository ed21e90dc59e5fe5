// What a push leaves in the tables, compared with the database that was pushed; and that it leaves
// the same, whatever happened on the way.
#include "clickhouse/push.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "clickhouse/game_tags.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/position_sums.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/servers.hpp"
#include "clickhouse/snapshot.hpp"
#include "clickhouse/stored_rows.hpp"
#include "clickhouse/tables.hpp"
#include "codec/big_position.hpp"
#include "codec/game_codes.hpp"
#include "replay/stored_walk.hpp"
#include "replay/variation_walk.hpp"
#include "store/broken_game.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/store_error.hpp"
#include "support/delete_games.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using clickhouse::PushOptions;
using clickhouse::PushProgress;
using clickhouse::PushSummary;
using clickhouse::RowReader;
using store::GameId;

const std::string kData = FENDEX_TEST_DATA;

struct Posting {
    std::uint64_t key = 0;
    std::uint16_t next = 0;
    GameId game = 0;
    std::uint32_t ply = 0;
    codec::GameFacts facts;
    bool first_of_key = false;
    bool first_of_move = false;

    std::string text() const {
        return std::to_string(key) + ' ' + std::to_string(next) + ' ' + std::to_string(game) + ' ' +
               std::to_string(ply) + ' ' + std::to_string(static_cast<int>(facts.result)) + ' ' +
               std::to_string(facts.white_elo) + ' ' + std::to_string(facts.black_elo) + ' ' +
               std::to_string(facts.date.number()) + ' ' +
               std::to_string(static_cast<int>(facts.time_class)) + ' ' +
               std::to_string(static_cast<int>(facts.variant)) + (first_of_key ? " K" : "") +
               (first_of_move ? " M" : "");
    }
};

/// All positions of the games that a database has.
std::vector<Posting> postings_of(store::StoreReader& reader) {
    std::vector<Posting> out;
    reader.for_each_moves(1, [&](GameId game, const store::StoredMoves& moves) {
        std::set<std::uint64_t> keys;
        std::set<std::pair<std::uint64_t, std::uint16_t>> played;
        const codec::GameFacts facts = reader.facts(game);
        replay::with_walk(game, moves, [&](auto& walk) {
            for (;; walk.advance()) {
                const std::uint64_t key = walk.position().key();
                const std::uint16_t next = walk.next_move().bits();
                out.push_back({key, next, game, walk.ply(), facts, keys.insert(key).second,
                               played.insert({key, next}).second});
                if (walk.at_end()) break;
            }
        });
        return true;
    });
    return out;
}

std::vector<std::string> texts_of(const std::vector<Posting>& postings) {
    std::vector<std::string> out;
    for (const Posting& each : postings) out.push_back(each.text());
    std::sort(out.begin(), out.end());
    return out;
}

/// The rows that are left when those of the opposite sign are taken off.
std::vector<std::string> stored_postings(Connection& connection) {
    std::vector<std::string> out;
    connection.query(
        "SELECT key, next, game, ply, result, white_elo, black_elo, toUInt32(date), time_class, "
        "variant, first_of_key, first_of_move, toInt64(sum(sign)) FROM posting WHERE" +
            kComplete +
            "GROUP BY key, next, game, ply, result, white_elo, black_elo, date, time_class, "
            "variant, first_of_key, first_of_move",
        [&](RowReader& row) {
            Posting each;
            each.key = row.u64();
            each.next = row.u16();
            each.game = row.u64();
            each.ply = row.u32();
            each.facts.result = static_cast<codec::Result>(row.u8());
            each.facts.white_elo = row.u16();
            each.facts.black_elo = row.u16();
            each.facts.date = row.u32();
            each.facts.time_class = static_cast<codec::TimeClass>(row.u8());
            each.facts.variant = static_cast<chess::Variant>(row.u8());
            each.first_of_key = row.u8() != 0;
            each.first_of_move = row.u8() != 0;
            const std::int64_t times = row.i64();
            for (std::int64_t i = 0; i < times; ++i) out.push_back(each.text());
            if (times < 0) out.push_back("taken back too often: " + each.text());
        });
    std::sort(out.begin(), out.end());
    return out;
}

/// Compares the rows of table `game` with what the reader says of each game.
void compare_games(store::StoreReader& reader, Connection& connection) {
    struct Row {
        codec::GameFacts facts;
        store::StoredGame game;
        std::string opening;
        std::string annotation;
        codec::GameSignature signature;
    };
    std::map<GameId, Row> rows;
    connection.query(
        "SELECT id, white, black, event, site, round, eco, termination, opening, date, result, "
        "white_elo, black_elo, plies, variant, time_class, mode, start, moves, tags, annotation, "
        "least, white_pawns, black_pawns, surplus, replayed FROM game WHERE" +
            kComplete,
        [&](RowReader& row) {
            const GameId id = row.u64();
            Row& out = rows[id];
            std::vector<std::string> texts;
            for (int i = 0; i < 7; ++i) texts.emplace_back(row.string());
            out.opening = row.string();
            out.facts.date = row.u32();
            out.facts.result = static_cast<codec::Result>(row.u8());
            out.facts.white_elo = row.u16();
            out.facts.black_elo = row.u16();
            out.facts.plies = row.u32();
            out.facts.variant = static_cast<chess::Variant>(row.u8());
            out.facts.time_class = static_cast<codec::TimeClass>(row.u8());
            out.facts.mode = static_cast<codec::Mode>(row.u8());
            out.game.moves.start = row.string();
            out.game.moves.moves = row.string();
            const clickhouse::TagColumns columns{texts[0], texts[1], texts[2], texts[3],
                                                 texts[4], texts[5], texts[6], out.game.moves.start,
                                                 out.facts};
            REQUIRE(clickhouse::decode_tags(row.string(), columns, out.game.tags));
            out.annotation = row.string();
            out.signature.least = row.u64();
            out.signature.white_pawns = row.u64();
            out.signature.black_pawns = row.u64();
            const unsigned surplus = row.u8();
            out.signature.surplus[0] = (surplus & 1) != 0;
            out.signature.surplus[1] = (surplus & 2) != 0;
            out.signature.replayed = row.u8() != 0;
        });
    std::uint64_t games = 0;
    reader.for_each_game(1, [&](GameId id, const store::StoredGame& game) {
        INFO("game " << id);
        ++games;
        REQUIRE(rows.count(id) == 1);
        const Row& row = rows[id];
        CHECK(row.facts == reader.facts(id));
        CHECK(row.game.moves.start == game.moves.start);
        CHECK(row.game.moves.moves == game.moves.moves);
        CHECK(row.game.tags == game.tags);
        std::string annotation;
        if (!reader.annotation(id, annotation)) annotation.clear();
        CHECK(row.annotation == annotation);
        CHECK(row.signature == reader.local()->signatures({id, id}).at(0));
        std::uint32_t opening = 0;
        reader.local()->column(store::GameColumn::kOpening, id, std::span(&opening, 1));
        const auto opening_id = codec::id_of_code(opening);
        CHECK(row.opening ==
              (opening_id ? reader.local()->name(store::NameKind::kOpening, *opening_id) : ""));
        store::GameHeader header;
        REQUIRE(reader.header(id, header));
        const store::GameHeader stored = clickhouse::header_of(id, row.game.tags, row.facts);
        CHECK(stored.white == header.white);
        CHECK(stored.date == header.date);
        CHECK(stored.round == header.round);
        CHECK(stored.white_elo == header.white_elo);
        CHECK(stored.black_elo == header.black_elo);
        CHECK(stored.eco == header.eco);
        return true;
    });
    CHECK(rows.size() == games);
    std::set<std::pair<std::string, GameId>> players;
    std::uint64_t player_rows = 0;
    connection.query("SELECT name, game FROM player WHERE" + kComplete, [&](RowReader& row) {
        const std::string name(row.string());
        players.emplace(name, row.u64());
        ++player_rows;
    });
    CHECK(player_rows == 2 * games);
    std::set<std::pair<std::string, GameId>> expected;
    connection.query("SELECT white, black, id FROM game WHERE" + kComplete, [&](RowReader& row) {
        const std::string white(row.string());
        const std::string black(row.string());
        const GameId id = row.u64();
        expected.emplace(white, id);
        expected.emplace(black, id);
    });
    CHECK(players == expected);
}

class KeysOfVariations final : public replay::VariationVisitor {
  public:
    void node(const replay::VariationNode& node) override { keys.insert(node.position.key()); }

    std::set<std::uint64_t> keys;
};

/// Compares tables that are written game by game besides games and postings.
void compare_rest(store::StoreReader& reader, Connection& connection) {
    std::set<std::pair<std::uint64_t, GameId>> variations;
    reader.for_each_annotation(1, [&](GameId game, std::string_view stream) {
        KeysOfVariations visitor;
        store::StoredMoves moves;
        REQUIRE(reader.moves(game, moves));
        replay::walk_variations(game, moves, stream, false, visitor);
        for (const std::uint64_t key : visitor.keys) {
            const std::vector<GameId> indexed = reader.local()->games_with_variations(key);
            if (std::binary_search(indexed.begin(), indexed.end(), game)) {
                variations.emplace(key, game);
            }
        }
        return true;
    });
    std::set<std::pair<std::uint64_t, GameId>> stored;
    std::uint64_t rows = 0;
    connection.query("SELECT key, game FROM variation WHERE" + kComplete, [&](RowReader& row) {
        const std::uint64_t key = row.u64();
        stored.emplace(key, row.u64());
        ++rows;
    });
    CHECK(stored == variations);
    CHECK(rows == stored.size());

    std::vector<std::string> expected;
    reader.local()->for_each_repetition(1, 2, [&](const store::Repetition& each) {
        expected.push_back(std::to_string(each.game) + ' ' + std::to_string(each.key) +
                           store::plies_text(each.plies));
        return true;
    });
    std::vector<std::string> repetitions;
    connection.query("SELECT game, key, plies FROM repetition WHERE" + kComplete,
                     [&](RowReader& row) {
                         const GameId game = row.u64();
                         const std::uint64_t key = row.u64();
                         repetitions.push_back(std::to_string(game) + ' ' + std::to_string(key) +
                                               store::plies_text(row.u32s()));
                     });
    std::sort(expected.begin(), expected.end());
    std::sort(repetitions.begin(), repetitions.end());
    CHECK(repetitions == expected);

    std::vector<store::QuietRun> runs;
    reader.local()->for_each_quiet_run(1, [&](const store::QuietRun& each) {
        runs.push_back(each);
        return true;
    });
    std::vector<store::QuietRun> stored_runs;
    connection.query("SELECT game, ply50, ply75, has75, longest FROM quiet_run WHERE" + kComplete +
                         "ORDER BY game, ply50",
                     [&](RowReader& row) {
                         store::QuietRun run;
                         run.game = row.u64();
                         run.ply50 = row.u32();
                         const std::uint32_t ply75 = row.u32();
                         if (row.u8() != 0) run.ply75 = ply75;
                         run.longest = row.u32();
                         stored_runs.push_back(run);
                     });
    CHECK(stored_runs == runs);

    for (std::uint8_t kind = 0; kind < clickhouse::kNameKinds; ++kind) {
        std::set<std::string> names;
        reader.local()->for_each_name(
            static_cast<store::NameKind>(kind),
            [&](std::int64_t, std::string_view name) { names.emplace(name); });
        std::set<std::string> of_cluster;
        connection.query(
            "SELECT name FROM name WHERE kind = " + std::to_string(kind) + " AND" + kComplete,
            [&](RowReader& row) { of_cluster.emplace(row.string()); });
        CHECK(of_cluster == names);
    }
}

/// Compares sources, errors and counters.
void compare_ledger(store::StoreReader& reader, Connection& connection) {
    const store::StoreInfo info = reader.info();
    clickhouse::Ledger ledger(connection);
    const std::optional<clickhouse::Origin> origin = ledger.origin_of(info.id);
    REQUIRE(origin);
    const clickhouse::OriginPushes pushes = ledger.pushes_of(*origin);
    const clickhouse::PushCounters sum = pushes.sum();
    CHECK(sum.games == static_cast<std::int64_t>(info.games));
    CHECK(sum.plies == static_cast<std::int64_t>(info.plies));
    CHECK(sum.positions == static_cast<std::int64_t>(info.positions));
    CHECK(sum.fingerprint == info.fingerprint);
    CHECK(sum.errors == static_cast<std::int64_t>(info.errors));
    CHECK(sum.warnings == static_cast<std::int64_t>(info.warnings));
    CHECK(sum.annotated_games == static_cast<std::int64_t>(info.annotated_games));
    CHECK(sum.annotation_bytes == static_cast<std::int64_t>(info.annotation_bytes));

    const std::string newest = " WHERE push = " + std::to_string(pushes.complete.back().number);
    std::vector<std::string> paths;
    connection.query("SELECT path FROM source" + newest + " ORDER BY id",
                     [&](RowReader& row) { paths.emplace_back(row.string()); });
    std::vector<std::string> expected;
    for (const store::StoredSource& each : reader.sources()) expected.push_back(each.file.path);
    CHECK(paths == expected);

    std::map<std::int64_t, std::pair<std::string, std::string>> errors;
    connection.query("SELECT id, reason, pgn FROM import_error" + newest, [&](RowReader& row) {
        const std::int64_t id = row.i64();
        std::string reason(row.string());
        errors[id] = {reason, std::string(row.string())};
    });
    std::size_t count = 0;
    std::set<GameId> seen;
    reader.for_each_error([&](const store::StoredError& each) {
        ++count;
        REQUIRE(errors.count(each.id) == 1);
        CHECK(errors[each.id].first == each.error.reason);
        const std::string& packed = errors[each.id].second;
        const bool is_first = each.game && seen.insert(*each.game).second;
        CHECK((is_first ? store::unpack_broken_game(packed) : std::nullopt) ==
              (is_first ? reader.broken_game(each.id) : std::nullopt));
        CHECK((is_first || packed.empty()));
        return true;
    });
    CHECK(errors.size() == count);
}

/// Sums of the games that played each move from each position, computed here.
void compare_position_sums(store::StoreReader& reader, Connection& connection) {
    struct Sums {
        codec::Tally tally;
        codec::Tally total;
        codec::NamedGames top;
        codec::NamedGames recent;
    };
    std::map<std::uint64_t, std::map<std::uint16_t, Sums>> positions;
    std::map<std::uint64_t, std::uint64_t> rows;
    for (const Posting& each : postings_of(reader)) {
        ++rows[each.key];
        Sums& sums = positions[each.key][each.next];
        ++sums.tally.occurrences;
        if (each.first_of_key) sums.total.add_game(each.facts);
        if (!each.first_of_move) continue;
        sums.tally.add_game(each.facts);
        sums.top.offer(each.game, codec::rank_by_rating(each.facts));
        sums.recent.offer(each.game, codec::rank_by_date(each.facts));
    }
    const auto text = [](const codec::Tally& tally) {
        std::string out;
        for (const std::uint64_t each :
             {tally.games, tally.results.by_code[0], tally.results.by_code[1],
              tally.results.by_code[2], tally.results.by_code[3], tally.white_elo_sum,
              tally.white_elo_games, tally.black_elo_sum, tally.black_elo_games,
              std::uint64_t{tally.first_date.number()}, std::uint64_t{tally.last_date.number()}}) {
            out += std::to_string(each) + ' ';
        }
        return out;
    };
    const auto named = [](const codec::NamedGames& games) {
        std::string ids;
        std::string ranks;
        for (const auto& each : games.entries()) {
            ids += std::to_string(each.game) + ' ';
            ranks += std::to_string(each.rank) + ' ';
        }
        return ids + ranks;
    };
    std::vector<std::string> expected;
    for (const auto& [key, moves] : positions) {
        if (rows[key] < clickhouse::kSummedRows) continue;
        for (const auto& [next, sums] : moves) {
            expected.push_back(std::to_string(key) + ' ' + std::to_string(next) + ' ' +
                               std::to_string(sums.tally.occurrences) + ' ' + text(sums.tally) +
                               text(sums.total) + named(sums.top) + named(sums.recent));
        }
    }
    REQUIRE(expected.size() > 4);
    std::vector<std::string> stored;
    connection.query(
        "SELECT key, next, occurrences, games, unknown_results, white_wins, black_wins, draws, "
        "white_elo_sum, white_elo_games, black_elo_sum, black_elo_games, first_date, last_date, "
        "total_games, total_unknown_results, total_white_wins, total_black_wins, total_draws, "
        "total_white_elo_sum, total_white_elo_games, total_black_elo_sum, total_black_elo_games, "
        "total_first_date, total_last_date, top_games, top_ranks, recent_games, recent_ranks FROM "
        "position_sum WHERE" +
            kComplete,
        [&](RowReader& row) {
            std::string out = std::to_string(row.u64()) + ' ';
            out += std::to_string(row.u16()) + ' ';
            out += std::to_string(row.u64()) + ' ';
            for (int tally = 0; tally < 2; ++tally) {
                for (int i = 0; i < 9; ++i) out += std::to_string(row.u64()) + ' ';
                for (int i = 0; i < 2; ++i) out += std::to_string(row.u32()) + ' ';
            }
            for (int i = 0; i < 4; ++i) {
                for (const std::uint64_t each : row.u64s()) out += std::to_string(each) + ' ';
            }
            stored.push_back(out);
        });
    std::sort(expected.begin(), expected.end());
    std::sort(stored.begin(), stored.end());
    CHECK(stored == expected);
}

}  // namespace

TEST_CASE("A push writes the same data as the database has", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {kData + "/variants/games.pgn", folder.write("short.pgn", short_games(1400))},
                false);
    import_into(file, {FENDEX_SAMPLES, kData + "/repeats/pgn-extract.pgn"});
    const std::string broken = "[White \"W\"]\n\n1. e4 e5 2. Ke4 1-0\n\n1. d4 d5 2. xx 0-1\n";
    import_into(file, {folder.write("broken.pgn", broken)});
    const PushSummary summary = push_file(file, database);
    const store::Reader reader = store::file_store(file)->reader();
    const store::StoreInfo info = reader->info();
    CHECK(summary.origin == 0);
    CHECK(summary.games == info.games);
    CHECK(summary.plies == info.plies);
    CHECK(summary.postings == info.positions);
    Connection connection = database.connect();
    CHECK(stored_postings(connection) == texts_of(postings_of(*reader)));
    compare_games(*reader, connection);
    compare_rest(*reader, connection);
    compare_ledger(*reader, connection);
    compare_position_sums(*reader, connection);
    CHECK(check(file, database).differences.empty());
    CHECK(rows_of_incomplete_pushes(connection) == 0);

    const std::map<std::string, std::string> before = contents(connection);
    CHECK(push_file(file, database).nothing_new);
    CHECK(contents(connection) == before);
}

TEST_CASE("A push after imports and deletions sends only what has changed", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    // The input ends in the middle of a game, which is imported again, as another, when it goes on.
    const std::string text = short_games(40) + "[White \"Open\"]\n\n1. e4 e5 2. Nf3";
    const std::string input = folder.write("short.pgn", text);
    import_into(file, {FENDEX_SAMPLES, input});
    push_file(file, database);
    const auto remove = [&](const std::vector<GameId>& games) { delete_games(file, games); };
    const auto present = [&] { return store::file_store(file)->reader(); };
    Connection connection = database.connect();

    remove({2, 3, 100});
    PushSummary summary = push_file(file, database);
    CHECK(summary.games == 0);
    CHECK(summary.taken_back == 3);
    CHECK(stored_postings(connection) == texts_of(postings_of(*present())));
    compare_ledger(*present(), connection);

    folder.write("short.pgn", text + " Nc6 3. Bb5 1-0\n");
    import_into(file, {input, kData + "/repeats/pgn-extract.pgn"});
    const GameId last = present()->last_game();
    remove({1, 4, last});
    summary = push_file(file, database, [](PushOptions& options) { options.cluster.clear(); });
    CHECK(summary.taken_back == 3);
    CHECK(stored_postings(connection) == texts_of(postings_of(*present())));
    compare_ledger(*present(), connection);
    CHECK(number(connection,
                 "SELECT sum(sign * toInt64(1)) FROM variation WHERE game GLOBAL IN "
                 "(SELECT game FROM taken_back)") == 0);
    CHECK(number(connection, "SELECT count() FROM taken_back") == 6);

    remove({last - 1});
    CHECK(push_file(file, database).taken_back == 1);
    CHECK(check(file, database).differences.empty());
    CHECK(push_file(file, database).nothing_new);
}

TEST_CASE("Each database has its own origin", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string first = folder / "first.db";
    const std::string second = folder / "second.db";
    import_into(first, {folder.write("short.pgn", short_games(9))});
    import_into(second, {folder.write("short2.pgn", short_games(5))});
    CHECK(push_file(first, database).origin == 0);
    CHECK(push_file(second, database).origin == 1);
    import_into(first, {folder.write("short3.pgn", short_games(3))});
    CHECK(push_file(first, database).games == 3);
    CHECK(push_file(second, database).nothing_new);
    Connection connection = database.connect();
    CHECK(number(connection, "SELECT min(id) FROM game WHERE id > 1000") ==
          clickhouse::cluster_id(1, 1));
    CHECK(number(connection, "SELECT count() FROM game") == 17);
    CHECK(number(connection, "SELECT max(toUInt64(push)) FROM game") ==
          clickhouse::push_number(1, 1));
    CHECK(check(first, database).differences.empty());
    CHECK(check(second, database).differences.empty());
}

TEST_CASE("An interrupted claim of an origin is continued, unless another database has it too",
          "[clickhouse]") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string first = folder / "first.db";
    const std::string second = folder / "second.db";
    import_into(first, {folder.write("short.pgn", short_games(3))});
    import_into(second, {folder.write("short2.pgn", short_games(2))});
    CHECK(push_file(first, database).origin == 0);
    // As if the push had ended after its claim, and another database had claimed it as well.
    Connection connection = database.connect();
    const std::string claim = "INSERT INTO origin (origin, database, path, state, time) SELECT ";
    const std::string id = store::file_store(second)->reader()->info().id;
    connection.run(claim + "1, 'another', 'another.db', 0, now()");
    connection.run(claim + "1, '" + id + "', 'second.db', 0, now()");
    connection.run(claim + "2, '" + id + "', 'second.db', 0, now()");
    CHECK(push_file(second, database).origin == 2);
    CHECK(push_file(second, database).nothing_new);
}

TEST_CASE("A push that is interrupted anywhere and run again leaves the same rows",
          "[clickhouse][full]") {
    const auto kind = GENERATE(from_range(at_full_size_all(kTwoShards)));
    const bool replace = kind == kOneServer;
    const TestDatabase database(kind);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {FENDEX_SAMPLES, folder.write("short.pgn", short_games(600))});
    struct Fault {};
    if (replace) push_file(file, database);
    const auto in_parts = [&](PushOptions& options) {
        options.games_at_once = 400;
        options.block_postings = 6000;
        options.replace = replace;
    };
    int steps = 0;
    for (bool done = false; !done; ++steps) {
        int left = steps;
        try {
            push_file(file, database, [&](PushOptions& options) {
                in_parts(options);
                options.progress = [&](const PushProgress&) {
                    if (left-- == 0) throw Fault();
                };
            });
            done = true;
        } catch (const Fault&) {
            // What readers see in between is whole: parts that are complete, or what was replaced.
            Connection connection = database.connect();
            const std::uint64_t games =
                number(connection, "SELECT count() FROM game WHERE" + kComplete);
            CHECK(games == (replace ? 713 : games / 400 * 400));
        }
    }
    CHECK(steps > 3);
    Connection connection = database.connect();
    const store::Reader reader = store::file_store(file)->reader();
    CHECK(stored_postings(connection) == texts_of(postings_of(*reader)));
    compare_games(*reader, connection);
    compare_rest(*reader, connection);
    compare_ledger(*reader, connection);
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    CHECK(check(file, database).differences.empty());
}

TEST_CASE("A push that cannot be added to is refused, and replaced on request",
          "[clickhouse][full]") {
    const auto kind = GENERATE(from_range(at_full_size_all(kOneServer)));
    const TestDatabase database(kind);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("first.pgn", short_games(3))});
    const std::string copy = folder / "copy.db";
    std::filesystem::copy_file(file, copy);
    import_into(file, {folder.write("second.pgn", short_games(9))});
    push_file(file, database);
    Connection connection = database.connect();
    const std::map<std::string, std::string> before = contents(connection);
    // The file is put back to an earlier state, and goes on from there with fewer games, with as
    // many others, or with more.
    std::filesystem::copy_file(copy, file, std::filesystem::copy_options::overwrite_existing);
    const int others = kind == kOneServer ? 1 : kind == kTwoShards ? 9 : 12;
    std::string text;
    for (int i = 0; i < others; ++i) text += "[White \"Other\"]\n\n1. a4 a5 2. b4 1-0\n\n";
    import_into(file, {folder.write("third.pgn", text)});
    CHECK_THROWS_WITH(push_file(file, database), Catch::Contains("--replace"));
    CHECK(contents(connection) == before);
    CHECK_FALSE(check(file, database).differences.empty());
    const PushSummary summary =
        push_file(file, database, [](PushOptions& options) { options.replace = true; });
    CHECK(summary.games == static_cast<std::uint64_t>(others) + 3);
    CHECK(check(file, database).differences.empty());
    const store::Reader reader = store::file_store(file)->reader();
    CHECK(stored_postings(connection) == texts_of(postings_of(*reader)));
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    CHECK(push_file(file, database).nothing_new);
}

TEST_CASE("A check of a push names each difference", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(9))});
    push_file(file, database);
    Connection connection = database.connect();
    SECTION("an extra posting") {
        connection.run("INSERT INTO posting (push, key, game, sign) VALUES (1, 5, 1, 1)", {},
                       {{"insert_distributed_sync", "1"}});
        const std::vector<std::string> differences = check(file, database).differences;
        REQUIRE(differences.size() == 2);
        CHECK(differences[0].find("push 1 (games 1 to 9): its postings are") == 0);
        CHECK(differences[1].find("fingerprint") != std::string::npos);
    }
    SECTION("an extra game") {
        connection.run("INSERT INTO game (push, id) VALUES (1, 10)", {},
                       {{"insert_distributed_sync", "1"}});
        CHECK(check(file, database).differences.size() == 1);
    }
    SECTION("a database that was not pushed") {
        const std::string other = folder / "other.db";
        import_into(other, {folder.write("other.pgn", short_games(2))});
        CHECK_THROWS_WITH(check(other, database), Catch::Contains("was not pushed"));
    }
    SECTION("games that were not pushed yet") {
        import_into(file, {folder.write("more.pgn", short_games(2))});
        CHECK(check(file, database).differences.size() == 3);
    }
}

TEST_CASE("Lost rows are an error for queries, until a push sends them again",
          "[clickhouse][full]") {
    const auto kind = GENERATE(from_range(at_full_size_all(kTwoShards)));
    const TestDatabase database(kind);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string others = "[White \"W\"]\n\n1. e4 (1. d4) e5 1-0\n\n1. d4 xx 0-1\n";
    const std::string archive = folder.write("short.pgn", short_games(600) + others);
    import_into(file, {archive, kData + "/repeats/pgn-extract.pgn"});
    must_run({"names", file, "--quiet", "--join", "V", "W"});
    push_file(file, database);
    const auto cluster = clickhouse::open(database.url(), {}, "");
    Connection entry = database.connect();
    std::vector<std::string> tables;
    for (const auto& [push, rows] : clickhouse::read_stored_rows(entry, {database.cluster()})) {
        CHECK(push == 1);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i] != 0) tables.push_back(clickhouse::counted_tables()[i]);
        }
    }
    CHECK(tables.size() == 11);  // not taken_back
    // Each push takes this engine seconds.
    if (kind == kNewEngine) tables = {"posting", "source"};
    clickhouse::Ledger ledger(entry);
    const auto before = contents(entry);
    for (const std::string& table : tables) {
        CAPTURE(table);
        const store::Reader reader = cluster->reader();
        const std::string push = std::to_string(ledger.pushes_of(0).complete.front().number);
        for (const std::string& host : database.hosts()) {
            Connection connection(
                clickhouse::parse_url("clickhouse://" + host + "/" + database.name()), "");
            connection.run("ALTER TABLE " +
                           clickhouse::local_name(table, !database.cluster().empty()) +
                           " DROP PARTITION " + push);
        }
        std::this_thread::sleep_for(clickhouse::SnapshotSource::kFresh);
        const std::string words =
            "table " + table + " has 0 rows of push " + push + " of origin 0 instead of ";
        CHECK_THROWS_WITH(cluster->reader(), Catch::Contains(words));
        CHECK_THROWS_WITH(reader->refresh(), Catch::Contains(words));
        const std::vector<std::string> differences = check(file, database).differences;
        REQUIRE_FALSE(differences.empty());
        CHECK_THAT(differences.front(),
                   Catch::Contains("push " + push + " (games 1 to ") &&
                       Catch::Contains(table == "posting" ? "postings" : "table " + table));
        const PushSummary summary = push_file(file, database);
        REQUIRE(summary.mended.size() == 1);
        CHECK_THAT(summary.mended.front(), Catch::Contains(words));
        CHECK(cluster->reader()->info().games == store::file_store(file)->reader()->info().games);
    }
    CHECK(check(file, database).differences.empty());
    CHECK(contents(entry) == before);
}

TEST_CASE("A push sends only the games again whose rows were lost", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(90))});
    push_file(file, database, [](PushOptions& options) { options.games_at_once = 30; });
    Connection entry = database.connect();
    // Names, sources and errors are sent again besides.
    const auto games_and_postings = [&] {
        std::string out;
        for (const auto& [table, rows] : contents(entry)) {
            const bool is_sent_again =
                table == "name" || table == "source" || table == "import_error";
            if (!is_sent_again) out += table + ": " + rows + "\n";
        }
        return out;
    };
    const std::string before = games_and_postings();
    const auto drop = [&](const std::string& table, int push) {
        Connection second = connect_to_second(database);
        second.run("ALTER TABLE " + table + "_shard DROP PARTITION " + std::to_string(push));
    };
    drop("posting", 2);
    const std::vector<std::string> differences = check(file, database).differences;
    REQUIRE_FALSE(differences.empty());
    CHECK_THAT(differences.front(), Catch::Contains("push 2 (games 31 to 60): its postings are "));
    PushSummary summary = push_file(file, database);
    CHECK(summary.games == 30);
    CHECK(summary.mended.size() == 1);
    CHECK(games_and_postings() == before);
    // The rows that take a game back stay only with those of the game.
    delete_games(file, {40});
    CHECK(push_file(file, database).taken_back == 1);
    // The four pushes have been joined.
    clickhouse::Ledger ledger(entry);
    REQUIRE(ledger.pushes_of(0).complete.size() == 1);
    drop("game", static_cast<int>(ledger.pushes_of(0).complete.front().number));
    summary = push_file(file, database);
    CHECK(summary.games == 89);
    CHECK(summary.mended.size() == 1);
    CHECK(check(file, database).differences.empty());
    CHECK(rows_of_incomplete_pushes(entry) == 0);
    CHECK(push_file(file, database).nothing_new);
}

TEST_CASE("Replicas without a keeper or replicated tables are refused before anything is written",
          "[clickhouse]") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(1))});
    const std::string words = "shard 1 of cluster 'copies' has 2 replicas";
    PushOptions options = options_for(database);
    options.cluster = "copies";
    const clickhouse::Url nowhere = clickhouse::parse_url(database.url() + "_none");
    CHECK_THROWS_WITH(clickhouse::push_database(*store::file_store(file), nowhere, options),
                      Catch::Contains(words) && Catch::Contains("no keeper"));
    Connection connection = database.connect();
    CHECK(number(connection, "SELECT count() FROM system.databases WHERE name = '" +
                                 nowhere.database + "'") == 0);
    // Tables that were made when the shard had no replica yet.
    clickhouse::Servers servers;
    servers.present.push_back({{}, database.connect()});
    clickhouse::create_tables(servers, "copies");
    const std::string not_replicated = words + ", but its tables are not replicated";
    CHECK_THROWS_WITH(clickhouse::open(database.url(), {}, "")->reader(),
                      Catch::Contains(not_replicated));
    CHECK_THROWS_WITH(push_file(file, database), Catch::Contains(not_replicated));
    CHECK_THROWS_WITH(check(file, database), Catch::Contains(not_replicated));
}

TEST_CASE("push says what it did, as text and as JSON", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kOneServer))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(9))});
    const auto fendex = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {FENDEX_BINARY, "push", file, database.url()});
        return run_process(options);
    };
    std::vector<std::string> first{"--format", "json", "--quiet"};
    if (!database.cluster().empty()) first.insert(first.end(), {"--cluster", database.cluster()});
    Outcome outcome = fendex(first);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    const auto pushed = nlohmann::json::parse(outcome.out);
    CHECK(pushed["games"] == 9);
    CHECK(pushed["origin"] == 0);
    CHECK(pushed["nothing_new"] == false);
    outcome = fendex({});
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "nothing new: the cluster has all games\n");
    outcome = fendex({"--check"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.find("the same: 9 games") == 0);
    outcome = fendex({"--cluster", "another"});
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find("not in the cluster 'another'") != std::string::npos);

    import_into(file, {folder.write("more.pgn", short_games(2))});
    outcome = fendex({"--check", "--format", "json", "--quiet"});
    CHECK(outcome.status == 2);
    CHECK(nlohmann::json::parse(outcome.out)["differences"].size() == 3);
    CHECK(lines_of(outcome.err).size() == 3);
    outcome = fendex({});
    CHECK(outcome.err.find("2 games, ") == 0);
    outcome = fendex({"--replace"});
    CHECK(outcome.err.find("11 games, ") == 0);
}
