#include "store/sqlite/upgrade/rewritten_table.hpp"

#include <utility>
#include <vector>

#include "schema_sql.hpp"

namespace fendex::store {

namespace {

std::string quoted_name(std::string_view name) {
    std::string out = "\"";
    for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

}  // namespace

std::string statement_of_schema(const std::string& first_words, std::string_view end) {
    const std::string_view schema = sql::kSchemaSql;
    const std::size_t begin = schema.find(first_words);
    return std::string(schema.substr(begin, schema.find(end, begin) + 1 - begin));
}

std::string create_statement(const std::string& table) {
    return statement_of_schema("CREATE TABLE " + table + "(", ");\n");
}

void rewrite_table(Connection& connection, const std::string& table,
                   const std::function<void()>& copy) {
    std::vector<std::pair<std::string, std::string>> indexes;  // of other programs
    {
        Statement select(connection,
                         "SELECT name, sql FROM main.sqlite_schema WHERE type = 'index'"
                         " AND tbl_name = ?1 COLLATE NOCASE AND sql IS NOT NULL");
        select.bind(1, std::string_view(table));
        while (select.step()) indexes.emplace_back(select.text(0), select.text(1));
    }
    for (const auto& [name, sql] : indexes) {
        connection.run("DROP INDEX main." + quoted_name(name));
    }
    const std::string old = kOldTable + table;
    connection.run("ALTER TABLE main." + table + " RENAME TO " + old);
    connection.run(create_statement(table));
    copy();
    // DROP TABLE alone cannot be interrupted, and takes long for a large table.
    connection.run("DELETE FROM main." + old + " WHERE true");
    connection.run("DROP TABLE main." + old);
    for (const auto& [name, sql] : indexes) connection.run(sql);
}

}  // namespace fendex::store
