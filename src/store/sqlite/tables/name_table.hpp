// The ids of names in a table (id, name UNIQUE): players, events, sites, tag values, tag shapes,
// openings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/new_rows.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/tables/name_ids.hpp"

namespace fendex::store {

class NameTable {
  public:
    /// Adds the checksums of the names that it inserts to `sum`, which must outlive it.
    NameTable(Connection& connection, NewRowsSource& source, const SealedTable& table,
              LocatedSum& sum)
        : source_(source),
          table_(table),
          sum_(sum),
          find_(connection, "SELECT id FROM " + table_name() + " WHERE name = ?1"),
          insert_(NewRowsSource::insert_into(connection, table_name(), "id, name")),
          next_id_(next_id(connection)),
          complete_(next_id_ == 1) {}

    /// Returns the name's id; 0 if it has none.
    std::int64_t known_id(std::string_view name) {
        const std::int64_t known = ids_.find(name).id;
        return known != 0 ? known : stored(name);
    }
    /// Returns the name's id. A name that has none gets one, and is inserted by write().
    std::int64_t id(std::string_view name) {
        // Neighbouring games have many names in common.
        if (last_.id == 0 || last_.name != name) {
            last_ = ids_.find(name);
            if (last_.id == 0) last_ = add(name);
        }
        return last_.id;
    }
    /// Inserts the new names. Must be called before the rows are read or committed.
    void write() { source_.run(insert_, new_); }

    /// Returns the memory of the names whose ids are kept, in bytes.
    std::size_t cached_bytes() const { return ids_.bytes(); }
    /// Frees that memory. After this, ids are read from the table.
    void forget_cached() {
        write();
        drop_cached();
    }

    /// Forgets names that a rollback has undone.
    void forget(Connection& connection) {
        new_.clear();
        drop_cached();
        next_id_ = next_id(connection);
    }

  private:
    NameIds::Entry add(std::string_view name) {
        if (const std::int64_t id = complete_ ? 0 : stored(name)) return ids_.add(name, id);
        const NameIds::Entry entry = ids_.add(name, next_id_++);
        const std::span<RowValue> row = new_.add();
        row[0] = RowValue::of_number(entry.id);
        row[1] = RowValue::of_text(entry.name);
        sum_ += name_sum(table_, entry.id, name);
        return entry;
    }

    void drop_cached() {
        last_ = {};
        ids_.clear();
        complete_ = false;
    }

    /// Returns the id after the largest one. Ignores ids of a damaged table that are too large to
    /// have a next one.
    std::int64_t next_id(Connection& connection) const {
        return connection
                   .integer("SELECT max(id) FROM " + table_name() +
                            " WHERE id BETWEEN 1 AND 1 << 62")
                   .value_or(0) +
               1;
    }

    std::string table_name() const { return table_.name; }

    std::int64_t stored(std::string_view name) {
        find_.bind(1, name);
        const std::int64_t id = find_.step() ? find_.integer(0) : 0;
        find_.reset();
        return id;
    }

    NewRowsSource& source_;
    SealedTable table_;
    LocatedSum& sum_;
    Statement find_;
    Statement insert_;
    NewRows new_{2};  // their texts are in ids_
    std::int64_t next_id_;
    bool complete_;  // all names of the table are in ids_
    NameIds ids_;
    NameIds::Entry last_;  // asked last
};

}  // namespace fendex::store
