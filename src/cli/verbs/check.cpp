#include <fmt/core.h>

#include <map>
#include <random>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "cli/options/resources.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/verbs/verbs.hpp"
#include "upkeep/database_check.hpp"

namespace fendex::cli {

namespace {

void print_damage(const upkeep::Findings& findings, Format format, Output& output) {
    RowPrinter printer(output, format,
                       {{"kind"},
                        {"game_id"},
                        {"ply"},
                        {"key"},
                        {"segment"},
                        {"row"},
                        {.name = "message", .max_width = 160, .cut = Cut::kNever}});
    std::vector<Cell> cells;
    std::string key;
    std::map<std::string, std::uint64_t> listed;
    for (const upkeep::Damage& damage : findings.listed()) {
        ++listed[damage.kind];
        if (damage.key) key = base::hex_key(*damage.key);
        cells = {std::string_view(damage.kind),
                 cell(damage.game),
                 cell(damage.ply),
                 damage.key ? Cell{std::string_view(key)} : Cell{Null{}},
                 cell(damage.segment),
                 cell(damage.row),
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
}

/// Appends the summary, the last line. It is printed even if nothing is damaged, so that a script
/// sees that the check was finished.
void append_summary(const upkeep::CheckReport& report, std::uint64_t damage, double seconds,
                    std::string& out) {
    json::append_line(out, [&](json::Object& object) {
        object.add("kind", "summary");
        object.add("clean", damage == 0);
        object.add("damaged", damage);
        object.add("games", report.games);
        object.add("positions", report.positions);
        object.add("segments", report.segments);
        object.add("postings", report.postings);
        object.add("seconds", json::Fixed{seconds, 3});
    });
}

void show(const upkeep::CheckProgress& progress, ProgressLine& line) {
    if (!line.due()) return;
    using enum upkeep::CheckProgress::Phase;
    const std::string of = grouped(progress.done) + " of " + grouped(progress.total);
    switch (progress.phase) {
        case kFile: line.show("checking the file"); break;
        case kGames: line.show("checking games: " + of); break;
        case kIndex: line.show("checking the index: " + of + " parts"); break;
    }
}

int run_check(const Arguments& arguments) {
    const Format format = format_of(arguments);
    ProgressLine line(arguments);
    upkeep::CheckOptions options;
    options.threads = threads_of(arguments);
    options.memory_bytes = memory_of(arguments);
    options.sample = arguments.number("sample");
    options.seed = std::random_device()();
    options.progress = [&](const upkeep::CheckProgress& progress) { show(progress, line); };
    const upkeep::CheckReport report = upkeep::check_database(arguments.only_database(), options);
    line.clear();
    std::uint64_t damage = 0;
    for (const auto& [kind, count] : report.findings.counts()) damage += count;
    Output output(arguments);
    print_damage(report.findings, format, output);
    if (format == Format::kJson) append_summary(report, damage, line.seconds(), output.buffer());
    output.flush();
    line.say(fmt::format("{}: {}, {}, {}, {} checked in {:.2f} s",
                         damage == 0 ? "clean" : counted(damage, "damaged item", "damaged items"),
                         counted(report.games, "game"), counted(report.positions, "position"),
                         counted(report.segments, "segment"), counted(report.postings, "posting"),
                         line.seconds()));
    if (!report.has_row_sums) {
        line.say(
            "the last write was by an earlier fendex: what was imported, its errors and the list "
            "of segments have no checksums until the next verb writes");
    }
    if (!report.has_tag_facts) {
        line.say(fmt::format(
            "an earlier fendex has read time controls and dates: `fendex upgrade {}` reads them "
            "again",
            arguments.only_database()));
    }
    if (!report.has_swings) {
        line.say(fmt::format(
            "an earlier fendex has kept annotations: `fendex upgrade {}` finds the swings in them",
            arguments.only_database()));
    }
    return damage == 0 ? kFound : kError;
}

}  // namespace

Verb check_verb() {
    return {"check",
            "DB",
            "Verifies the whole database and names what is damaged.\n"
            "The file, every game and every posting of the index are compared with one another,\n"
            "and sums, facts, repetitions, ply rows and counters with the games. The exit\n"
            "status is 0 if all is well, 2 if not.\n"
            "--format json prints a line for each damage, and a last line of kind \"summary\":\n"
            "clean, damaged, games, positions, segments, postings, seconds.",
            "fendex check my.db",
            joined({{format_option({"table", "json", "csv"}),
                     valued("sample", "N",
                            "check N games, picked at random, and what was imported, but not every "
                            "byte of the file"),
                     progress_option()},
                    resource_options()}),
            run_check,
            DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
