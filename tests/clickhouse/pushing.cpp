#include "clickhouse/pushing.hpp"

#include "clickhouse/schema.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::test {

using clickhouse::Connection;
using clickhouse::PushOptions;
using clickhouse::PushSummary;
using clickhouse::RowReader;

void import_into(const std::string& database, const std::vector<std::string>& inputs,
                 bool variations) {
    const ingest::ImportOptions options{
        .ply_rows = ingest::PlyRowChoice::kNo, .annotations = true, .variations = variations};
    ingest::import_files(database, pgn::expand_inputs(inputs), options);
}

std::string short_games(int count) {
    const std::vector<std::string> moves{"1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 Nc6 5. Bb5",
                                         "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#",
                                         "1. d4 d5 2. c4", "1. Nf3 Nf6 2. Ng1 Ng8 3. e4"};
    const std::vector<std::string> results{"1-0", "0-1", "1/2-1/2", "*"};
    std::string text;
    for (int i = 0; i < count; ++i) {
        const std::string& result = results[static_cast<std::size_t>(i * 7 % 4)];
        text += "[White \"Player " + std::to_string(i % 17) + "\"]\n[Black \"B\"]\n[Date \"19" +
                std::to_string(10 + i * 31 % 80) + ".0" + std::to_string(1 + i % 9) +
                ".??\"]\n[Result \"" + result + "\"]\n";
        if (i % 5 != 0) text += "[WhiteElo \"" + std::to_string(1500 + i * 13 % 900) + "\"]\n";
        if (i % 3 != 0) text += "[BlackElo \"" + std::to_string(1400 + i * 29 % 700) + "\"]\n";
        text += "\n" + moves[static_cast<std::size_t>(i * 11 % 4)] + " " + result + "\n\n";
    }
    return text;
}

PushOptions options_for(const TestDatabase& database) {
    PushOptions options;
    options.cluster = database.cluster();
    options.threads = 2;
    options.block_postings = 3000;
    options.replaced_rows_stay = std::chrono::seconds(0);
    return options;
}

PushSummary push_file(const std::string& file, const TestDatabase& database,
                      const std::function<void(PushOptions&)>& change) {
    PushOptions options = options_for(database);
    if (change) change(options);
    return clickhouse::push_database(*store::file_store(file),
                                     clickhouse::parse_url(database.url()), options);
}

clickhouse::PushCheck check(const std::string& file, const TestDatabase& database) {
    return clickhouse::check_push(*store::file_store(file), database.connect());
}

const std::string kComplete =
    " push GLOBAL IN (SELECT push FROM push WHERE state = 1) AND push GLOBAL NOT IN (SELECT push "
    "FROM push WHERE state = 2) AND push GLOBAL NOT IN (SELECT arrayJoin(replaces) FROM push WHERE "
    "state = 1) ";

std::uint64_t number(Connection& connection, const std::string& sql) {
    std::uint64_t out = 0;
    connection.query(sql, [&](RowReader& row) { out = row.u64(); });
    return out;
}

std::map<std::string, std::string> contents(Connection& connection) {
    std::map<std::string, std::string> out;
    for (const clickhouse::Table& table : clickhouse::tables()) {
        if (table.name == "origin" || table.name == "push") continue;
        std::string columns;
        for (const clickhouse::Column& column : table.columns) {
            if (column.name == "push") continue;
            columns +=
                (columns.empty() ? "" : ", ") + ("ifNull(toString(" + column.name + "), 'NULL')");
        }
        connection.query("SELECT count(), sum(cityHash64(" + columns + ")) FROM " + table.name +
                             " WHERE" + kComplete,
                         [&](RowReader& row) {
                             const std::uint64_t count = row.u64();
                             out[table.name] =
                                 std::to_string(count) + " rows, " + std::to_string(row.u64());
                         });
    }
    return out;
}

Connection connect_to_second(const TestDatabase& database) {
    return Connection(
        clickhouse::parse_url("clickhouse://" + database.hosts()[1] + "/" + database.name()), "");
}

std::uint64_t rows_of_incomplete_pushes(Connection& connection) {
    std::uint64_t rows = 0;
    for (const clickhouse::Table& table : clickhouse::tables()) {
        if (table.name == "origin" || table.name == "push") continue;
        rows += number(connection,
                       "SELECT count() FROM " + table.name + " WHERE NOT (" + kComplete + ")");
    }
    return rows;
}

}  // namespace fendex::test
