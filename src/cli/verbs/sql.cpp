#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/number_of.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/output.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/verbs.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/sql_rows.hpp"
#include "fendex/sql_rows.hpp"

namespace fendex::cli {

namespace {

/// Wide enough for a FEN.
constexpr std::size_t kWidest = 100;

/// Returns a column's name in printable form. SQL allows any text, but JSON rows are written
/// without escaping names, so they are escaped here.
std::string column_name(std::string_view name, Format format) {
    if (format != Format::kJson) return printable(name);
    std::string quoted;
    json::append_text(name, quoted);
    return quoted.substr(1, quoted.size() - 2);
}

ColumnSpec column_spec(std::string_view name, Format format) {
    return {.name = column_name(name, format),
            .in_table = true,
            .max_width = kWidest,
            .cut = Cut::kNever,
            .always = true};
}

/// Prints the rows of a query; returns whether there are any.
bool print_rows(SqlScript& script, Format format, Output& output) {
    std::vector<ColumnSpec> columns;
    for (const std::string& name : script.columns()) columns.push_back(column_spec(name, format));
    RowPrinter printer(output, format, std::move(columns));
    std::vector<Cell> cells;
    bool any = false;
    for (; script.next_row(cells); any = true) printer.row(cells);
    printer.finish();
    return any;
}

/// Returns a value of a cluster as a cell. A number that is too large for one remains a text.
Cell cell_of(const std::optional<std::string>& value, const std::string& type) {
    if (!value) return Null{};
    if (type == "Bool") return *value == "true";
    if (type.starts_with("Int") || type.starts_with("UInt")) {
        if (const auto number = base::number_of<std::int64_t>(*value)) return *number;
    }
    if (type.starts_with("Float")) {
        const auto number = base::number_of<double>(*value);
        if (number && std::isfinite(*number)) return *number;
    }
    return std::string_view(*value);
}

/// Prints the rows of a query of a cluster; returns whether there are any.
bool print_rows_of_cluster(const Arguments& arguments, const std::string& statement, Format format,
                           Output& output) {
    std::optional<RowPrinter> printer;
    std::vector<std::string> types;
    std::vector<Cell> cells;
    bool any = false;
    clickhouse::run_sql(
        arguments.database(), password_of(arguments), statement,
        [&](std::span<const clickhouse::SqlColumn> columns) {
            std::vector<ColumnSpec> specs;
            for (const auto& [name, type] : columns) {
                specs.push_back(column_spec(name, format));
                types.push_back(type);
            }
            printer.emplace(output, format, std::move(specs));
        },
        [&](std::span<const std::optional<std::string>> values) {
            cells.clear();
            for (std::size_t i = 0; i < values.size(); ++i) {
                cells.push_back(cell_of(values[i], types[i]));
            }
            printer->row(cells);
            any = true;
        });
    if (printer) printer->finish();
    return any;
}

/// Returns the path of the extension: beside the program in a build, in a folder of libraries if
/// installed.
std::string extension_path() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = program.parent_path();
    for (const fs::path& path :
         {folder / "fendex.so", folder.parent_path() / FENDEX_LIBDIR / "fendex.so"}) {
        if (!error && fs::exists(path, error)) return fs::path(path).replace_extension().string();
    }
    return "fendex";
}

/// Returns the advice that is shown instead of waiting on a terminal for SQL.
std::string how_to_ask(const std::string& database) {
    std::string text = "which query? Give it quoted, fendex sql " + database +
                       " \"SELECT count(*) FROM games\", or on standard input.";
    if (clickhouse::is_cluster(database)) return text;
    return text + " To type queries one after another: sqlite3 -readonly -cmd '.load " +
           extension_path() + "' " + database;
}

int run_sql(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const std::vector<std::string>& words = arguments.words();
    if (words.size() > 2) {
        throw UsageError("unexpected argument after QUERY: put the query in quotation marks");
    }
    const Format format = format_of(arguments);
    if (words.size() == 1 && ::isatty(STDIN_FILENO) != 0) throw UsageError(how_to_ask(database));
    const std::string script = words.size() == 2
                                   ? words[1]
                                   : std::string(std::istreambuf_iterator<char>(std::cin),
                                                 std::istreambuf_iterator<char>());
    Output output(arguments);
    bool found = false;
    if (clickhouse::is_cluster(database)) {
        found = print_rows_of_cluster(arguments, script, format, output);
        output.flush();
        return found ? kFound : kNothingFound;
    }
    SqlScript queries(database, script);
    try {
        while (queries.next_query()) found |= print_rows(queries, format, output);
    } catch (...) {
        output.flush();
        throw;
    }
    output.flush();
    return found || !queries.has_asked() ? kFound : kNothingFound;
}

}  // namespace

Verb sql_verb() {
    return {"sql",
            "DB [QUERY]",
            "Runs SQL, with a row for every ply.\n"
            "Statements come from QUERY or from standard input, and can only read. Besides the\n"
            "tables of the database there are ply (a row for every ply, stored or not),\n"
            "reached(fen, match, variant), tree(fen, match, variant), annotation_ply and\n"
            "evaluation(fen, variant), and the functions fen_key, fen_epd, fen_convert,\n"
            "fen_valid, fen_board, evaluation, eval_cp, eval_mate, eval_depth and iso_date. Keys\n"
            "are signed here. In ply, san and uci are the move that led to the position.\n"
            "A cluster runs one statement in ClickHouse's own SQL, on its tables and the views\n"
            "games and complete_push. Numbers above 2^63 are texts there.",
            "fendex sql my.db \"SELECT g.white, g.black, r.ply FROM reached("
            "'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -') r"
            " JOIN games g ON g.id = r.game_id LIMIT 5\"\n"
            "fendex sql my.db \"SELECT ply, san, fen FROM ply WHERE game_id = 1\" --format csv",
            {format_option({"table", "json", "csv"}), password_file_option()},
            run_sql,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
