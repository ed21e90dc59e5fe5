#include "clickhouse/push.hpp"

#include <fmt/core.h>

#include <optional>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "base/stop_check.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/say.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/stop_signal.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "store/capability.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

std::uint64_t per_second(std::uint64_t number, double seconds) {
    return static_cast<std::uint64_t>(static_cast<double>(number) / seconds);
}

void show_push(ProgressLine& line, const clickhouse::PushProgress& progress) {
    if (StopSignal::requested()) throw base::Stopped();
    if (!line.due()) return;
    if (progress.phase == clickhouse::PushProgress::Phase::kSumming) {
        line.show(grouped(progress.games) + " games sent, summing up");
        return;
    }
    if (progress.phase == clickhouse::PushProgress::Phase::kJoining) {
        line.show(grouped(progress.games) + " games sent, joining pushes");
        return;
    }
    std::string share;
    if (progress.total_games != 0) {
        share = line.share_text(static_cast<double>(progress.games) /
                                static_cast<double>(progress.total_games));
    }
    line.show(share + grouped(per_second(progress.postings, line.seconds())) + " positions/s, " +
              counted(progress.games, "game"));
}

void print_pushed(const clickhouse::PushSummary& summary, bool interrupted, double seconds,
                  Output output) {
    json::append_line(output.buffer(), [&](json::Object& object) {
        object.add("origin", std::uint64_t{summary.origin});
        object.add("games", summary.games);
        object.add("plies", summary.plies);
        object.add("postings", summary.postings);
        object.add("taken_back", summary.taken_back);
        object.add("records", summary.records.value_or(0));
        object.add("nothing_new", summary.nothing_new);
        object.add("mended", summary.mended);
        object.add("away", summary.away);
        object.add("replaced_pushes", summary.replaced_pushes);
        object.add("replaced_games", summary.replaced_games);
        object.add("not_tidied", summary.not_tidied);
        object.add("seconds", json::Fixed{seconds, 3});
        object.add("interrupted", interrupted);
    });
    output.flush();
}

int run_check_of_push(const Arguments& arguments, const clickhouse::Url& url) {
    ProgressLine line(arguments);
    const std::shared_ptr<store::Store> database = store::file_store(arguments.database());
    const clickhouse::PushCheck check =
        clickhouse::check_push(*database, {url, password_of(arguments)});
    if (format_of(arguments) == Format::kJson) {
        Output output(arguments);
        json::append_line(output.buffer(), [&](json::Object& object) {
            object.add("same", check.differences.empty());
            object.add("differences", check.differences);
            object.add("origin", std::uint64_t{check.origin});
            object.add("pushes", check.pushes);
            object.add("games", check.games);
            object.add("postings", check.postings);
            object.add("seconds", json::Fixed{line.seconds(), 3});
        });
        output.flush();
    }
    for (const std::string& difference : check.differences) say(difference);
    line.say(fmt::format(
        "{}: {}, {}, {} compared in {:.2f} s",
        check.differences.empty() ? "the same" : counted(check.differences.size(), "difference"),
        counted(check.games, "game"), counted(check.postings, "posting"),
        counted(check.pushes, "push", "pushes"), line.seconds()));
    return check.differences.empty() ? kFound : kError;
}

int run_push(const Arguments& arguments) {
    const std::vector<std::string>& words = arguments.words();
    const std::string& location = arguments.database();
    if (clickhouse::is_url(location)) {
        throw UsageError("'" + location +
                         "' is a cluster, but the database comes first: fendex "
                         "push my.db clickhouse://host/chess");
    }
    if (words.size() != 2) {
        throw UsageError("push where? Give a database and a URL: fendex push " + location +
                         " clickhouse://host/chess");
    }
    if (!clickhouse::is_url(words[1])) {
        throw UsageError("'" + words[1] +
                         "' is not a URL of ClickHouse: clickhouse://host:8123/database");
    }
    const clickhouse::Url url = clickhouse::parse_url(words[1]);
    if (arguments.has("check")) return run_check_of_push(arguments, url);
    const Format format = format_of(arguments);
    clickhouse::PushOptions options;
    options.password = password_of(arguments);
    options.cluster = arguments.find("cluster").value_or("");
    options.replace = arguments.has("replace");
    options.threads = threads_of(arguments);

    const StopSignal signal;
    ProgressLine line(arguments);
    options.progress = [&](const clickhouse::PushProgress& each) { show_push(line, each); };
    const std::shared_ptr<store::Store> database = store::file_store(location);
    std::optional<clickhouse::PushSummary> done;  // empty: interrupted
    try {
        done = clickhouse::push_database(*database, url, options);
    } catch (const base::Stopped&) {
        done.reset();
    }
    const double seconds = line.seconds();
    line.clear();
    const bool interrupted = !done;
    const clickhouse::PushSummary summary = done.value_or(clickhouse::PushSummary{});
    if (interrupted) {
        say("interrupted: incomplete parts do not count; the same command sends them again");
    } else if (summary.nothing_new) {
        line.say("nothing new: the cluster has all games");
    } else {
        line.say(fmt::format(
            "{}, {}{} sent{} in {:.2f} s ({} positions/s); origin: {}",
            counted(summary.games, "game"), counted(summary.postings, "position"),
            summary.records ? ", " + counted(*summary.records, "record") + " of positions" : "",
            summary.taken_back == 0
                ? ""
                : ", " + counted(summary.taken_back, "deleted game") + " taken back",
            seconds, grouped(per_second(summary.postings, seconds)), summary.origin));
    }
    if (summary.replaced_pushes != 0) {
        line.say(fmt::format("replaced {} with {}; a push in ten minutes or later removes {} rows",
                             counted(summary.replaced_pushes, "push", "pushes"),
                             counted(summary.replaced_games, "game"),
                             summary.replaced_pushes == 1 ? "its" : "their"));
    }
    if (!summary.not_tidied.empty()) {
        say("all is stored, but not joined with earlier pushes; the next one tries again: " +
            summary.not_tidied);
    }
    for (const std::string& lost : summary.mended) line.say(lost + ": sent again");
    for (const std::string& replica : summary.away) {
        line.say("replica " + replica + " does not answer; it copies the rows when it is back");
    }
    if (format == Format::kJson) print_pushed(summary, interrupted, seconds, Output(arguments));
    return interrupted ? StopSignal::exit_status() : kFound;
}

}  // namespace

Verb push_verb() {
    return {
        "push",
        "DB URL",
        "Sends a database to ClickHouse, where several servers answer.\n"
        "URL is clickhouse://[USER@]HOST[:PORT]/DATABASE, or clickhouses:// for TLS. Tables are\n"
        "made if they are missing. The same command sends games that were imported since, and\n"
        "takes back those that were deleted; it sends all evaluations, and other records of\n"
        "positions, when they have changed. Each game arrives once: if a push was\n"
        "interrupted, run it again. Databases are told apart by their id; the games of the\n"
        "first one that is pushed keep their numbers, those of the next one (origin 1) get\n"
        "1099511627776 (2^40) added, and so on.\n"
        "--format json prints an object: origin, games, plies, postings, taken_back, records,\n"
        "nothing_new, mended (what was lost and sent again), away (replicas that did not\n"
        "answer), replaced_pushes and replaced_games (by --replace), not_tidied (why pushes\n"
        "were not joined), seconds, interrupted; with --check: same, differences, origin,\n"
        "pushes, games, postings, seconds.\n"
        "A cluster does not answer " +
            store::capability_names() + ".",
        "fendex push my.db clickhouse://localhost:8123/chess",
        {valued("cluster", "NAME",
                "make the tables on all servers of this cluster, as ClickHouse's configuration "
                "names it; later pushes need not name it"),
         password_file_option(),
         flag("check",
              "send nothing, but compare counts and fingerprints of both sides, and the sources of "
              "records; the exit status "
              "is 2 if they differ"),
         flag("replace",
              "send all games and records again, in place of those that were pushed from the "
              "database before"),
         threads_option(), format_option({"table", "json"}), progress_option()},
        run_push};
}

}  // namespace fendex::cli
