#include "check/repair.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "cli/output.hpp"
#include "cli/progress_line.hpp"
#include "cli/resources.hpp"
#include "cli/verbs.hpp"

namespace fendex::cli {

namespace {

int run_repair(const Arguments& arguments) {
    ProgressLine line;
    check::RepairOptions options;
    options.threads = threads_of(arguments);
    options.memory_bytes = memory_of(arguments);
    options.progress = [&](std::uint64_t game) {
        if (line.due()) line.show("repairing: game " + grouped(game));
    };
    const check::RepairReport report = check::repair_database(arguments.only_database(), options);
    line.clear();
    fmt::print(stderr,
               "index, sums, facts, repetitions and counters made from {} games in {:.2f} s\n",
               grouped(report.games), line.seconds());
    const auto say = [](std::uint64_t count, const char* what) {
        if (count != 0) fmt::print(stderr, "{} {}\n", grouped(count), what);
    };
    say(report.cut, "games cut to their last good ply (see table import_error)");
    say(report.tags_lost, "games lost tag pairs (see table import_error)");
    say(report.annotations_lost, "games lost their comments (see table import_error)");
    say(report.numbers, "games got another number (see table import_error)");
    say(report.rows, "rows of games put right");
    say(report.columns, "names and values that were none put right");
    return kFound;
}

}  // namespace

Verb repair_verb() {
    return {"repair",
            "DB",
            "Makes a damaged database whole, from its games.\n"
            "Index, sums, facts, repetitions, ply rows, ledger and counters are written anew. A "
            "game that cannot\nbe replayed to its end is cut to its last good ply, and that is "
            "recorded as an error.",
            "fendex repair my.db",
            resource_options(),
            run_repair};
}

}  // namespace fendex::cli
