#include "sqlite_ext/fixture.hpp"

#include <map>

#include "pgn/inputs.hpp"
#include "sqlite_ext/extension.hpp"

namespace fendex::test {

namespace {

const std::string& samples_in(const char* name, ingest::PlyRowChoice rows) {
    static const TemporaryDirectory directory;
    static std::map<std::string, std::string> made;
    std::string& path = made[name];
    if (path.empty()) {
        path = directory / name;
        import_into(path, {FENDEX_SAMPLES}, rows);
    }
    return path;
}

}  // namespace

const std::string& database_with_rows() {
    return samples_in("rows.db", ingest::PlyRowChoice::kYes);
}

const std::string& database_without_rows() {
    return samples_in("packed.db", ingest::PlyRowChoice::kNo);
}

void import_into(const std::string& database, const std::vector<std::string>& inputs,
                 ingest::PlyRowChoice rows) {
    ingest::import_files(database, pgn::expand_inputs(inputs), {.ply_rows = rows});
}

Sql::Sql(const std::string& path, int flags) {
    REQUIRE(sqlite3_open_v2(path.c_str(), &db_, flags, nullptr) == SQLITE_OK);
    sqlite_ext::register_extension(db_);
}

std::string Sql::run(const std::string& sql, std::vector<std::string>& rows) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
        return sqlite3_errmsg(db_);
    }
    int rc = SQLITE_OK;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        std::string& row = rows.emplace_back();
        for (int i = 0; i < sqlite3_column_count(statement); ++i) {
            if (i != 0) row += '|';
            const void* text = sqlite3_column_text(statement, i);
            row += text != nullptr ? static_cast<const char*>(text) : "NULL";
        }
    }
    std::string error = rc == SQLITE_DONE ? "" : sqlite3_errmsg(db_);
    sqlite3_finalize(statement);
    return error;
}

std::vector<std::string> Sql::rows(const std::string& sql) {
    std::vector<std::string> rows;
    const std::string error = run(sql, rows);
    INFO(sql);
    REQUIRE(error == "");
    return rows;
}

std::string Sql::value(const std::string& sql) {
    const std::vector<std::string> all = rows(sql);
    INFO(sql);
    REQUIRE(all.size() == 1);
    return all.front();
}

std::string Sql::error(const std::string& sql) {
    std::vector<std::string> rows;
    return run(sql, rows);
}

std::string Sql::plan(const std::string& sql) {
    std::string plan;
    for (const std::string& row : rows("EXPLAIN QUERY PLAN " + sql)) {
        if (!plan.empty()) plan += "; ";
        plan += row.substr(row.rfind('|') + 1);
    }
    return plan;
}

int Sql::close() {
    const int rc = sqlite3_close(db_);
    if (rc == SQLITE_OK) db_ = nullptr;
    return rc;
}

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') out += '\'';
        out += c;
    }
    return out + "'";
}

}  // namespace fendex::test
