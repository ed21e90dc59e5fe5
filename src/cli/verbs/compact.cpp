#include "upkeep/compact.hpp"

#include <fmt/core.h>

#include "cli/options/resources.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/space.hpp"
#include "cli/output/stop_signal.hpp"
#include "cli/verbs/verbs.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

void announce(const std::string& database, const upkeep::CompactPlan& plan, ProgressLine& line) {
    if (!plan.vacuum) return;
    line.say(
        require_space(database, plan.bytes_needed,
                      fmt::format("compacting {} ({}) needs up to {} more",
                                  counted(plan.before.index_pieces, "segment"),
                                  size_text(plan.before.bytes), size_text(plan.bytes_needed))));
}

int run_compact(const Arguments& arguments) {
    const std::string& database = arguments.only_database();
    // Refuses a file that is not a database; a writer would create one.
    store::file_store(database)->require_readable();
    upkeep::CompactOptions options;
    options.threads = threads_of(arguments);
    options.memory_bytes = memory_of(arguments);
    upkeep::CompactPlan plan;
    ProgressLine line(arguments);
    options.announce = [&](const upkeep::CompactPlan& planned) {
        plan = planned;
        announce(database, plan, line);
    };
    options.progress = [&](upkeep::CompactPhase phase, double share) {
        if (!line.due()) return;
        line.show(phase == upkeep::CompactPhase::kVacuum ? "copying the database"
                                                         : line.share_text(share) + "indexing");
    };
    const StopSignal signal;
    options.stop = StopSignal::requested;
    const bool done = upkeep::compact(database, options);
    const double seconds = line.seconds();
    if (!done) {
        line.say("stopped: nothing is lost; the same command begins again");
        return StopSignal::exit_status();
    }
    if (!plan.vacuum) {
        line.say(fmt::format("nothing to do: {}, no free pages",
                             counted(plan.before.index_pieces, "segment")));
        return kFound;
    }
    const store::StoreInfo after = store::file_store(database)->reader()->info();
    line.say(fmt::format("{} (were {}), {} (were {}) in {:.2f} s",
                         counted(after.index_pieces, "segment"), grouped(plan.before.index_pieces),
                         size_text(after.bytes), size_text(plan.before.bytes), seconds));
    return kFound;
}

}  // namespace

Verb compact_verb() {
    return {"compact",
            "DB",
            "Merges the index and shrinks the file.\n"
            "This is worth its time after many imports or deletions. It says first how much\n"
            "space it needs beside the database, and refuses if there is too little. It may be\n"
            "killed at any moment: the database stays whole.",
            "fendex compact my.db",
            joined({{progress_option()}, resource_options()}),
            run_compact};
}

}  // namespace fendex::cli
