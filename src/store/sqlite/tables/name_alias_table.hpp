// Table `name_alias`: the names that are joined to others. Each row has a checksum, and table meta
// has their number. The table is made when names are first joined. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/name_join.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

/// The row of table `meta` with the number of joined names.
inline constexpr char kJoinedNamesMeta[] = "joined_names";

[[nodiscard]] bool has_alias_table(const Connection& connection);

/// Returns the table that has the names of a kind that may be joined.
[[nodiscard]] const SealedTable& table_of_joined(NameKind kind);

/// Calls visit() with the rows in their order. Throws StoreError if one is damaged.
void for_each_name_join(const Connection& connection,
                        const std::function<void(const NameJoin&)>& visit);

/// Joins names, and undoes that. Reads the table when it is first used.
class NameAliasWriter {
  public:
    explicit NameAliasWriter(Connection& connection) : connection_(connection) {}

    /// Forgets what was read. Call it after a rollback, and if another program has written.
    void forget() { rows_.reset(); }
    /// Joins a name to another. If that one is itself joined, both get the name that it has; names
    /// that are joined to the first one go with it. Returns how many names were joined anew: 0 if
    /// both were one already.
    std::size_t join(const NameJoin& join);
    /// Returns whether a name is joined to another one that does not stand for `canonical`.
    bool is_joined_otherwise(NameKind kind, std::int64_t name, std::int64_t canonical);
    /// Undoes the joins of a name: of all names that are joined to it, or its own. Returns how many
    /// these were.
    std::size_t split(NameKind kind, std::int64_t name);
    /// Returns the number of joined names for table meta; empty if it has not changed.
    [[nodiscard]] std::optional<std::uint64_t> changed_count() const;

  private:
    /// Numbers of names (name_row()).
    using Row = std::int64_t;
    struct Rows {
        std::unordered_map<Row, Row> canonical;
        std::unordered_map<Row, std::vector<Row>> spellings;
        bool have_changed = false;
    };

    Rows& rows();
    [[nodiscard]] Row person(Row name);
    void move(Row name, Row canonical);

    Connection& connection_;
    std::optional<Rows> rows_;
};

/// A row that is damaged, or whose names are missing.
struct AliasDamage {
    std::int64_t row = 0;
    std::string message;
};
/// Calls visit() with everything that is damaged.
void check_aliases(const Connection& connection,
                   const std::function<void(const AliasDamage&)>& visit);
/// Removes the damaged rows, in the transaction of the connection. Returns what was damaged.
std::vector<AliasDamage> repair_aliases(Connection& connection);

}  // namespace fendex::store
