#include "clickhouse/ledger.hpp"

#include <algorithm>
#include <ctime>
#include <map>
#include <random>
#include <thread>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/schema.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

constexpr char kSelectOrigins[] = "SELECT origin, database, state FROM origin ORDER BY origin";
constexpr char kSelectPushes[] =
    "SELECT push, state, first_game, last_game, has_sources, sources_mark, taken_back, games,"
    " plies, positions, fingerprint, errors, warnings, annotated_games, annotation_bytes, "
    "variations, sharding, last_names, stored_rows, replaces, records_mark, toUInt32(time)"
    " FROM push WHERE origin = ";

enum OriginState : std::uint8_t { kClaimed = 0, kInUse = 1 };

std::uint32_t now() { return static_cast<std::uint32_t>(std::time(nullptr)); }

void write_signed(RowWriter& row, std::int64_t value) {
    row.u64(static_cast<std::uint64_t>(value));
}

PushRecord read_push(AnswerRow& row, Origin origin) {
    PushRecord out;
    out.number = row.push();
    if (origin_of_push(out.number) != origin) row.refuse_row("push", out.number);
    out.state = static_cast<PushRecord::State>(row.u8("state", PushRecord::kGivenUp));
    out.games.first = row.number("first_game");
    out.games.last = row.number("last_game");
    out.has_sources = row.flag("has_sources");
    out.sources_mark = row.any_u64();
    out.taken_back = row.count("taken_back");
    PushCounters& counters = out.counters;
    counters.games = row.change("games");
    counters.plies = row.change("plies");
    counters.positions = row.change("positions");
    counters.fingerprint = row.any_u64();
    counters.errors = row.change("errors");
    counters.warnings = row.change("warnings");
    counters.annotated_games = row.change("annotated_games");
    counters.annotation_bytes = row.change("annotation_bytes");
    out.variations = row.flag("variations");
    out.sharding = row.any_u64();
    const std::vector<std::uint64_t> names = row.any_u64s();
    if (names.size() != kNameKinds) row.refuse("last_names");
    std::ranges::copy(names, out.last_names.begin());
    out.stored_rows = read_recorded_rows(row, out.state == PushRecord::kComplete);
    out.replaces = read_replaces(row, out.number);
    out.records_mark = row.any_u64();
    out.time = row.any_u32();
    return out;
}

void write_push(const PushRecord& record, RowWriter& row) {
    row.u32(record.number);
    row.u16(origin_of_push(record.number));
    row.u8(record.state);
    row.u32(kFormat);
    row.u32(now());
    row.u64(record.games.first);
    row.u64(record.games.last);
    row.u8(record.has_sources ? 1 : 0);
    row.u64(record.sources_mark);
    const PushCounters& counters = record.counters;
    write_signed(row, counters.games);
    write_signed(row, counters.plies);
    write_signed(row, counters.positions);
    row.u64(record.taken_back);
    row.u64(counters.fingerprint);
    write_signed(row, counters.errors);
    write_signed(row, counters.warnings);
    write_signed(row, counters.annotated_games);
    write_signed(row, counters.annotation_bytes);
    row.u8(record.variations ? 1 : 0);
    row.u64(record.sharding);
    row.size(kNameKinds);
    for (const std::uint64_t last : record.last_names) row.u64(last);
    row.size(record.stored_rows.size());
    for (const std::uint64_t rows : record.stored_rows) row.u64(rows);
    row.size(record.replaces.size());
    for (const PushNumber number : record.replaces) row.u32(number);
    row.u64(record.records_mark);
}

}  // namespace

void PushCounters::add(const PushCounters& other) {
    // Unsigned, so that a sum of wrong numbers wraps around instead of overflowing.
    const auto plus = [](std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                         static_cast<std::uint64_t>(b));
    };
    games = plus(games, other.games);
    plies = plus(plies, other.plies);
    positions = plus(positions, other.positions);
    fingerprint += other.fingerprint;
    errors = plus(errors, other.errors);
    warnings = plus(warnings, other.warnings);
    annotated_games = plus(annotated_games, other.annotated_games);
    annotation_bytes = plus(annotation_bytes, other.annotation_bytes);
}

store::GameId OriginPushes::last_game() const {
    store::GameId last = 0;
    for (const PushRecord& push : complete) {
        if (push.games.first <= push.games.last) last = std::max(last, push.games.last);
    }
    return last;
}

PushCounters OriginPushes::sum() const {
    PushCounters sum;
    for (const PushRecord& push : complete) sum.add(push.counters);
    return sum;
}

std::uint64_t OriginPushes::sources_mark() const {
    std::uint64_t mark = 0;
    for (const PushRecord& push : complete) {
        if (push.has_sources) mark = push.sources_mark;
    }
    return mark;
}

std::array<std::uint64_t, kNameKinds> OriginPushes::last_names() const {
    std::array<std::uint64_t, kNameKinds> out{};
    for (const PushRecord& push : complete) {
        for (std::size_t i = 0; i < kNameKinds; ++i) out[i] = std::max(out[i], push.last_names[i]);
    }
    return out;
}

std::uint64_t OriginPushes::records_mark() const {
    return of_records.empty() ? kNoRecords : of_records.back().records_mark;
}

const PushRecord* OriginPushes::find(PushNumber number) const {
    for (const std::vector<PushRecord>* const pushes : {&complete, &of_records}) {
        const auto found = std::ranges::find(*pushes, number, &PushRecord::number);
        if (found != pushes->end()) return &*found;
    }
    return nullptr;
}

std::vector<PushNumber> read_replaces(AnswerRow& row, PushNumber push) {
    std::vector<PushNumber> out = row.any_u32s();
    for (const PushNumber each : out) {
        const bool is_earlier = origin_of_push(each) == origin_of_push(push) && each < push;
        if (!is_earlier) row.refuse("replaces", each);
    }
    return out;
}

std::optional<Origin> Ledger::origin_of(std::string_view database) {
    std::optional<Origin> found;
    read_rows(connection_, "origin", kSelectOrigins, [&](AnswerRow& row) {
        const Origin origin = row.origin();
        const bool is_this = row.text() == database;
        const std::uint8_t state = row.u8("state", kInUse);
        if (is_this && state == kInUse && !found) found = origin;
    });
    return found;
}

/// Claims a number, then checks whether another program has claimed it, too. If two programs do so
/// at the same time, at least one of them sees the other's claim and tries again.
Origin Ledger::new_origin(std::string_view database, std::string_view path) {
    std::minstd_rand random(std::random_device{}());
    while (true) {
        int last = -1;
        // By origin: whether only this database has claimed it. A push that was ended may have left
        // a claim, which is then used.
        std::map<Origin, bool> claimed;
        read_rows(connection_, "origin", kSelectOrigins, [&](AnswerRow& row) {
            const Origin origin = row.origin();
            const bool is_this = row.text() == database;
            row.u8("state", kInUse);
            last = std::max<int>(last, origin);
            const auto [claim, is_first] = claimed.try_emplace(origin, is_this);
            if (!is_first) claim->second = claim->second && is_this;
        });
        for (const auto& [origin, is_this] : claimed) {
            if (!is_this) continue;
            add_origin(origin, database, path, kInUse);
            return origin;
        }
        if (last >= kMaxOrigin) {
            throw store::StoreError(
                store::StoreError::kOther,
                to_text(connection_.url()) + ": has 8192 databases, and no room for another");
        }
        const auto origin = static_cast<Origin>(last + 1);
        add_origin(origin, database, path, kClaimed);
        const std::uint64_t claims =
            read_count(connection_, "origin",
                       "SELECT count() FROM origin WHERE origin = " + std::to_string(origin));
        if (claims == 1) {
            add_origin(origin, database, path, kInUse);
            return origin;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
    }
}

void Ledger::add_origin(Origin origin, std::string_view database, std::string_view path,
                        std::uint8_t state) {
    RowWriter row;
    row.u16(origin);
    row.string(database);
    row.string(path);
    row.u8(state);
    row.u32(now());
    insert_rows(connection_, "origin", row.bytes());
    if (written_) written_();
}

OriginPushes Ledger::pushes_of(Origin origin) {
    struct States {
        bool given_up = false;
        std::optional<PushRecord> complete;
    };
    std::map<PushNumber, States> states;
    read_rows(connection_, "push", kSelectPushes + std::to_string(origin), [&](AnswerRow& row) {
        PushRecord record = read_push(row, origin);
        States& known = states[record.number];
        if (record.state == PushRecord::kGivenUp) known.given_up = true;
        if (record.state == PushRecord::kComplete) known.complete = std::move(record);
    });
    OriginPushes out;
    std::map<PushNumber, std::uint32_t> replaced;  // since when
    for (auto& [number, known] : states) {
        out.last_n = std::max(out.last_n, number & kMaxPushes);
        if (known.given_up) continue;
        if (!known.complete) {
            out.begun.push_back(number);
            continue;
        }
        for (const PushNumber each : known.complete->replaces) {
            replaced.try_emplace(each, known.complete->time);
        }
        auto& pushes = known.complete->records_mark == 0 ? out.complete : out.of_records;
        pushes.push_back(std::move(*known.complete));
    }
    const auto is_replaced = [&](const PushRecord& push) { return replaced.contains(push.number); };
    for (std::vector<PushRecord>* const pushes : {&out.complete, &out.of_records}) {
        for (const PushRecord& push : *pushes) {
            if (is_replaced(push)) out.replaced.push_back({push.number, replaced.at(push.number)});
        }
        std::erase_if(*pushes, is_replaced);
    }
    std::ranges::sort(out.replaced, {}, &ReplacedPush::number);
    return out;
}

void Ledger::add(std::span<const PushRecord> records) {
    if (records.empty()) return;
    RowWriter rows;
    for (const PushRecord& record : records) write_push(record, rows);
    insert_rows(connection_, "push", rows.bytes());
    if (written_) written_();
}

}  // namespace fendex::clickhouse
