#include "clickhouse/pushed_rows.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clickhouse/game_tags.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/position_sums.hpp"
#include "clickhouse/pushing.hpp"
#include "codec/big_position.hpp"
#include "codec/game_codes.hpp"
#include "replay/stored_walk.hpp"
#include "replay/variation_walk.hpp"
#include "store/broken_game.hpp"
#include "store/local_reader.hpp"

namespace fendex::test {

using clickhouse::Connection;
using clickhouse::RowReader;
using store::GameId;

namespace {

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

class KeysOfVariations final : public replay::VariationVisitor {
  public:
    void node(const replay::VariationNode& node) override { keys.insert(node.position.key()); }

    std::set<std::uint64_t> keys;
};

}  // namespace

void compare_postings(store::StoreReader& reader, Connection& connection) {
    CHECK(stored_postings(connection) == texts_of(postings_of(reader)));
}

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

}  // namespace fendex::test
