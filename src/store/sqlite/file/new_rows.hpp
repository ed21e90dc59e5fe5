// Rows in memory that are stored with one INSERT ... SELECT from a virtual table. That takes two
// thirds of the instructions of binding and stepping a statement for every row.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/text_arena.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Rows of one table.
class NewRows {
  public:
    explicit NewRows(std::size_t columns) : columns_(columns) {}

    /// Adds a row of NULLs. Its place is valid until the next one is added.
    std::span<RowValue> add() {
        values_.resize(values_.size() + columns_);
        return last();
    }
    std::span<RowValue> last() { return std::span(values_).last(columns_); }
    /// Copies a text that a row needs.
    std::string_view keep(std::string_view text) { return texts_.keep(text); }
    void clear() {
        values_.clear();
        texts_.clear();
    }

    std::size_t columns() const { return columns_; }
    std::span<const RowValue> values() const { return values_; }

  private:
    std::size_t columns_;
    std::vector<RowValue> values_;  // row by row
    base::TextArena texts_;
};

/// The virtual table new_row(c1, c2, ...) of a connection.
class NewRowsSource {
  public:
    /// No statement may read the table after this object is destroyed.
    explicit NewRowsSource(Connection& connection);
    NewRowsSource(const NewRowsSource&) = delete;
    NewRowsSource& operator=(const NewRowsSource&) = delete;

    /// Returns the statement for run(), which inserts rows into columns of a table, "id, white".
    [[nodiscard]] static Statement insert_into(const Connection& connection, std::string_view table,
                                               std::string_view columns);
    /// Runs a statement for these rows, whose texts must be valid, and drops them, even if it
    /// fails. Throws StoreError.
    void run(Statement& insert, NewRows& rows);

    const NewRows& rows() const { return *rows_; }

  private:
    const NewRows* rows_ = nullptr;  // during run()
};

}  // namespace fendex::store
