// The ids of names in a table (id, name UNIQUE): players, events, sites, tag values, tag shapes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

class NameTable {
  public:
    NameTable(Connection& connection, const std::string& table)
        : find_(connection, "SELECT id FROM " + table + " WHERE name = ?1"),
          insert_(connection, "INSERT INTO " + table + "(id, name) VALUES (?1, ?2)"),
          next_id_(next_id(connection, table)),
          complete_(next_id_ == 1) {}

    /// Returns the name's id; inserts the name if it has none.
    std::int64_t id(std::string_view name) {
        if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
        if (ids_.size() >= kMaxCached) {
            ids_.clear();
            complete_ = false;
        }
        std::int64_t id = complete_ ? 0 : stored(name);
        if (id == 0) {
            id = next_id_++;
            insert_.bind(1, id);
            insert_.bind(2, name);
            insert_.run();
        }
        ids_.emplace(name, id);
        return id;
    }

    /// Forgets names that a rollback has undone.
    void forget(Connection& connection, const std::string& table) {
        ids_.clear();
        complete_ = false;
        next_id_ = next_id(connection, table);
    }

  private:
    static constexpr std::size_t kMaxCached = 500'000;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const {
            return std::hash<std::string_view>{}(s);
        }
    };

    /// Returns the id after the largest. Ignores ids of a damaged table that are too large to have
    /// a next one.
    static std::int64_t next_id(Connection& connection, const std::string& table) {
        return connection
                   .integer("SELECT max(id) FROM " + table + " WHERE id BETWEEN 1 AND 1 << 62")
                   .value_or(0) +
               1;
    }

    std::int64_t stored(std::string_view name) {
        find_.bind(1, name);
        const std::int64_t id = find_.step() ? find_.integer(0) : 0;
        find_.reset();
        return id;
    }

    Statement find_;
    Statement insert_;
    std::int64_t next_id_;
    bool complete_;  // every name of the table is in ids_
    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> ids_;
};

}  // namespace fendex::store
