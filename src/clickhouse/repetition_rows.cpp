#include "clickhouse/repetition_rows.hpp"

#include <string>
#include <utility>

#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

namespace {

constexpr char kSelectRepetitions[] = "SELECT game, key, plies FROM repetition WHERE ";
constexpr char kSelectRuns[] = "SELECT game, ply50, has75, ply75, longest FROM quiet_run WHERE ";

/// Rows that a piece of a scan should have.
constexpr std::size_t kRowsInPiece = 20'000;
constexpr std::uint64_t kFirstGamesInPiece = 4096;
constexpr std::uint64_t kMostGamesInPiece = std::uint64_t{1} << 22;

}  // namespace

std::vector<store::Repetition> RepetitionRows::select_repetitions(const std::string& condition) {
    const Snapshot& snapshot = session_->snapshot();
    std::vector<store::Repetition> out;
    session_->connection().query(
        kSelectRepetitions + snapshot.sql_pushes() + " AND " + condition +
            snapshot.sql_and_present(),
        [&](RowReader& row) {
            store::Repetition& each = out.emplace_back();
            each.game = row.u64();
            each.key = row.u64();
            each.plies = row.u32s();
            if (each.plies.size() < 2 ||
                std::adjacent_find(each.plies.begin(), each.plies.end(), std::greater_equal<>()) !=
                    each.plies.end()) {
                throw_damaged(session_->connection(), "repetitions", each.game);
            }
        });
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return std::pair(a.game, static_cast<std::int64_t>(a.key)) <
               std::pair(b.game, static_cast<std::int64_t>(b.key));
    });
    return out;
}

std::vector<store::QuietRun> RepetitionRows::select_runs(const std::string& condition) {
    const Snapshot& snapshot = session_->snapshot();
    std::vector<store::QuietRun> out;
    session_->connection().query(
        kSelectRuns + snapshot.sql_pushes() + " AND " + condition + snapshot.sql_and_present(),
        [&](RowReader& row) {
            store::QuietRun& run = out.emplace_back();
            run.game = row.u64();
            run.ply50 = row.u32();
            const bool has75 = row.u8() != 0;
            const std::uint32_t ply75 = row.u32();
            if (has75) run.ply75 = ply75;
            run.longest = row.u32();
        });
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return std::pair(a.game, a.ply50) < std::pair(b.game, b.ply50);
    });
    return out;
}

template <typename Value, typename Select>
std::vector<Value> RepetitionRows::of_game(GameId game, Kept<Value>& kept, Select select) {
    if (!std::binary_search(kept.games.begin(), kept.games.end(), game)) {
        kept = {};
        const std::vector<GameId> games = expected_->with(game);
        for (Value& each : select("game IN " + sql_list(games))) {
            kept.rows[each.game].push_back(std::move(each));
        }
        kept.games = games;
    }
    const auto found = kept.rows.find(game);
    return found == kept.rows.end() ? std::vector<Value>() : found->second;
}

template <typename Value, typename Select>
void RepetitionRows::scan(GameId first, Select select,
                          const std::function<bool(const Value&)>& visit) {
    // A copy: visit() may refresh the reader.
    const std::vector<store::GameRange> ranges = session_->snapshot().ranges();
    std::uint64_t width = kFirstGamesInPiece;
    for (store::GameRange rest : ranges) {
        rest.first = std::max(rest.first, first);
        while (const auto piece = store::take_front(rest, width)) {
            const std::vector<Value> rows = select("game " + sql_between(*piece));
            std::vector<GameId> games;
            games.reserve(rows.size());
            for (const Value& each : rows) games.push_back(each.game);
            expected_->set(games);
            for (const Value& each : rows) {
                if (!visit(each)) return;
            }
            if (rows.size() < kRowsInPiece / 2) width = std::min(2 * width, kMostGamesInPiece);
            if (rows.size() > 2 * kRowsInPiece) width = std::max(width / 2, std::uint64_t{64});
        }
    }
}

std::vector<store::Repetition> RepetitionRows::repetitions(GameId game) {
    return of_game(game, repetitions_,
                   [&](const std::string& condition) { return select_repetitions(condition); });
}

std::vector<store::QuietRun> RepetitionRows::quiet_runs(GameId game) {
    return of_game(game, runs_,
                   [&](const std::string& condition) { return select_runs(condition); });
}

void RepetitionRows::for_each_repetition(
    GameId first, std::uint32_t min_count,
    const std::function<bool(const store::Repetition&)>& visit) {
    scan<store::Repetition>(
        first,
        [&](const std::string& condition) {
            return select_repetitions(condition + " AND count >= " + std::to_string(min_count));
        },
        visit);
}

void RepetitionRows::for_each_quiet_run(GameId first,
                                        const std::function<bool(const store::QuietRun&)>& visit) {
    scan<store::QuietRun>(
        first, [&](const std::string& condition) { return select_runs(condition); }, visit);
}

}  // namespace fendex::clickhouse
