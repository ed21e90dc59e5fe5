#include "store/sqlite/tables/name_table.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace fendex::store {

namespace {

/// The index of so many names fits into SQLite's cache, in which any order is fast.
constexpr std::int64_t kManyNames = 60'000;
/// All names are read at once when so many, and this share of them, were looked for one by one.
constexpr std::int64_t kManyAsked = 2'000;
constexpr std::int64_t kShareAsked = 64;
/// An id and its name take about so much memory.
constexpr std::size_t kBytesPerName = 45;

std::string table_name(const SealedTable& table) { return table.name; }

}  // namespace

NameTable::NameTable(Connection& connection, NewRowsSource& source, const SealedTable& table,
                     LocatedSum& sum)
    : connection_(&connection),
      source_(source),
      table_(table),
      sum_(sum),
      find_(connection, "SELECT id FROM " + table_name(table) + " WHERE name = ?1"),
      insert_(NewRowsSource::insert_into(connection, table_name(table), "id, name")) {
    set_next_id();
    complete_ = next_id_ == 1;
}

std::int64_t NameTable::known_id(std::string_view name) {
    const std::int64_t known = ids_.find(name).id;
    return known != 0 ? known : stored(name);
}

bool NameTable::is_large() const { return next_id_ > kManyNames; }

/// In a large table the new names are inserted in the order of its index, so that a page of the
/// index is read and written once for all of them.
void NameTable::write() {
    if (is_large()) std::ranges::sort(new_, {}, &NameIds::Entry::name);
    for (const NameIds::Entry& each : new_) {
        const std::span<RowValue> row = rows_.add();
        row[0] = RowValue::of_number(each.id);
        row[1] = RowValue::of_text(each.name);
    }
    new_.clear();
    source_.run(insert_, rows_);
}

void NameTable::forget_cached() {
    write();
    drop_cached();
    limit_ = 0;  // they do not fit
}

void NameTable::forget() {
    new_.clear();
    drop_cached();
    set_next_id();
}

NameIds::Entry NameTable::add(std::string_view name) {
    if (!complete_) {
        if (should_read_all()) {
            read_all();
            if (const NameIds::Entry known = ids_.find(name); known.id != 0) return known;
        } else if (const std::int64_t id = stored(name)) {
            return ids_.add(name, id);
        }
    }
    new_.push_back(ids_.add(name, next_id_++));
    sum_ += name_sum(table_, new_.back().id, name);
    return new_.back();
}

void NameTable::drop_cached() {
    last_ = {};
    ids_.clear();
    complete_ = false;
    asked_ = 0;
}

/// Sets the id after the largest one. Ignores ids of a damaged table that are too large to have a
/// next one.
void NameTable::set_next_id() {
    next_id_ = connection_
                   ->integer("SELECT max(id) FROM " + table_name(table_) +
                             " WHERE id BETWEEN 1 AND 1 << 62")
                   .value_or(0) +
               1;
}

std::int64_t NameTable::stored(std::string_view name) {
    find_.bind(1, name);
    const std::int64_t id = find_.step() ? find_.integer(0) : 0;
    find_.reset();
    return id;
}

/// A look-up of a name that the table lacks reads a page that is in no cache. A large import into a
/// large database would do that for each of its new names.
bool NameTable::should_read_all() {
    return ++asked_ > kManyAsked && asked_ > next_id_ / kShareAsked &&
           static_cast<std::uint64_t>(next_id_) <= limit_ / kBytesPerName;
}

void NameTable::read_all() {
    Statement all(*connection_, "SELECT id, name FROM " + table_name(table_));
    while (all.step()) {
        const std::int64_t id = all.integer(0);
        const std::string_view name = all.text(1);
        if (id != 0 && ids_.find(name).id == 0) ids_.add(name, id);
    }
    complete_ = true;
}

}  // namespace fendex::store
