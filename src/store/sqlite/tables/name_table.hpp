// The ids of names in a table (id, name UNIQUE): players, events, sites, tag values, tag shapes,
// openings. Belongs to the writer's connection and thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/new_rows.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/tables/name_ids.hpp"

namespace fendex::store {

class NameTable {
  public:
    /// Adds the checksums of the names that it inserts to `sum`, which must outlive it.
    NameTable(Connection& connection, NewRowsSource& source, const SealedTable& table,
              LocatedSum& sum);

    /// Returns the name's id; 0 if it has none.
    std::int64_t known_id(std::string_view name);
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
    void write();

    /// Returns whether there are so many names that their index is worth more of SQLite's cache.
    [[nodiscard]] bool is_large() const;
    /// Returns the memory of the names whose ids are kept, in bytes.
    std::size_t cached_bytes() const { return ids_.bytes(); }
    /// Frees that memory. After this, ids are read from the table.
    void forget_cached();
    /// Forgets names that a rollback has undone.
    void forget();
    /// Says how much memory the ids of all names may take (read_all()).
    void limit(std::size_t bytes) { limit_ = bytes; }

  private:
    NameIds::Entry add(std::string_view name);
    void drop_cached();
    void set_next_id();
    std::int64_t stored(std::string_view name);
    bool should_read_all();
    void read_all();

    Connection* connection_;
    NewRowsSource& source_;
    SealedTable table_;
    LocatedSum& sum_;
    Statement find_;
    Statement insert_;
    NewRows rows_{2};
    std::vector<NameIds::Entry> new_;  // their texts are in ids_
    std::int64_t next_id_ = 1;
    bool complete_ = false;   // all names of the table are in ids_
    std::int64_t asked_ = 0;  // names that were looked for in the table
    std::size_t limit_ = 0;   // of the bytes of ids_
    NameIds ids_;
    NameIds::Entry last_;  // asked last
};

}  // namespace fendex::store
