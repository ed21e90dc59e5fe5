// The checksums of rows that cannot be compared with other data: the ledger (table source), import
// errors, segments, the id and other rows of table meta. They are in one row of meta, named
// row_sums. Writers keep it up to date, and `check` compares it. Earlier programs of this format do
// not know it. The counters that are stored with the sums show whether such a program has written
// since. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/sums/located_sum.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

inline constexpr SealedTable kSourceRows{"source", Sealed::kSourceRow};
inline constexpr SealedTable kErrorRows{"import_error", Sealed::kErrorRow};
inline constexpr SealedTable kSegmentRows{"segment", Sealed::kSegmentRow};
/// Returns the sum of all rows of a table. Throws StoreError.
LocatedSum sum_of_rows(const Connection& connection, const SealedTable& table);

/// The content of table meta, except row_sums.
struct MetaState {
    /// games, last_game, plies, positions, errors, fingerprint, names_sum. `check` compares them
    /// with the tables.
    std::array<std::uint64_t, 7> counters{};
    std::uint64_t postings_written = 0;
    bool has_names_sum = false;
    /// Whether there is a row variations_from with 0. Only earlier programs leave one.
    bool has_zero_variations = false;
    std::uint64_t id = 0;      // its checksum
    std::uint64_t others = 0;  // the checksums of the other rows
    std::uint64_t names_sum() const { return counters.back(); }
};
MetaState meta_state(const Connection& connection);

/// The result of comparing a stored sum with that of the rows.
struct SumCheck {
    bool is_right = true;              // also if there is nothing to compare
    std::optional<std::uint64_t> row;  // the changed one, if it is known
};

/// The row row_sums, as it was when this object was constructed.
class StoredSums {
  public:
    enum class State {
        kMissing,  // only programs that do not know the row have written
        kDamaged,
        kOutdated,  // a program that does not know the row has written last
        kCurrent,
    };

    explicit StoredSums(const Connection& connection);

    State state() const { return state_; }
    // These read the rows and compare them. Unless the state is kCurrent, they return that the rows
    // are right.
    SumCheck rows(const SealedTable& table) const { return rows(table, {}); }
    /// Leaves out rows that were added, whose sum is `added`.
    SumCheck rows(const SealedTable& table, const LocatedSum& added) const;
    /// Compares meta.names_sum, in any state. SumCheck::row is a name_row().
    SumCheck names() const;
    bool id_is_right() const;
    bool meta_is_right() const;

    const LocatedSum& of(const SealedTable& table) const;
    std::uint64_t names_place() const { return names_place_; }
    std::uint64_t id() const { return id_; }
    std::uint64_t meta() const { return meta_; }
    std::uint64_t postings_written() const { return postings_written_; }
    const MetaState& found() const { return found_; }

  private:
    bool read(std::string_view bytes);
    bool is_outdated() const;

    const Connection* connection_;
    MetaState found_;
    State state_ = State::kMissing;
    LocatedSum sources_;
    LocatedSum errors_;
    LocatedSum segments_;
    std::uint64_t names_place_ = 0;
    std::uint64_t id_ = 0;
    std::uint64_t meta_ = 0;
    std::array<std::uint64_t, 7> counters_{};
    std::uint64_t postings_written_ = 0;
};

/// The checksum of a table that a writer changes row by row.
class RowSum {
  public:
    RowSum(const Connection& connection, const SealedTable& table);

    void set(const LocatedSum& sum) { sum_ = sum; }
    /// Adds the checksum of a row. Call it after the row was inserted or changed.
    void add(std::int64_t id) { sum_ += of(id); }
    /// Adds the checksum of a row whose columns are in the digest.
    void add(std::int64_t id, RowDigest& digest) { sum_ += sum_of(id, digest); }
    /// Subtracts the checksum of a row. Call it before the row is changed or deleted.
    void subtract(std::int64_t id) { sum_ -= of(id); }
    /// Deletes the rows that fulfil an SQL condition with these values. Returns their number.
    std::uint64_t remove(const std::string& condition, std::initializer_list<std::int64_t> values);
    const LocatedSum& value() const { return sum_; }

  private:
    LocatedSum of(std::int64_t id);
    LocatedSum sum_of(std::int64_t id, RowDigest& digest) const;

    const Connection* connection_;
    SealedTable table_;
    Statement select_;
    RowDigest digest_;
    LocatedSum sum_;
};

/// The checksums of a database, for a writer.
class RowSums {
  public:
    explicit RowSums(Connection& connection);

    /// Reads the stored checksums; computes them if they are missing or outdated. Call it when a
    /// transaction begins, unless the last one was ours. Throws StoreError if they are damaged.
    void load();
    /// Computes all checksums and ignores the stored ones.
    void compute();
    /// Writes the checksums and meta.names_sum. Call it after everything else in meta is written.
    void put(const LocatedSum& names);

    const LocatedSum& names() const { return names_; }
    /// Returns whether load() has used the stored checksums.
    bool are_stored() const { return are_stored_; }
    RowSum& sources() { return sources_; }
    RowSum& errors() { return errors_; }
    RowSum& segments() { return segments_; }

  private:
    Connection* connection_;
    RowSum sources_;
    RowSum errors_;
    RowSum segments_;
    LocatedSum names_;
    std::uint64_t id_ = 0;
    bool are_stored_ = false;
    // The differences that load() has found. They are kept, so that a check still finds them.
    std::uint64_t meta_difference_ = 0;
    std::uint64_t postings_difference_ = 0;
};

}  // namespace fendex::store
