// Questions to a cluster that together use each decoder of answers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "chess/position.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/position_sums.hpp"
#include "clickhouse/push.hpp"
#include "clickhouse/reader.hpp"
#include "clickhouse/retract.hpp"
#include "clickhouse/stored_rows.hpp"
#include "clickhouse/tables.hpp"
#include "fuzz.hpp"
#include "store/engine.hpp"
#include "store/store_reader.hpp"

namespace fendex::fuzz {

using clickhouse::Connection;
using store::Engine;
using store::GameId;
using store::GameOrder;

inline constexpr GameId kGames = 6;  // are asked for, from 1 on

inline std::vector<GameId> games() {
    std::vector<GameId> out(kGames);
    std::iota(out.begin(), out.end(), GameId{1});
    return out;
}

/// The positions after no move, 1. e4 and 1. e4 e5, of which the second is asked for with colours
/// exchanged.
inline std::vector<Engine::Target> targets() {
    chess::Position position;
    std::vector<Engine::Target> out{{position.key(), false}};
    position.play(chess::Move(12, 28, chess::MoveKind::kDoublePush));
    out.push_back({position.key(), true});
    position.play(chess::Move(52, 36, chess::MoveKind::kDoublePush));
    out.push_back({position.key(), false});
    return out;
}

inline store::GameFilter filter() {
    store::GameFilter out;
    out.white = "a";
    out.site = "london";
    out.opening = "game";
    out.termination = "normal";
    out.tags = {{"Annotator", "A"}, {"White", "A"}};
    return out;
}

inline void require_facts(const codec::GameFacts& facts) {
    require(facts.result <= codec::Result::kDraw);
    require(static_cast<unsigned>(facts.variant) < chess::kVariants);
    require(facts.time_class <= codec::TimeClass::kUltraBullet);
    require(facts.mode <= codec::Mode::kCasual);
}

inline void ask_info(store::StoreReader& reader) {
    static_cast<void>(reader.info());
    reader.for_each_error([](const store::StoredError&) { return true; });
    static_cast<void>(reader.broken_game(1));
}

inline void ask_games(store::StoreReader& reader) {
    reader.headers(games(), [](const store::GameHeader&) {});
    reader.games(games(), [&](GameId game, const store::StoredGame&) {
        require(game - 1 < kGames);
        require_facts(reader.facts(game));
        static_cast<void>(reader.repetitions(game));
        static_cast<void>(reader.quiet_runs(game));
    });
    reader.annotations(games(), [](GameId, std::string_view) {});
}

inline void scan_games(store::StoreReader& reader) {
    reader.for_each_game(1, [](GameId, const store::StoredGame&) { return true; });
    reader.for_each_annotation(1, [](GameId, std::string_view) { return true; });
}

inline void list_games(Engine& engine) {
    static_cast<void>(engine.count_games({}, {}));
    require(engine.count_by_variant({}).size() == chess::kVariants);
    for (const GameOrder order : {GameOrder::kId, GameOrder::kDate}) {
        const auto listed = engine.games({}, order, store::RankedGame{0, 0}, 3, {});
        require(std::is_sorted(listed.begin(), listed.end()));
    }
    static_cast<void>(engine.ranks({}, GameOrder::kElo, games(), {}));
    static_cast<void>(engine.games_at_site("o", 3, {}));
    static_cast<void>(
        engine.possible_games({}, std::array<codec::SignatureCondition, 1>{}, {2, 9}, 3, {}));
    static_cast<void>(engine.games_for_clock({}, 99, 1, 3, {}));
}

inline void ask_filtered(Engine& engine) { static_cast<void>(engine.count_games(filter(), {})); }

inline void find_games(Engine& engine) {
    for (const GameOrder order : {GameOrder::kId, GameOrder::kPlies, GameOrder::kDate}) {
        static_cast<void>(engine.reached(targets(), {}, order, std::nullopt, 3, {}));
    }
    static_cast<void>(engine.in_variations(targets(), {}, 0, 3, {}));
}

inline void count_positions(Engine& engine) {
    const std::vector<std::vector<Engine::Target>> questions{targets(), {targets().front()}};
    require(engine.counts(questions, {}, {}).size() == questions.size());
    for (const Engine::Month& month : engine.months(targets(), {}, {})) require(month.month >= 100);
}

inline void ask_tree(Engine& engine, std::size_t named) {
    const Engine::Tree tree = engine.tree(targets(), {}, {.most = named}, {});
    require(tree.top.size() <= named && tree.recent.size() <= named);
    for (const Engine::PlayedMove& move : tree.moves) require(move.top.size() <= named);
}

inline void ask_repetitions(Engine& engine) {
    for (const auto& each : engine.repetitions({}, 1, 4, {})) require_facts(each.facts);
    for (const auto& each : engine.quiet_runs({}, 1, 4, {})) require_facts(each.facts);
    static_cast<void>(engine.repetition_sums({}, 2, {3, 3}, {}));
}

inline void read_ledger(Connection& connection) {
    clickhouse::Ledger ledger(connection);
    static_cast<void>(ledger.origin_of("0123"));
    const clickhouse::OriginPushes pushes = ledger.pushes_of(0);
    static_cast<void>(pushes.sum());
    static_cast<void>(clickhouse::read_stored_rows(connection, {}));
    static_cast<void>(clickhouse::wrong_rows_of_pushes(connection, {}, pushes));
    clickhouse::write_position_sums(connection, 1, false, [] {});
}

inline void take_games_back(Connection& connection) {
    clickhouse::OriginPushes pushes;
    pushes.complete.emplace_back().number = 1;
    static_cast<void>(clickhouse::retract(connection, 2, pushes, games()));
}

inline constexpr unsigned kQuestions = 13;

/// Asks a question, by number.
inline void ask(unsigned question, Connection connection) {
    if (question == 0) return clickhouse::require_keeper(connection, "two");
    if (question == 1) return read_ledger(connection);
    if (question == 2) return take_games_back(connection);
    const auto reader = clickhouse::open_reader(std::move(connection),
                                                std::make_shared<clickhouse::SnapshotSource>(1000));
    Engine& engine = reader->engine();
    switch (question) {
        case 3: return ask_info(*reader);
        case 4: return ask_games(*reader);
        case 5: return scan_games(*reader);
        case 6: return list_games(engine);
        case 7: return ask_filtered(engine);
        case 8: return find_games(engine);
        case 9: return count_positions(engine);
        case 10: return ask_tree(engine, 0);
        case 11: return ask_tree(engine, 2);
        default: return ask_repetitions(engine);
    }
}

}  // namespace fendex::fuzz
