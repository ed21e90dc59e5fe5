#include "upkeep/repair.hpp"

#include <fmt/core.h>

#include "base/json.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/say.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

void print_repaired(const upkeep::RepairReport& report, double seconds, Output output) {
    std::vector<std::string> doubtful;
    for (const store::Doubt& doubt : report.doubts) doubtful.push_back(doubt.what);
    json::append_line(output.buffer(), [&](json::Object& object) {
        object.add("games", report.games);
        object.add("games_cut", report.cut);
        object.add("games_without_tags", report.tags_lost);
        object.add("games_without_annotations", report.annotations_lost);
        object.add("games_renumbered", report.numbers);
        object.add("records", report.records);
        object.add("joined_names", report.joined_names);
        object.add("rows", report.rows);
        object.add("values", report.columns);
        object.add("malformed", report.malformed);
        object.add("unreadable", report.unreadable);
        object.add("doubtful", doubtful);
        object.add("seconds", json::Fixed{seconds, 3});
    });
    output.flush();
}

int run_repair(const Arguments& arguments) {
    const Format format = format_of(arguments);
    ProgressLine line(arguments);
    upkeep::RepairOptions options;
    options.threads = threads_of(arguments);
    options.memory_bytes = memory_of(arguments);
    options.progress = [&](std::uint64_t game) {
        if (line.due()) line.show("repairing: game " + grouped(game));
    };
    const upkeep::RepairReport report = upkeep::repair_database(arguments.only_database(), options);
    line.say(fmt::format("index, sums, facts, repetitions and counters made from {} in {:.2f} s",
                         counted(report.games, "game"), line.seconds()));
    if (report.malformed) {
        line.say("the file was malformed: it was written anew from what could be read of it");
    }
    const auto say_count = [&](std::uint64_t count, const char* one, const char* many,
                               const char* what) {
        if (count != 0) line.say(counted(count, one, many) + what);
    };
    say_count(report.unreadable, "run of rows", "runs of rows",
              " could not be read (see table import_error)");
    say_count(report.cut, "game", "", " cut to the last good ply (see table import_error)");
    say_count(report.tags_lost, "game", "", " lost tag pairs (see table import_error)");
    say_count(report.annotations_lost, "game", "", " lost comments (see table import_error)");
    say_count(report.numbers, "game", "", " got another number (see table import_error)");
    say_count(report.records, "damaged row", "damaged rows",
              " of records of positions put right (see table import_error)");
    say_count(report.joined_names, "joined name", "", " lost (see table import_error)");
    say_count(report.rows, "row of a game", "rows of games", " put right");
    say_count(report.columns, "impossible name or value", "impossible names and values",
              " put right");
    for (const store::Doubt& doubt : report.doubts) {
        say(doubt.reason + " (see table import_error)");
    }
    if (format == Format::kJson) print_repaired(report, line.seconds(), Output(arguments));
    return report.doubts.empty() ? kFound : kError;
}

}  // namespace

Verb repair_verb() {
    return {"repair",
            "DB",
            "Rebuilds a damaged database from its games.\n"
            "Index, sums, facts, repetitions, ply rows, counters and the list of what was\n"
            "imported are rebuilt. A game that cannot be replayed to its end is cut to its\n"
            "last good ply, and an error is recorded. Other changes of a game, and changes of\n"
            "names, of the list of what was imported, of import errors and of the id of the\n"
            "database cannot be undone: repair says so, records an error, and ends with exit\n"
            "status 2. If SQLite cannot read the file, it is written anew from the rows that can\n"
            "be read.\n"
            "--format json prints an object with what was done: games, games_cut,\n"
            "games_without_tags, games_without_annotations, games_renumbered, records (damaged\n"
            "rows of records of positions), joined_names (damaged rows of them), rows, values,\n"
            "malformed (true: the file was written anew), unreadable (runs of rows that could not\n"
            "be read), doubtful (game, annotation, names, source, import_error, id,\n"
            "postings_written, row_sums), seconds.",
            "fendex repair my.db",
            joined({{format_option({"table", "json"}), progress_option()}, resource_options()}),
            run_repair};
}

}  // namespace fendex::cli
