#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <iterator>

#include "base/json.hpp"
#include "cli/options/arguments.hpp"
#include "cli/output/output.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/verbs.hpp"
#include "sqlite_ext/extension.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file/only_reading.hpp"

namespace fendex::cli {

namespace {

/// Wide enough for a FEN.
constexpr std::size_t kWidest = 100;

std::string hex_of(std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15U];
    }
    return out;
}

/// Returns a column's name in printable form. SQL allows any text, but JSON rows are written
/// without escaping names, so they are escaped here.
std::string column_name(std::string_view name, Format format) {
    if (format != Format::kJson) return printable(name);
    std::string quoted;
    json::append_text(name, quoted);
    return quoted.substr(1, quoted.size() - 2);
}

/// Prints the rows and returns their number.
std::uint64_t print_rows(store::Statement& statement, Format format, Output& output) {
    std::vector<ColumnSpec> columns;
    columns.reserve(static_cast<std::size_t>(statement.column_count()));
    for (int i = 0; i < statement.column_count(); ++i) {
        columns.push_back({.name = column_name(statement.column_name(i), format),
                           .in_table = true,
                           .max_width = kWidest,
                           .cut = Cut::kNever,
                           .always = true});
    }
    RowPrinter printer(output, format, columns);
    std::vector<Cell> cells(columns.size());
    std::vector<std::string> blobs(columns.size());
    std::uint64_t rows = 0;
    for (; statement.step(); ++rows) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const int column = static_cast<int>(i);
            switch (statement.type(column)) {
                case store::ValueType::kNull: cells[i] = Null{}; break;
                case store::ValueType::kInteger: cells[i] = statement.integer(column); break;
                case store::ValueType::kReal: cells[i] = statement.real(column); break;
                case store::ValueType::kText: cells[i] = statement.text(column); break;
                case store::ValueType::kBlob:
                    blobs[i] = hex_of(statement.blob(column));
                    cells[i] = std::string_view(blobs[i]);
                    break;
            }
        }
        printer.row(cells);
    }
    printer.finish();
    return rows;
}

/// Runs the statements. Returns false if there were queries and none had rows.
bool run_script(const store::Connection& connection, std::string_view script, Format format,
                Output& output) {
    bool asked = false;
    bool found = false;
    while (auto statement = store::Statement::first_of(connection, script)) {
        if (statement->column_count() == 0) {
            statement->run();
            continue;
        }
        asked = true;
        if (print_rows(*statement, format, output) != 0) found = true;
    }
    return found || !asked;
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
    return "which query? Give it quoted, fendex sql " + database +
           " \"SELECT count(*) FROM games\", or on standard input. To type queries one after "
           "another: sqlite3 -readonly -cmd '.load " +
           extension_path() + "' " + database;
}

int run_sql(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const std::vector<std::string>& words = arguments.words();
    if (words.size() > 2) throw UsageError("one QUERY, please: quote it");
    const Format format = format_of(arguments);
    if (words.size() == 1 && ::isatty(STDIN_FILENO) != 0) throw UsageError(how_to_ask(database));
    const std::string script = words.size() == 2
                                   ? words[1]
                                   : std::string(std::istreambuf_iterator<char>(std::cin),
                                                 std::istreambuf_iterator<char>());
    if (script.find('\0') != std::string::npos) throw UsageError("SQL has no NUL bytes");
    store::Connection connection =
        store::open_database(database, store::Connection::Mode::kReadOnly);
    // query_only would refuse temporary tables, too. OnlyReading refuses writes to the database.
    connection.run("PRAGMA query_only = OFF");
    sqlite_ext::register_extension(connection.handle());
    const store::OnlyReading only_reading(connection);
    Output output(arguments);
    bool found = false;
    try {
        found = run_script(connection, script, format, output);
    } catch (const store::StoreError&) {
        const std::string refusal = only_reading.refusal();
        const std::string error = refusal.empty() ? connection.last_error() : refusal;
        output.flush();
        throw std::runtime_error(error);
    }
    output.flush();
    return found ? kFound : kNothingFound;
}

}  // namespace

Verb sql_verb() {
    return {"sql",
            "DB [QUERY]",
            "Runs SQL, with a row for every ply.\n"
            "Statements come from QUERY or from standard input, and can only read. Besides the\n"
            "tables of the database there are ply (a row for every ply, stored or not),\n"
            "reached(fen, match, variant), tree(fen, match, variant) and annotation_ply, and\n"
            "the functions fen_key, fen_epd, fen_convert, fen_valid and fen_board. Keys are\n"
            "signed here. In ply, san and uci are the move that led to the position.",
            "fendex sql my.db \"SELECT g.white, g.black, r.ply FROM reached("
            "'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -') r"
            " JOIN games g ON g.id = r.game_id LIMIT 5\"\n"
            "fendex sql my.db \"SELECT ply, san, fen FROM ply WHERE game_id = 1\" --format csv",
            {format_option({"table", "json", "csv"})},
            run_sql,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
