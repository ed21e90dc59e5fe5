// The ids of names in a table (id, name UNIQUE): players, events, sites, tag values, tag shapes,
// openings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/name_sum.hpp"

namespace fendex::store {

class NameTable {
  public:
    /// Adds the checksums of the names that it inserts to `sum`, which must outlive it.
    NameTable(Connection& connection, const SealedTable& table, LocatedSum& sum)
        : table_(table),
          sum_(sum),
          find_(connection, "SELECT id FROM " + table_name() + " WHERE name = ?1"),
          insert_(connection, "INSERT INTO " + table_name() + "(id, name) VALUES (?1, ?2)"),
          next_id_(next_id(connection)),
          complete_(next_id_ == 1) {}

    /// Returns the name's id; 0 if it has none.
    std::int64_t known_id(std::string_view name) {
        const auto known = ids_.find(name);
        return known != ids_.end() ? known->second : stored(name);
    }
    /// Returns the name's id; inserts the name if it has none.
    std::int64_t id(std::string_view name) {
        // Neighbouring games have many names in common.
        if (last_ != nullptr && last_->first == name) return last_->second;
        if (const auto known = ids_.find(name); known != ids_.end())
            return (last_ = &*known)->second;
        std::int64_t id = complete_ ? 0 : stored(name);
        if (id == 0) {
            id = next_id_++;
            insert_.run(id, name);
            sum_ += name_sum(table_, id, name);
        }
        last_ = &*ids_.emplace(name, id).first;
        cached_bytes_ += kEntryBytes + name.size();
        return id;
    }

    /// Returns the approximate memory of the names whose ids are kept, in bytes.
    std::size_t cached_bytes() const { return cached_bytes_; }
    /// Frees that memory. After this, ids are read from the table.
    void forget_cached() {
        last_ = nullptr;
        ids_ = {};
        cached_bytes_ = 0;
        complete_ = false;
    }

    /// Forgets names that a rollback has undone.
    void forget(Connection& connection) {
        forget_cached();
        next_id_ = next_id(connection);
    }

  private:
    /// Bytes of an entry of ids_ without its text: two pointers, a hash, the string, the id,
    /// malloc's overhead.
    static constexpr std::size_t kEntryBytes = 112;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const {
            return std::hash<std::string_view>{}(s);
        }
    };

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

    SealedTable table_;
    LocatedSum& sum_;
    Statement find_;
    Statement insert_;
    std::int64_t next_id_;
    bool complete_;  // all names of the table are in ids_
    std::size_t cached_bytes_ = 0;
    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> ids_;
    const std::pair<const std::string, std::int64_t>* last_ = nullptr;  // in ids_
};

}  // namespace fendex::store
