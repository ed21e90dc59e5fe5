#include <fmt/core.h>

#include <chrono>
#include <filesystem>

#include "cli/output.hpp"
#include "cli/resources.hpp"
#include "cli/verbs.hpp"
#include "emit/byte_sink.hpp"
#include "emit/game_batches.hpp"
#include "emit/pgn_game.hpp"

namespace fendex::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// The database is never written to, by whatever name it is reached.
void refuse_database_as_output(const std::string& database, const std::string& output) {
    for (const char* part : {"", "-wal", "-shm", "-journal"}) {
        std::error_code error;
        if (std::filesystem::equivalent(database + part, output, error)) {
            throw UsageError("'" + output + "' is the database itself");
        }
    }
}

void export_pgn(const emit::ExportJob& job, emit::ByteSink& sink) {
    emit::write_batches(
        job,
        [&](unsigned, store::StoreReader& reader, emit::GameBatch batch, std::string& out) {
            emit::for_each_game(
                reader, job.games, batch,
                [&](std::uint64_t, store::GameId id, const store::StoredGame& game) {
                    emit::append_pgn(id, game, out);
                });
        },
        sink);
}

int run_export(const Arguments& arguments) {
    const std::string& database = arguments.database();
    if (arguments.words().size() > 1) {
        throw UsageError("'" + arguments.words()[1] + "': a file to write to is given with -o");
    }
    const std::string output = arguments.find("output").value_or("-");
    refuse_database_as_output(database, output);
    const Clock::time_point start = Clock::now();
    emit::ExportJob job{database, emit::GameList::up_to(store::open_reader(database)->info().games),
                        threads_of(arguments)};
    try {
        const std::unique_ptr<emit::ByteSink> sink = emit::open_sink(output, job.threads);
        export_pgn(job, *sink);
        sink->finish();
    } catch (const emit::SinkClosed&) {
        throw BrokenPipe{};
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    fmt::print(stderr, "{} games in {:.2f} s\n", grouped(job.games.size()), seconds);
    return kFound;
}

}  // namespace

Verb export_verb() {
    Option output = valued("output", "FILE",
                           "write to this file; .zst and .gz are compressed (default: standard "
                           "output)");
    output.letter = 'o';
    return {"export",
            "DB",
            "Writes games out.",
            "fendex export my.db -o all.pgn.zst",
            joined({{output}, resource_options()}),
            run_export};
}

}  // namespace fendex::cli
