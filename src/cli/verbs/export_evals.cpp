#include "cli/verbs/export_evals.hpp"

#include <fmt/core.h>

#include "base/unfinished.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/verbs/export_selection.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/byte_sink.hpp"
#include "emit/position_records.hpp"
#include "store/position_records.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

/// Throws for options that choose games, rows or formats of these.
void refuse_other_options(const Arguments& arguments) {
    if (fen_of_words(arguments)) throw UsageError("--evals writes evaluations of all positions");
    std::vector<std::string> others{"format", "columns", "min-games", "max-ply", "fen", "moves"};
    for (const Option& each : filter_options()) others.push_back(each.name);
    for (const std::string& option : others) {
        if (arguments.has(option)) {
            throw UsageError("--" + option + " is for games, and --evals writes evaluations");
        }
    }
}

}  // namespace

Option evals_option() {
    Option option = valued("evals", "WHICH",
                           "write evaluations and other records of positions, as EPD or as the "
                           "JSON lines of Lichess, instead of games");
    option.choices = {"epd", "jsonl"};
    return option;
}

int run_export_evals(const Arguments& arguments) {
    refuse_other_options(arguments);
    const std::string output = arguments.find("output").value_or("-");
    const std::shared_ptr<store::Store> store = store_at(arguments, arguments.database());
    const store::Reader reader = store->reader();
    store::PositionRecords* const records = reader->records();
    ProgressLine progress(arguments);
    if (records == nullptr || records->count() == 0) {
        progress.say("this database has no evaluations; fendex import adds them");
        return kNothingFound;
    }
    const auto format =
        arguments.get("evals") == "epd" ? emit::RecordsAs::kEpd : emit::RecordsAs::kJsonLines;
    const base::RemoveFileOnSignal tidy;
    try {
        const std::unique_ptr<emit::ByteSink> sink = emit::open_sink(output, threads_of(arguments));
        const auto total = static_cast<double>(records->count());
        const std::uint64_t count =
            emit::export_records(*records, format, *sink, [&](std::uint64_t done) {
                if (!progress.due()) return;
                progress.show(progress.share_text(static_cast<double>(done) / total) +
                              grouped(done) + " records");
            });
        sink->finish();
        progress.say(fmt::format("{} in {:.2f} s", counted(count, "record"), progress.seconds()));
    } catch (const emit::SinkClosed&) {
        throw BrokenPipe{};
    }
    return kFound;
}

}  // namespace fendex::cli
