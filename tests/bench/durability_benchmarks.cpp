// The cost of losing nothing: waiting for the disk, and resuming after a kill; and an import of
// more data than fits into memory.
#include <fmt/core.h>
#include <signal.h>  // kill() is in no C++ header
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "bench.hpp"
#include "import_runs.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/failing_vfs.hpp"

namespace fendex::bench {

namespace {

using ingest::PlyRowChoice;

/// Imports in a child process, which is killed when this share of the archive has been read.
void import_and_kill(const Bench& bench, const Archive& archive, double share,
                     const std::string& database) {
    remove_database(database);
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        ingest::ImportOptions options = import_options(bench, PlyRowChoice::kNo);
        options.progress = [&](const ingest::ImportProgress& progress) {
            if (static_cast<double>(progress.bytes) >=
                share * static_cast<double>(progress.total_bytes)) {
                ::kill(::getpid(), SIGKILL);
            }
        };
        try {
            ingest::import_files(database, {archive.path}, options);
        } catch (const std::exception&) {
        }
        ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) throw std::runtime_error("an import was not killed in time");
}

/// Returns the seconds of the import that resumes.
double resume(const Bench& bench, const Archive& archive, std::uint64_t fingerprint,
              const std::string& database) {
    const Stopwatch watch;
    ingest::import_files(database, {archive.path}, import_options(bench, PlyRowChoice::kNo));
    const double seconds = watch.seconds();
    if (store::file_store(database)->reader()->info().fingerprint != fingerprint) {
        throw std::runtime_error(archive.name + ": the resumed import made another database");
    }
    return seconds;
}

/// Reports the peak memory of the import of a stream of games, which a shell command writes.
void measure_stream(Bench& bench, const std::string& name, const std::string& producer,
                    std::uint64_t games, unsigned mib) {
    const std::string path = bench.directory.file("stream.db");
    const std::string pipe = bench.directory.file("stream.pipe");
    const std::string errors = bench.directory.file("stderr.txt");
    std::filesystem::remove(pipe);
    if (::mkfifo(pipe.c_str(), 0600) != 0) throw std::runtime_error(pipe + ": cannot be made");
    remove_database(path);
    // The shell execs the program, so that the program's peak memory is measured.
    const ProgramRun run =
        bench.launcher.run({"/bin/sh", "-c",
                            "GENERATE=$0 GAMES=$1 OPENINGS=$2; { " + producer +
                                "; } > \"$3\" & exec \"$4\" import \"$5\" - --ply-rows no "
                                "--memory \"$6\" < \"$3\"",
                            bench.options.generate, std::to_string(games), bench.inputs.openings(),
                            pipe, bench.options.fendex, path, std::to_string(mib) + "M"},
                           "/dev/null", errors);
    if (run.exit_status != 0 || store::file_store(path)->reader()->info().games != games) {
        throw std::runtime_error(name + ": " + read_text(errors));
    }
    bench.report.add({fmt::format("{}-{}M", name, mib), fmt::format("{} games", games),
                      exactly(static_cast<double>(run.peak_bytes) / 1e6), "MB",
                      at_most(most_megabytes(mib))});
    remove_database(path);
}

}  // namespace

void bench_durable(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string path = bench.directory.file("import.db");
    const auto durable = [&] { return import_archive(bench, human, PlyRowChoice::kNo, path); };
    const auto not_waiting = [&] {
        const test::FailingVfs no_syncs;
        return durable();
    };
    const Pairs pairs(bench.options.runs, not_waiting, durable);
    bench.report.add({"import-durable", human.name, summarize(pairs.second), "s", std::nullopt});
    bench.report.add({"import-durable-ratio", human.name, summarize(pairs.ratios),
                      "x without syncs", at_most(1.15)});
    remove_database(path);
}

void bench_resume(Bench& bench) {
    const std::string path = bench.directory.file("resume.db");
    for (const Archive* archive : {&bench.inputs.tenfold(), &bench.inputs.tenfold_zst()}) {
        std::uint64_t fingerprint = 0;
        const Pairs pairs(
            bench.options.runs,
            [&] {
                const double seconds = import_archive(bench, *archive, PlyRowChoice::kNo, path);
                fingerprint = store::file_store(path)->reader()->info().fingerprint;
                return seconds;
            },
            [&] {
                import_and_kill(bench, *archive, 0.9, path);
                return resume(bench, *archive, fingerprint, path);
            });
        const std::string suffix = archive->name.ends_with(".zst") ? "-zst" : "";
        bench.report.add(
            {"resume" + suffix, archive->name, summarize(pairs.second), "s", std::nullopt});
        bench.report.add({"resume-ratio" + suffix, archive->name, summarize(pairs.ratios),
                          "x whole import", at_most(0.25)});
    }
    remove_database(path);
}

void bench_stream(Bench& bench) {
    // More than 4 GiB if human() has its 148,464 games.
    const std::uint64_t made_up = bench.inputs.options().games * 45;
    const std::string make = "\"$GENERATE\" --games \"$GAMES\" --openings \"$OPENINGS\" -o -";
    // As many games as possible in a text.
    const std::uint64_t short_games = bench.inputs.options().games * 40;
    const std::string repeat = "yes '1. e4 *' | head -n \"$GAMES\"";
    for (const unsigned mib : {64U, 256U, 1024U}) {
        measure_stream(bench, "stream", make, made_up, mib);
        measure_stream(bench, "short", repeat, short_games, mib);
    }
}

}  // namespace fendex::bench
