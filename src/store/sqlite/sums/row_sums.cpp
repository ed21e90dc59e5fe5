#include "store/sqlite/sums/row_sums.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "codec/columns.hpp"
#include "store/sqlite/sums/name_sum.hpp"

namespace fendex::store {

namespace {

constexpr std::string_view kRowSums = "row_sums";
constexpr char kSelectNamesOfMeta[] = "SELECT name, value FROM main.meta";
constexpr char kSelectRowSums[] = "SELECT value FROM main.meta WHERE name = 'row_sums'";
// Unchanged values are not written.
constexpr char kPutMeta[] =
    "INSERT INTO main.meta(name, value) VALUES (?1, ?2)"
    " ON CONFLICT(name) DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value";
// Earlier programs write this row; this program never leaves it in the table.
constexpr char kDropZeroVariations[] =
    "DELETE FROM main.meta WHERE name = 'variations_from' AND value = 0";

/// In the order of MetaState::counters. Do not change: on disk.
constexpr std::string_view kCounters[] = {"games",  "last_game",   "plies",    "positions",
                                          "errors", "fingerprint", "names_sum"};
static_assert(std::size(kCounters) == std::tuple_size_v<decltype(MetaState::counters)>);

/// The count of numbers in row_sums: three sums, each with its place, the place of names, the
/// checksums of the id and of other rows, the counters and postings_written.
constexpr std::size_t kNumbers = 9 + std::size(kCounters) + 1;
constexpr unsigned kNumberBytes = 8;

std::string select_rows(const SealedTable& table) {
    return std::string("SELECT * FROM main.") + table.name;
}

LocatedSum sum_of_digest(const SealedTable& table, std::int64_t id, RowDigest& digest) {
    return LocatedSum::of_row(static_cast<std::uint64_t>(id),
                              static_cast<std::uint32_t>(digest.sum(table.what, id)));
}

/// Returns the sum of one row. `row` has all columns of the table, in the order of the schema.
LocatedSum sum_of_row(const SealedTable& table, const Statement& row, RowDigest& digest) {
    digest.begin();
    for (int column = 0; column < row.column_count(); ++column) digest.add(row.value(column));
    return sum_of_digest(table, row.integer(0), digest);
}

std::uint64_t row_sums_seed() { return row_seed(Sealed::kRowSums, 0); }

SumCheck compare(const LocatedSum& stored, const LocatedSum& found) {
    if (stored.sum == found.sum) return {};
    return {false, only_changed_row(found - stored)};
}

}  // namespace

LocatedSum sum_of_rows(const Connection& connection, const SealedTable& table) {
    Statement rows(connection, select_rows(table));
    RowDigest digest;
    LocatedSum sum;
    while (rows.step()) sum += sum_of_row(table, rows, digest);
    return sum;
}

MetaState meta_state(const Connection& connection) {
    MetaState out;
    RowDigest digest;
    Statement rows(connection, kSelectNamesOfMeta);
    while (rows.step()) {
        const std::string_view name = rows.text(0);
        // `check` compares ply_rows with the tables.
        if (name == kRowSums || name == "ply_rows") continue;
        const auto value = static_cast<std::uint64_t>(rows.integer(1));
        const auto* const counter = std::find(std::begin(kCounters), std::end(kCounters), name);
        if (counter != std::end(kCounters)) {
            out.counters[static_cast<std::size_t>(counter - kCounters)] = value;
            out.has_names_sum |= name == "names_sum" && rows.is_integer(1);
            continue;
        }
        if (name == "postings_written") {
            out.postings_written = value;
            continue;
        }
        if (name == "variations_from" && rows.is_integer(1) && value == 0) {
            out.has_zero_variations = true;
            continue;
        }
        digest.begin();
        digest.add(rows.value(0));
        digest.add(rows.value(1));
        const auto sum = static_cast<std::uint32_t>(digest.sum(Sealed::kMetaRow, 0));
        (name == "id" ? out.id : out.others) += sum;
    }
    return out;
}

StoredSums::StoredSums(const Connection& connection)
    : connection_(&connection), found_(meta_state(connection)) {
    Statement select(connection, kSelectRowSums);
    if (!select.step()) return;
    if (select.type(0) != ValueType::kBlob || !read(select.blob(0))) {
        state_ = State::kDamaged;
    } else {
        state_ = is_outdated() ? State::kOutdated : State::kCurrent;
    }
}

bool StoredSums::read(std::string_view bytes) {
    const auto content = base::unseal(bytes, row_sums_seed());
    if (!content || content->size() < kNumbers * kNumberBytes) return false;
    std::size_t at = 0;
    const auto take = [&](std::uint64_t& number) {
        number = codec::get_fixed(*content, at, kNumberBytes);
        at += kNumberBytes;
    };
    for (LocatedSum* const each : {&sources_, &errors_, &segments_}) {
        take(each->sum);
        take(each->place);
    }
    take(names_place_);
    take(id_);
    take(meta_);
    for (std::uint64_t& counter : counters_) take(counter);
    take(postings_written_);
    return true;
}

/// Returns whether an earlier program has written since. If it changes rows that have sums, it also
/// changes a counter or leaves another trace.
bool StoredSums::is_outdated() const {
    if (found_.counters != counters_ || found_.has_zero_variations) return true;
    // Both differ if an earlier program has rewritten the index. If only one differs, it may be
    // damage.
    return found_.postings_written != postings_written_ &&
           sum_of_rows(*connection_, kSegmentRows).sum != segments_.sum;
}

const LocatedSum& StoredSums::of(const SealedTable& table) const {
    return table.what == Sealed::kSourceRow  ? sources_
           : table.what == Sealed::kErrorRow ? errors_
                                             : segments_;
}

SumCheck StoredSums::rows(const SealedTable& table, const LocatedSum& added) const {
    if (state_ != State::kCurrent) return {};
    return compare(of(table), sum_of_rows(*connection_, table) - added);
}

SumCheck StoredSums::names() const {
    if (!found_.has_names_sum) return {};
    const LocatedSum now = sum_of_names(*connection_);
    if (now.sum == found_.names_sum()) return {};
    if (state_ != State::kCurrent) return {false, std::nullopt};
    return compare({found_.names_sum(), names_place_}, now);
}

bool StoredSums::id_is_right() const {
    const bool is_known = state_ == State::kCurrent || state_ == State::kOutdated;
    return !is_known || id_ == meta_state(*connection_).id;
}

bool StoredSums::meta_is_right() const {
    return state_ != State::kCurrent ||
           (meta_ == found_.others && postings_written_ == found_.postings_written);
}

RowSum::RowSum(const Connection& connection, const SealedTable& table)
    : connection_(&connection),
      table_(table),
      select_(connection, select_rows(table) + " WHERE id = ?1") {}

LocatedSum RowSum::of(std::int64_t id) {
    const ResetAtEnd end(select_, id);
    return select_.step() ? sum_of_row(table_, select_, digest_) : LocatedSum();
}

LocatedSum RowSum::sum_of(std::int64_t id, RowDigest& digest) const {
    return sum_of_digest(table_, id, digest);
}

/// Selects the rows before it deletes them: RETURNING would hold them all in memory.
std::uint64_t RowSum::remove(const std::string& condition,
                             std::initializer_list<std::int64_t> values) {
    const std::string where = " WHERE " + condition;
    Statement select(*connection_, select_rows(table_) + where);
    Statement remove(*connection_, std::string("DELETE FROM main.") + table_.name + where);
    int parameter = 0;
    for (const std::int64_t value : values) {
        select.bind(++parameter, value);
        remove.bind(parameter, value);
    }
    while (select.step()) sum_ -= sum_of_row(table_, select, digest_);
    remove.run();
    return connection_->changes();
}

RowSums::RowSums(Connection& connection)
    : connection_(&connection),
      sources_(connection, kSourceRows),
      errors_(connection, kErrorRows),
      segments_(connection, kSegmentRows) {}

void RowSums::load() {
    const StoredSums stored(*connection_);
    if (stored.state() == StoredSums::State::kDamaged) {
        connection_->throw_to_repair("row_sums in table meta");
    }
    const MetaState& found = stored.found();
    if (stored.state() == StoredSums::State::kCurrent) {
        are_stored_ = true;
        sources_.set(stored.of(kSourceRows));
        errors_.set(stored.of(kErrorRows));
        segments_.set(stored.of(kSegmentRows));
        names_ = {found.names_sum(), stored.names_place()};
        meta_difference_ = stored.meta() - found.others;
        postings_difference_ = stored.postings_written() - found.postings_written;
    } else {
        compute();
        if (found.has_names_sum) names_.sum = found.names_sum();
    }
    // The stored checksum of the id is kept even if outdated: earlier programs do not change the
    // id.
    if (stored.state() != StoredSums::State::kMissing) id_ = stored.id();
}

void RowSums::compute() {
    sources_.set(sum_of_rows(*connection_, kSourceRows));
    errors_.set(sum_of_rows(*connection_, kErrorRows));
    segments_.set(sum_of_rows(*connection_, kSegmentRows));
    names_ = sum_of_names(*connection_);
    id_ = meta_state(*connection_).id;
    are_stored_ = false;
    meta_difference_ = 0;
    postings_difference_ = 0;
}

void RowSums::put(const LocatedSum& names) {
    Statement put(*connection_, kPutMeta);
    put.run("names_sum", as_signed(names.sum));
    connection_->run(kDropZeroVariations);
    const MetaState found = meta_state(*connection_);
    std::string bytes;
    const auto add = [&](std::uint64_t number) { codec::put_fixed(number, kNumberBytes, bytes); };
    for (const RowSum* const each : {&sources_, &errors_, &segments_}) {
        add(each->value().sum);
        add(each->value().place);
    }
    add(names.place);
    add(id_);
    add(found.others + meta_difference_);
    for (const std::uint64_t counter : found.counters) add(counter);
    add(found.postings_written + postings_difference_);
    base::seal(bytes, row_sums_seed());
    put.run(kRowSums, Blob{bytes});
}

}  // namespace fendex::store
