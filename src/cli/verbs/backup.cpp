#include "upkeep/backup.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>

#include "cli/options/resources.hpp"
#include "cli/options/say.hpp"
#include "cli/output/output.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/output/space.hpp"
#include "cli/output/stop_signal.hpp"
#include "cli/verbs/verbs.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::cli {

namespace {

/// Disk space for a compacted copy: compacting writes two files, each at most as large as the copy.
constexpr std::uint64_t kCompactFactor = 3;

/// Returns the file to copy to. Throws UsageError unless the words are a database and a file.
const std::string& target_of(const Arguments& arguments) {
    arguments.database();
    const auto& words = arguments.words();
    if (words.size() < 2) {
        throw UsageError("which file should hold the copy? fendex backup " + words[0] +
                         " FILE; an earlier backup in it is replaced");
    }
    if (words.size() > 2) throw UsageError("'" + words[2] + "': a backup takes one FILE");
    if (words[1] == "-") {
        throw UsageError(
            "a backup is checked before it gets its name, so it must go to a file, not to -");
    }
    return words[1];
}

void announce_copy(const std::string& database, const std::string& target, bool compacted,
                   ProgressLine& line) {
    const std::uint64_t bytes = store::file_store(database)->reader()->info().bytes;
    std::string directory = std::filesystem::path(target).parent_path().string();
    if (directory.empty()) directory = ".";
    if (!std::filesystem::is_directory(directory)) {
        throw UsageError("'" + directory + "' is not a directory: create it first");
    }
    const std::uint64_t needed = compacted ? kCompactFactor * bytes : bytes;
    line.say(require_space(directory, needed, "the copy needs up to " + size_text(needed)));
}

void show(upkeep::BackupPhase phase, double share, ProgressLine& line) {
    if (!line.due()) return;
    const char* const doing = phase == upkeep::BackupPhase::kCopying      ? "copying"
                              : phase == upkeep::BackupPhase::kCompacting ? "compacting the copy"
                                                                          : "checking the copy";
    line.show(fmt::format("{}: {:.0f} %", doing, 100 * share));
}

/// Prints why the copy was discarded; returns the exit status.
int report_damage(const std::string& database, const upkeep::Findings& findings) {
    constexpr std::size_t kShown = 3;
    const auto& listed = findings.listed();
    for (std::size_t i = 0; i < std::min(kShown, listed.size()); ++i) {
        say(fmt::format("{}: {}", listed[i].kind, listed[i].message));
    }
    say(fmt::format(
        "the copy was discarded, because it is damaged, as '{0}' is; see 'fendex check {0}', and "
        "'fendex repair'",
        database));
    return kError;
}

int run_backup(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const std::string& target = target_of(arguments);
    upkeep::BackupOptions options;
    options.compact = arguments.has("compact");
    options.threads = threads_of(arguments);
    options.memory_bytes = memory_of(arguments);
    upkeep::require_replaceable(database, target);
    ProgressLine line(arguments);
    announce_copy(database, target, options.compact, line);
    options.progress = [&](upkeep::BackupPhase phase, double share) { show(phase, share, line); };
    const StopSignal signal;
    options.stop = StopSignal::requested;
    const upkeep::BackupReport report = upkeep::back_up(database, target, options);
    if (report.stopped) {
        line.say("stopped: there is no new copy; an earlier one is unchanged");
        return StopSignal::exit_status();
    }
    line.clear();
    if (!report.findings.empty()) return report_damage(database, report.findings);
    line.say(fmt::format("{}, {}, copied to '{}' and checked in {:.2f} s",
                         counted(report.games, "game"), size_text(report.bytes), printable(target),
                         line.seconds()));
    return kFound;
}

}  // namespace

Verb backup_verb() {
    return {"backup",
            "DB FILE",
            "Copies a database while others read and write it.\n"
            "The copy is the database as it was at one moment, in one file. It is checked as\n"
            "'check' does it. Only then does it become FILE and replace an earlier backup. If\n"
            "it is stopped or killed, or fails, the earlier backup is still there.",
            "fendex backup my.db my-backup.db",
            joined({{flag("compact",
                          "compact the copy, which takes longer and gives the smallest file"),
                     progress_option()},
                    resource_options()}),
            run_backup};
}

}  // namespace fendex::cli
