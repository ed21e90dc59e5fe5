// What the tests of the extension share: databases of all samples with and without ply rows, and
// connections that ask them.
#pragma once

#include <sqlite3.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ingest/importer.hpp"
#include "support/process.hpp"

namespace fendex::test {

/// Every sample, imported once for all tests of a run.
const std::string& database_with_rows();
const std::string& database_without_rows();
/// A new database of these inputs.
void import_into(const std::string& database, const std::vector<std::string>& inputs,
                 ingest::PlyRowChoice rows = ingest::PlyRowChoice::kNo);

/// A connection of SQLite's own, with fendex registered in it.
class Sql {
  public:
    explicit Sql(const std::string& path, int flags = SQLITE_OPEN_READONLY);
    ~Sql() { sqlite3_close_v2(db_); }
    Sql(const Sql&) = delete;
    Sql& operator=(const Sql&) = delete;

    sqlite3* handle() { return db_; }
    /// The rows, columns joined by '|', NULL as "NULL"; fails where the SQL does.
    std::vector<std::string> rows(const std::string& sql);
    std::string value(const std::string& sql);
    /// What SQLite says is wrong; empty where all is well.
    std::string error(const std::string& sql);
    /// The plan, one line.
    std::string plan(const std::string& sql);
    /// What sqlite3_close() returns; the connection is gone.
    int close();

  private:
    std::string run(const std::string& sql, std::vector<std::string>& rows);

    sqlite3* db_ = nullptr;
};

/// 'text' as SQL writes it.
std::string quoted(const std::string& text);

}  // namespace fendex::test
