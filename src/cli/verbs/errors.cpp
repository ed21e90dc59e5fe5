#include <algorithm>

#include "cli/output/row_printer.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/game_filter.hpp"
#include "replay/contradictions.hpp"
#include "store/named_sources.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

/// Appends the error as an escape line, which PGN readers skip, and the original text of the game.
void append_broken_game(const store::StoredError& each, const std::optional<std::string>& pgn,
                        std::string& out) {
    const store::ImportError& error = each.error;
    std::string line = "% " + each.path + ": ";
    if (error.line != 0) line += "line " + std::to_string(error.line) + ", ";
    line += "byte " + std::to_string(error.byte);
    if (each.game) line += ", game " + std::to_string(*each.game);
    if (error.ply) line += ", after ply " + std::to_string(*error.ply);
    line += ": " + error.reason;
    if (!error.text.empty()) line += " (" + error.text + ")";
    out += printable(line) + '\n';
    if (!pgn) return;
    out += *pgn;
    if (!pgn->ends_with('\n')) out += '\n';
    out += '\n';
}

/// Returns whether an error is of the kind that the option names.
bool is_of_kind(const store::ImportError& error, std::string_view kind) {
    if (kind == "error") return !error.warning;
    if (kind == "warning") return error.warning;
    return kind == "all" || error.reason.starts_with(replay::kContradiction);
}

int run_errors(const Arguments& arguments) {
    const Format format = format_of(arguments);
    const Paging paging = paging_of(arguments, format);
    const store::Reader reader = store::file_store(arguments.only_database())->reader();
    std::vector<store::StoredSource> sources;
    if (const auto named = arguments.find("source")) {
        sources = store::sources_named(*reader, *named);
    }
    const std::string kind = arguments.get("kind");
    Output output(arguments);
    RowPrinter printer(output, format,
                       {{.name = "source", .cut = Cut::kStart},
                        {.name = "byte", .spare = 3},
                        {.name = "line", .spare = 2},
                        {.name = "game_id", .title = "game"},
                        {.name = "ply", .spare = 1},
                        {.name = "reason", .max_width = 60},
                        {.name = "text", .max_width = 60},
                        {.name = "severity", .spare = 4}});
    std::uint64_t errors = 0;
    std::uint64_t shown = 0;
    reader->for_each_error([&](const store::StoredError& each) {
        const bool wanted =
            is_of_kind(each.error, kind) &&
            (!arguments.has("source") ||
             std::any_of(sources.begin(), sources.end(), [&](const store::StoredSource& source) {
                 return source.id == each.source;
             }));
        if (!wanted || errors++ < paging.offset || shown == paging.limit) return true;
        ++shown;
        if (format == Format::kPgn) {
            output.append_data([&](std::string& out) {
                append_broken_game(each, reader->broken_game(each.id), out);
            });
            output.maybe_flush();
            return true;
        }
        const store::ImportError& error = each.error;
        printer.row({std::string_view(each.path), static_cast<std::int64_t>(error.byte),
                     error.line != 0 ? Cell(static_cast<std::int64_t>(error.line)) : Null{},
                     cell(each.game), cell(error.ply), std::string_view(error.reason),
                     std::string_view(error.text),
                     std::string_view(error.warning ? "warning" : "error")});
        return true;
    });
    printer.finish();
    if (format == Format::kTable && paging.offset + shown < errors) {
        output.buffer() += more_line(errors - paging.offset - shown, "error");
    }
    output.flush();
    return shown != 0 ? kFound : kNothingFound;
}

}  // namespace

Verb errors_verb() {
    return {
        "errors",
        "DB",
        "Lists what could not be read, and where.\n"
        "Each row has file, byte, line, game, ply, reason, text and severity: what is a\n"
        "warning was read, but may not be what was meant, or cannot be. --format pgn\n"
        "writes the games with errors as they were, each after a % line that says what is\n"
        "wrong, so that you can repair them by hand.",
        "echo \"1.e4 e5 2.Ke3 *\" | fendex import my.db - && fendex errors my.db",
        joined(
            {{format_option({"table", "json", "csv", "pgn"}),
              valued(
                  "source", "FILE",
                  "only errors of this file: its path, its name or its number in info --sources"),
              choice("kind", {"all", "error", "warning", "contradiction"},
                     "only errors, only warnings, or only the warnings that tags contradict one "
                     "another, the moves or the calendar")},
             paging_options()}),
        run_errors,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
