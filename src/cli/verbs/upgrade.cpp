#include "store/sqlite/upgrade/upgrade.hpp"

#include <fmt/core.h>

#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/space.hpp"
#include "cli/output/stop_signal.hpp"
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

namespace {

int run_upgrade(const Arguments& arguments) {
    const std::string& database = arguments.only_database();
    store::UpgradeOptions options;
    store::UpgradePlan plan;
    ProgressLine line(arguments);
    options.announce = [&](const store::UpgradePlan& planned) {
        plan = planned;
        line.say(require_space(
            database, plan.bytes_needed,
            fmt::format("upgrading from format {} to {} ({}) needs up to {} more", plan.from,
                        plan.to, size_text(plan.bytes), size_text(plan.bytes_needed))));
    };
    options.progress = [&](double share) {
        if (line.due()) line.show(line.share_text(share) + "upgrading");
    };
    const StopSignal signal;
    options.stop = StopSignal::requested;
    const store::UpgradeReport report = store::upgrade_database(database, options);
    const double seconds = line.seconds();
    using End = store::UpgradeReport::End;
    if (report.end == End::kNothingToDo) {
        line.say(fmt::format("nothing to do: the database has format {} already", report.from));
        return kFound;
    }
    if (report.end == End::kStopped) {
        line.say(fmt::format("stopped: the database is unchanged, of format {}", report.from));
        return StopSignal::exit_status();
    }
    line.say(
        plan.from == plan.to
            ? fmt::format("openings, time controls and dates were read again in {:.2f} s", seconds)
            : fmt::format("upgraded from format {} to {} in {:.2f} s", plan.from, plan.to,
                          seconds));
    if (report.dropped_segments != 0) {
        line.say(
            fmt::format("{} of the index dropped: answers are right, but slow until "
                        "`fendex compact {}` has run",
                        counted(report.dropped_segments, "damaged segment"), database));
    }
    return kFound;
}

}  // namespace

Verb upgrade_verb() {
    return {"upgrade",
            "DB",
            "Converts a database of an earlier format in place.\n"
            "Databases of earlier formats can be read; to write to one, upgrade it first.\n"
            "Openings, time controls and dates that an earlier program has read otherwise are\n"
            "read again. It says first how much space it needs beside the database, and refuses\n"
            "if there is too little. It may be killed at any moment: the database is then\n"
            "unchanged.",
            "fendex upgrade my.db",
            {},
            run_upgrade};
}

}  // namespace fendex::cli
