// Shared by the tests of the extension: databases of all samples with and without ply rows, and
// connections to them.
#pragma once

#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ingest/importer.hpp"
#include "support/process.hpp"

namespace fendex::test {

/// A database of all samples, imported once for all tests of a run.
const std::string& database_with_rows();
const std::string& database_without_rows();
/// Makes a new database of these inputs.
void import_into(const std::string& database, const std::vector<std::string>& inputs,
                 ingest::PlyRowChoice rows = ingest::PlyRowChoice::kNo);

/// A connection with fendex registered in it.
class Sql {
  public:
    explicit Sql(const std::string& path, int flags = SQLITE_OPEN_READONLY);
    ~Sql() { sqlite3_close_v2(db_); }
    Sql(const Sql&) = delete;
    Sql& operator=(const Sql&) = delete;

    sqlite3* handle() { return db_; }
    /// Returns the rows, columns joined by '|', NULL as "NULL". Fails the test if the SQL fails.
    std::vector<std::string> rows(const std::string& sql);
    std::string value(const std::string& sql);
    /// Returns the error message of SQLite; empty if there is none.
    std::string error(const std::string& sql);
    /// Returns the plan on one line.
    std::string plan(const std::string& sql);
    /// Returns the result of sqlite3_close(); the connection must not be used after it.
    int close();

  private:
    std::string run(const std::string& sql, std::vector<std::string>& rows);

    sqlite3* db_ = nullptr;
};

/// The text as an SQL literal.
std::string quoted(const std::string& text);

}  // namespace fendex::test
