#include <fmt/core.h>

#include "base/json.hpp"
#include "base/utc_time.hpp"
#include "chess/variant_names.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/database_summary.hpp"

namespace fendex::cli {

namespace {

/// Prints the ledger, one row per source.
int list_sources(const Arguments& arguments, Format format) {
    const auto reader = store_at(arguments, arguments.only_database())->reader();
    Output output(arguments);
    RowPrinter printer(output, format,
                       {{"id"},
                        {.name = "source", .cut = Cut::kStart},
                        {.name = "size", .spare = 5},
                        {"modified", false},
                        {"first_byte", false},
                        {.name = "bytes", .spare = 1},
                        {"digest", false},
                        {"resume_byte", false},
                        {"resume_line", false},
                        {"open_game", false},
                        {.name = "first_game", .spare = 4},
                        {"games"},
                        {.name = "duplicates", .spare = 3},
                        {"plies"},
                        {.name = "records", .spare = 6},
                        {"errors"},
                        {"complete"},
                        {"started", false},
                        {.name = "finished", .cut = Cut::kNever, .spare = 2},
                        {"options", false}});
    const auto number = [](auto value) { return Cell(static_cast<std::int64_t>(value)); };
    bool any = false;
    for (const store::StoredSource& source : reader->sources()) {
        any = true;
        const store::SourceProgress& progress = source.progress;
        const std::string started = base::utc_time(source.started);
        const std::string finished = source.finished ? base::utc_time(*source.finished) : "";
        const std::string modified =
            source.file.modified ? base::utc_time(*source.file.modified / 1'000'000'000) : "";
        const auto text = [](const std::string& value) {
            return value.empty() ? Cell(Null{}) : Cell(std::string_view(value));
        };
        printer.row({number(source.id),
                     std::string_view(source.file.path),
                     cell(source.file.size),
                     text(modified),
                     number(source.first_byte),
                     number(progress.bytes),
                     text(progress.digest),
                     number(progress.resume.byte),
                     number(progress.resume.line),
                     cell(progress.open_game),
                     number(source.first_game),
                     number(source.games),
                     number(source.duplicates),
                     number(source.plies),
                     cell(source.records),
                     number(source.errors),
                     progress.complete,
                     text(started),
                     text(finished),
                     text(source.options)});
    }
    printer.finish();
    output.flush();
    return any ? kFound : kNothingFound;
}

void print_table(const query::DatabaseSummary& summary, Output& output) {
    constexpr std::size_t kWidth = 36;
    const auto line = [&](std::string_view name, const std::string& value, const char* meaning) {
        const std::size_t value_width = kWidth - name.size();
        output.buffer() += fmt::format("{}{:>{}}  ", name, value, value_width) +
                           output.in_lines(meaning, kWidth + 2) + '\n';
    };
    if (!summary.id.empty()) line("id", summary.id, "of the database");
    for (const query::DatabaseSummary::Figure& figure : summary.figures) {
        line(figure.name, grouped(figure.value), figure.meaning);
    }
    if (const auto& file = summary.file) {
        if (summary.plies() >= query::kPliesOfSizes) {
            line("bytes_per_ply", fmt::format("{:.2f}", file->bytes_per_ply),
                 "games and index together");
        }
        line("write_amplification", fmt::format("{:.2f}", file->write_amplification),
             "postings ever written, divided by those stored now");
    }
    line("fingerprint", summary.fingerprint, "over every (game, ply, key)");
    if (const auto& file = summary.file) {
        line("ply_rows", file->ply_rows, "a row of table ply for every ply");
    }
    for (const auto& [variant, games] : summary.variants) {
        const bool all = variant == chess::Variant::kStandard && games == summary.games();
        if (!all && games != 0)
            line(chess::name_of(variant), grouped(games), "games of this variant");
    }
}

int run_info(const Arguments& arguments) {
    const Format format = format_of(arguments);
    if (arguments.has("sources")) return list_sources(arguments, format);
    const auto reader = store_at(arguments, arguments.only_database())->reader();
    const query::DatabaseSummary summary(*reader);

    Output output(arguments);
    std::string& out = output.buffer();
    if (format == Format::kJson) {
        json::append_line(out, [&](json::Object& object) { query::add_summary(summary, object); });
    } else if (format == Format::kCsv) {
        if (output.has_header()) {
            for (const query::DatabaseSummary::Figure& figure : summary.figures)
                out += fmt::format("{},", figure.name);
            out += summary.file ? "bytes_per_ply,write_amplification,fingerprint,ply_rows,id\r\n"
                                : "fingerprint,id\r\n";
        }
        for (const query::DatabaseSummary::Figure& figure : summary.figures)
            out += fmt::format("{},", figure.value);
        if (const auto& file = summary.file) {
            out += fmt::format("{:.3f},{:.3f},{},{},{}\r\n", file->bytes_per_ply,
                               file->write_amplification, summary.fingerprint, file->ply_rows,
                               summary.id);
        } else {
            out += fmt::format("{},{}\r\n", summary.fingerprint, summary.id);
        }
    } else {
        print_table(summary, output);
    }
    output.flush();
    return kFound;
}

}  // namespace

Verb info_verb() {
    return {"info",
            "DB",
            "Counts games, plies and bytes; lists what was imported.",
            "fendex info my.db --format json",
            {format_option({"table", "json", "csv"}),
             flag("sources", "list what was imported, a row for each file or stream"),
             password_file_option()},
            run_info,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
