// Runs SQL on a database, with the tables and functions of the extension.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ask/rows.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/only_reading.hpp"

namespace fendex {

/// A script of SQL statements, which can only read. Belongs to one thread.
class SqlScript {
  public:
    /// Opens the database. Throws StoreError.
    SqlScript(const std::string& database, std::string script);

    /// Runs statements up to the next one that has columns. Returns false after the last one.
    /// Throws std::runtime_error with SQLite's message.
    [[nodiscard]] bool next_query();
    /// Returns the names of the query's columns.
    [[nodiscard]] std::vector<std::string> columns() const;
    /// Sets the cells of the next row of the query, valid until the next call. Returns false after
    /// the last row. Throws std::runtime_error with SQLite's message.
    [[nodiscard]] bool next_row(std::vector<ask::Cell>& cells);
    /// Returns whether there was a query.
    [[nodiscard]] bool has_asked() const { return asked_; }

  private:
    [[noreturn]] void rethrow();

    store::Connection connection_;
    std::unique_ptr<store::OnlyReading> only_reading_;
    std::string script_;
    std::string_view rest_;
    std::optional<store::Statement> statement_;
    std::vector<std::string> blobs_;
    bool asked_ = false;
};

}  // namespace fendex
