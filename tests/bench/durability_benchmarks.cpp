// The cost of losing nothing: waiting for the disk, and resuming after a kill; and an import of
// more data than fits into memory.
#include <fmt/core.h>
#include <signal.h>  // kill() is in no C++ header
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "bench.hpp"
#include "import_runs.hpp"
#include "store/store.hpp"
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
    if (store::Store::at(database)->reader()->info().fingerprint != fingerprint) {
        throw std::runtime_error(archive.name + ": the resumed import made another database");
    }
    return seconds;
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
                fingerprint = store::Store::at(path)->reader()->info().fingerprint;
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
    const std::uint64_t games = bench.inputs.options().games * 45;
    const std::string path = bench.directory.file("stream.db");
    const std::string pipe = bench.directory.file("stream.pipe");
    const std::string errors = bench.directory.file("stderr.txt");
    if (::mkfifo(pipe.c_str(), 0600) != 0) throw std::runtime_error(pipe + ": cannot be made");
    remove_database(path);
    // The shell execs the program, so that the program's peak memory is measured.
    const ProgramRun run =
        bench.launcher.run({"/bin/sh", "-c",
                            "\"$0\" --games \"$1\" --openings \"$2\" -o \"$3\" & "
                            "exec \"$4\" import \"$5\" - --ply-rows no --memory 256M < \"$3\"",
                            bench.options.generate, std::to_string(games), bench.inputs.openings(),
                            pipe, bench.options.fendex, path},
                           "/dev/null", errors);
    if (run.exit_status != 0 || store::Store::at(path)->reader()->info().games != games) {
        throw std::runtime_error("stream: " + read_text(errors));
    }
    bench.report.add({"stream-256M", fmt::format("{} games", games),
                      exactly(static_cast<double>(run.peak_bytes) / 1e6), "MB",
                      at_most(256 * 1.048576 + 150)});
    remove_database(path);
}

}  // namespace fendex::bench
