#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <random>

#include "check/database_check.hpp"
#include "cli/progress_line.hpp"
#include "cli/resources.hpp"
#include "cli/row_printer.hpp"
#include "cli/verbs.hpp"
#include "query/json.hpp"

namespace fendex::cli {

namespace {

void print_damage(const check::Findings& findings, Format format, Output& output) {
    RowPrinter printer(
        output, format,
        {{"kind"}, {"game_id"}, {"ply"}, {"key"}, {"segment"}, {"row"}, {"message", true, 160}});
    std::vector<Cell> cells;
    std::string key;
    const auto number = [](const auto& value) -> Cell {
        if (!value) return Null{};
        return static_cast<std::int64_t>(*value);
    };
    std::map<std::string, std::uint64_t> listed;
    for (const check::Damage& damage : findings.listed()) {
        ++listed[damage.kind];
        if (damage.key) key = query::hex_key(*damage.key);
        cells = {std::string_view(damage.kind),
                 number(damage.game),
                 number(damage.ply),
                 damage.key ? Cell{std::string_view(key)} : Cell{Null{}},
                 number(damage.segment),
                 number(damage.row),
                 std::string_view(damage.message)};
        printer.row(cells);
    }
    for (const auto& [kind, count] : findings.counts()) {
        if (count == listed[kind]) continue;
        const std::string message = grouped(count - listed[kind]) + " more of these";
        printer.row({std::string_view(kind), Null{}, Null{}, Null{}, Null{}, Null{},
                     std::string_view(message)});
    }
    printer.finish();
    output.flush();
}

void show(const check::CheckProgress& progress, ProgressLine& line) {
    if (!line.due()) return;
    using enum check::CheckProgress::Phase;
    const std::string of = grouped(progress.done) + " of " + grouped(progress.total);
    switch (progress.phase) {
        case kFile: line.show("checking the file"); break;
        case kGames: line.show("checking games: " + of); break;
        case kIndex: line.show("checking the index: " + of + " parts"); break;
    }
}

int run_check(const Arguments& arguments) {
    const Format format = format_of(arguments);
    ProgressLine line;
    check::CheckOptions options;
    options.threads = threads_of(arguments);
    options.memory_bytes = memory_of(arguments);
    options.sample = arguments.number("sample");
    options.seed = std::random_device()();
    options.progress = [&](const check::CheckProgress& progress) { show(progress, line); };
    const check::CheckReport report = check::check_database(arguments.only_database(), options);
    line.clear();
    Output output;
    print_damage(report.findings, format, output);
    std::uint64_t damage = 0;
    for (const auto& [kind, count] : report.findings.counts()) damage += count;
    fmt::print(stderr, "{}: {} games, {} positions, {} segments, {} postings checked in {:.2f} s\n",
               damage == 0
                   ? "clean"
                   : grouped(damage) + (damage == 1 ? " thing is" : " things are") + " damaged",
               grouped(report.games), grouped(report.positions), grouped(report.segments),
               grouped(report.postings), line.seconds());
    return damage == 0 ? kFound : kError;
}

}  // namespace

Verb check_verb() {
    return {"check",
            "DB",
            "Does a database hold together? Names what is damaged, with ids.\n"
            "The file, every game and every posting of the index are compared with one another, "
            "sums, facts,\nrepetitions, ply rows and counters with the games. Exit status 0 where "
            "all is well, 2 where not.",
            "fendex check my.db",
            joined({{format_option({"table", "json", "csv"}),
                     valued("sample", "N",
                            "check that many games, picked at random, instead of all; and the "
                            "ledger, but not every byte of the file")},
                    resource_options()}),
            run_check};
}

}  // namespace fendex::cli
