#include "clickhouse/sql_rows.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "base/cut.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/replicas.hpp"
#include "clickhouse/tables.hpp"

namespace fendex::clickhouse {

namespace {

constexpr char kTextFormat[] = "TabSeparatedWithNamesAndTypes";
constexpr char kSelectSettings[] =
    "SELECT name, value FROM system.settings"
    " WHERE name IN ('readonly', 'cancel_http_readonly_queries_on_client_close')";

/// Returns the value of a field; no value for NULL, which is \N.
std::optional<std::string> unescaped(std::string_view field) {
    if (field == "\\N") return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < field.size(); ++i) {
        if (field[i] != '\\' || i + 1 == field.size()) {
            out += field[i];
            continue;
        }
        switch (field[++i]) {
            case 'b': out += '\b'; break;
            case 'f': out += '\f'; break;
            case 'n': out += '\n'; break;
            case 'r': out += '\r'; break;
            case 't': out += '\t'; break;
            case '0': out += '\0'; break;
            default: out += field[i];
        }
    }
    return out;
}

std::string without_wrapping(std::string type) {
    for (const std::string_view wrapping : {"LowCardinality(", "Nullable("}) {
        if (!type.starts_with(wrapping) || !type.ends_with(')')) continue;
        type = type.substr(wrapping.size(), type.size() - wrapping.size() - 1);
    }
    return type;
}

/// Returns settings with which statements can only read, and end if their client has gone.
Settings reading_settings(Connection& connection) {
    Settings settings;
    connection.query_server(kSelectSettings, {}, [&](RowReader& row) {
        const std::string name(row.string());
        const std::string_view value = row.string();
        // A user who can only read cannot change it.
        if (name != "readonly") {
            settings[name] = "1";
        } else if (value == "0") {
            settings[name] = "2";
        }
    });
    return settings;
}

/// Removes what may follow a statement: blanks and semicolons.
std::string_view without_end(std::string_view statement) {
    const std::size_t last = statement.find_last_not_of(" \t\r\n;");
    return statement.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

void run_sql(const std::string& location, const std::string& password, std::string_view statement,
             const ColumnsVisitor& begin, const ValuesVisitor& row) {
    Connection connection(parse_url(location), password);
    const Layout layout = require_tables(connection, OlderTables::kRead);
    if (layout.is_replicated) connection.leave_out_stale(kMostDelay);
    std::vector<SqlColumn> columns;
    std::uint64_t lines = 0;
    std::vector<std::optional<std::string>> values;
    // A comment may be the last line of the statement.
    const std::string sql = std::string(without_end(statement)) + "\n";
    connection.query_text(sql, kTextFormat, reading_settings(connection), [&](RowReader& reader) {
        std::string_view line = reader.line();
        ++lines;
        if (lines == 1) {
            do {
                columns.push_back(
                    {.name = unescaped(base::cut(line, '\t')).value_or("\\N"), .type = {}});
            } while (!line.empty());
            values.resize(columns.size());
            return;
        }
        if (lines == 2) {
            for (SqlColumn& column : columns) {
                column.type = without_wrapping(std::string(base::cut(line, '\t')));
            }
            begin(columns);
            return;
        }
        for (auto& value : values) value = unescaped(base::cut(line, '\t'));
        row(values);
    });
}

}  // namespace fendex::clickhouse
