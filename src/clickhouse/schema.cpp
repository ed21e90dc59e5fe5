#include "clickhouse/schema.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/cut.hpp"
#include "base/joined.hpp"
#include "base/trimmed.hpp"
#include "schema_sql.hpp"

namespace fendex::clickhouse {

namespace {

std::string_view trimmed(std::string_view text) { return base::trimmed(text, " \n,"); }

/// Removes `begin`, `end` and the text between them from `line`. Returns that text; empty if there
/// is none.
std::string take_between(std::string& line, std::string_view begin, std::string_view end) {
    const std::size_t from = line.find(begin);
    if (from == std::string::npos) return {};
    const std::size_t to = line.find(end, from);
    std::string out = line.substr(from + begin.size(), to - from - begin.size());
    line.erase(from, to + end.size() - from);
    return out;
}

/// Returns the line for servers that know codecs, or for those that do not.
std::string line_for(std::string line, bool is_new) {
    constexpr std::string_view kBegin = "/*new ";
    constexpr std::string_view kEnd = "*/";
    for (std::size_t at = 0; (at = line.find(kBegin)) != std::string::npos;) {
        const std::size_t end = line.find(kEnd, at);
        const std::string text = line.substr(at + kBegin.size(), end - at - kBegin.size());
        line.replace(at, end + kEnd.size() - at, is_new ? text : "");
    }
    return line;
}

Column column_of_line(const std::string& line) {
    const std::string of_old = line_for(line, false);
    const std::string of_new = line_for(line, true);
    const std::string_view text = trimmed(of_old);
    const std::size_t blank = text.find(' ');
    Column column;
    column.name = text.substr(0, blank);
    column.type = trimmed(text.substr(blank));
    std::string_view rest = trimmed(trimmed(of_new).substr(blank));
    const std::size_t codec = std::min(rest.find("CODEC("), rest.size());
    column.codec = rest.substr(codec);
    column.new_type = trimmed(rest.substr(0, codec));
    return column;
}

/// Reads one statement CREATE TABLE name(columns) ENGINE..., without comments. `before`: the tables
/// that come before it, some columns of which it may have, too.
Table parse_table(std::string statement, const std::vector<Table>& before) {
    Table table;
    table.shard_by = take_between(statement, "/*shard by ", "*/");
    const std::size_t open = statement.find("(\n");
    const std::size_t close = statement.find("\n)");
    constexpr std::string_view kCreate = "CREATE TABLE ";
    const std::size_t name = statement.find(kCreate) + kCreate.size();
    table.name = statement.substr(name, open - name);
    for (std::size_t at = open + 2; at < close;) {
        const std::size_t end = std::min(statement.find('\n', at), close);
        std::string line = statement.substr(at, end - at);
        if (const std::string same = take_between(line, "/*columns of ", "*/"); !same.empty()) {
            constexpr std::string_view kFrom = " from ";
            const std::size_t from = same.find(kFrom);
            const auto other = std::ranges::find(before, same.substr(0, from), &Table::name);
            std::ranges::copy(columns_from(*other, same.substr(from + kFrom.size())),
                              std::back_inserter(table.columns));
        } else if (!trimmed(line).empty()) {
            table.columns.push_back(column_of_line(line));
        }
        at = end + 1;
    }
    table.engine = trimmed(std::string_view(statement).substr(close + 2));
    return table;
}

/// Returns the statements of a file, without comments that begin with two dashes.
std::vector<std::string> statements_of(std::string_view sql) {
    std::string plain;
    while (!sql.empty()) {
        const std::string_view line = base::cut(sql, '\n');
        plain += line.substr(0, line.find("--"));
        plain += '\n';
    }
    std::vector<std::string> out;
    for (std::size_t at = 0, end = 0; (end = plain.find(';', at)) != std::string::npos;) {
        out.push_back(plain.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

std::vector<Table> parse_tables(std::string_view sql) {
    std::vector<Table> out;
    for (std::string& statement : statements_of(sql)) {
        out.push_back(parse_table(std::move(statement), out));
    }
    return out;
}

/// Reads one statement CREATE VIEW name AS select.
View parse_view(std::string_view statement) {
    constexpr std::string_view kCreate = "CREATE VIEW ";
    constexpr std::string_view kAs = " AS\n";
    statement = trimmed(statement).substr(kCreate.size());
    const std::size_t as = statement.find(kAs);
    return {std::string(statement.substr(0, as)), std::string(statement.substr(as + kAs.size()))};
}

std::vector<View> parse_views(std::string_view sql) {
    std::vector<View> out;
    for (const std::string& statement : statements_of(sql)) out.push_back(parse_view(statement));
    return out;
}

}  // namespace

bool Table::is_of_pushes() const { return engine.find("PARTITION BY push") != std::string::npos; }

const std::vector<Table>& tables() {
    static const std::vector<Table> all = parse_tables(store::sql::kClickhouseSql);
    return all;
}

const std::vector<View>& views() {
    static const std::vector<View> all = parse_views(store::sql::kClickhouseViewsSql);
    return all;
}

std::vector<Column> columns_from(const Table& table, std::string_view first) {
    return {std::ranges::find(table.columns, first, &Column::name), table.columns.end()};
}

const Table& table_named(std::string_view name) {
    const auto found = std::ranges::find(tables(), name, &Table::name);
    if (found == tables().end()) throw std::logic_error("no table " + std::string(name));
    return *found;
}

std::string local_name(std::string_view table, bool is_cluster) {
    return std::string(table) + (is_cluster ? "_shard" : "");
}

std::string create_local(const Table& table, bool is_cluster, bool codecs,
                         std::string_view replica) {
    const auto column_sql = [&](const Column& column) {
        if (!codecs) return column.name + ' ' + column.type;
        return column.name + ' ' + column.new_type +
               (column.codec.empty() ? "" : ' ' + column.codec);
    };
    std::string engine = table.engine;
    constexpr std::string_view kMergeTree = "MergeTree";
    if (!replica.empty()) {
        engine.replace(engine.find(kMergeTree), kMergeTree.size(),
                       "ReplicatedMergeTree(" + std::string(replica) + ")");
    }
    return "CREATE TABLE IF NOT EXISTS " + local_name(table.name, is_cluster) + " (" +
           base::joined(", ", table.columns, column_sql) + ") " + engine;
}

std::string create_distributed(const Table& table, std::string_view cluster,
                               std::string_view database) {
    const std::string local = local_name(table.name, true);
    return "CREATE TABLE IF NOT EXISTS " + table.name + " AS " + local + " ENGINE = Distributed(" +
           quoted_name(cluster) + ", " + std::string(database) + ", " + local + ", " +
           table.shard_by + ")";
}

std::string create_view(const View& view) {
    return "CREATE VIEW IF NOT EXISTS " + view.name + " AS " + view.select;
}

void insert_rows(Connection& connection, std::string_view table, std::string_view rows) {
    if (rows.empty()) return;
    const std::string columns = base::joined(", ", table_named(table).columns, &Column::name);
    Insert insert = connection.insert("INSERT INTO " + std::string(table) + " (" + columns + ")",
                                      settings_for_types(connection));
    insert.write(rows);
    insert.finish();
}

Settings settings_for_types(Connection& connection) {
    if (!connection.is_new()) return {};
    return {{"allow_suspicious_low_cardinality_types", "1"}};
}

}  // namespace fendex::clickhouse
