#include "clickhouse/snapshot.hpp"

#include <algorithm>

#include "clickhouse/schema.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

/// A row of state 1 that was sent twice counts once.
constexpr char kSelectSnapshot[] =
    "SELECT push, maxIf(format, state = 1), anyIf(first_game, state = 1),"
    " anyIf(last_game, state = 1), maxIf(has_sources, state = 1), anyIf(taken_back, state = 1),"
    " anyIf(games, state = 1), anyIf(plies, state = 1), anyIf(positions, state = 1),"
    " anyIf(errors, state = 1), anyIf(warnings, state = 1), anyIf(annotated_games, state = 1),"
    " anyIf(annotation_bytes, state = 1), anyIf(fingerprint, state = 1)"
    " FROM push GROUP BY push HAVING max(state) = 1 ORDER BY push";

[[noreturn]] void throw_newer(const Connection& connection, std::uint32_t format) {
    throw store::StoreError(store::StoreError::kNewerFormat,
                            to_text(connection.url()) + ": written by a newer fendex (format " +
                                std::to_string(format) + "; this one reads " +
                                std::to_string(kFormat) + ")");
}

}  // namespace

Snapshot::Snapshot(std::vector<Push> pushes, std::uint64_t number, std::size_t shelf_bytes)
    : pushes_(std::move(pushes)),
      number_(number),
      shelf_(std::make_shared<store::SnapshotShelf>(shelf_bytes)) {
    for (const Push& push : pushes_) {
        if (push.range.first <= push.range.last) ranges_.push_back(push.range);
        has_taken_back_ = has_taken_back_ || push.taken_back != 0;
    }
    std::sort(ranges_.begin(), ranges_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    if (!ranges_.empty()) last_game_ = ranges_.back().last;
}

std::string sql_pushes(std::span<const PushNumber> pushes, std::string_view column) {
    const std::string name(column);
    std::string out;
    for (std::size_t i = 0; i < pushes.size();) {
        std::size_t end = i + 1;
        while (end < pushes.size() && pushes[end] == pushes[end - 1] + 1) ++end;
        out += out.empty() ? "(" : " OR ";
        out += name;
        if (end == i + 1) {
            out += " = " + std::to_string(pushes[i]);
        } else {
            out +=
                " BETWEEN " + std::to_string(pushes[i]) + " AND " + std::to_string(pushes[end - 1]);
        }
        i = end;
    }
    return out.empty() ? "(" + name + " = 0)" : out + ")";
}

std::string Snapshot::sql_pushes(std::string_view column) const {
    std::vector<PushNumber> numbers;
    for (const Push& push : pushes_) numbers.push_back(push.number);
    return clickhouse::sql_pushes(numbers, column);
}

std::string Snapshot::sql_and_present(std::string_view game_column) const {
    if (!has_taken_back_) return {};
    return " AND " + std::string(game_column) +
           " GLOBAL NOT IN (SELECT game FROM taken_back WHERE " + sql_pushes() + ")";
}

std::string_view Snapshot::sql_and_added() const { return has_taken_back_ ? " AND sign = 1" : ""; }

/// Readers that come meanwhile wait, and then share the answer.
std::shared_ptr<const Snapshot> SnapshotSource::newest(Connection& connection) {
    const std::lock_guard lock(mutex_);
    // Before the query, so that a snapshot is never older than it seems.
    const auto now = std::chrono::steady_clock::now();
    if (!newest_ || now - read_ >= kFresh) {
        std::vector<Snapshot::Push> pushes = read(connection);
        if (!newest_ || newest_->pushes() != pushes) {
            const std::uint64_t number = newest_ ? newest_->number() + 1 : 1;
            newest_ = std::make_shared<const Snapshot>(std::move(pushes), number, shelf_bytes_);
        }
        read_ = now;
    }
    return newest_;
}

std::vector<Snapshot::Push> SnapshotSource::read(Connection& connection) {
    std::vector<Snapshot::Push> pushes;
    connection.query(kSelectSnapshot, [&](RowReader& row) {
        Snapshot::Push& push = pushes.emplace_back();
        push.number = row.u32();
        if (const std::uint32_t format = row.u32(); format > kFormat) {
            throw_newer(connection, format);
        }
        const Origin origin = origin_of_push(push.number);
        const GameId first = row.u64();
        const GameId last = row.u64();
        if (first <= last) push.range = {cluster_id(origin, first), cluster_id(origin, last)};
        push.has_sources = row.u8() != 0;
        push.taken_back = row.u64();
        push.counters.games = row.i64();
        push.counters.plies = row.i64();
        push.counters.positions = row.i64();
        push.counters.errors = row.i64();
        push.counters.warnings = row.i64();
        push.counters.annotated_games = row.i64();
        push.counters.annotation_bytes = row.i64();
        push.counters.fingerprint = row.u64();
    });
    return pushes;
}

}  // namespace fendex::clickhouse
