// A growing index: many small imports into a large database, what each costs, and what queries cost
// after them, compared with a database that one import has made of the same games.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "bench.hpp"
#include "chess/fen.hpp"
#include "positions.hpp"
#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::bench {

namespace {

/// A base of 450,000 games and 500 imports of 1,000 games, from an archive of 1,484,640 games. In a
/// smoke run and with a smaller archive, the numbers are scaled down.
constexpr std::uint64_t kAppends = 500;
constexpr std::uint64_t kSmokeAppends = 20;
constexpr std::uint64_t kArchive = 1'484'640;
constexpr std::uint64_t kBase = 450'000;
constexpr std::uint64_t kAppended = 1000;
/// Few positions after this ply are reached by many games.
constexpr std::uint32_t kOpeningPlies = 20;

/// Cuts an archive into files of so many games.
class GameCutter {
  public:
    explicit GameCutter(const std::string& archive)
        : source_(pgn::open_source(archive)), splitter_(*source_) {}

    void cut(std::uint64_t games, const std::string& to) {
        std::string text;
        while (games != 0) {
            if (next_ == batch_.extents.size()) {
                next_ = 0;
                if (!splitter_.next(batch_)) throw std::runtime_error("an archive is too small");
                continue;
            }
            const pgn::Extent& extent = batch_.extents[next_++];
            if (extent.kind != pgn::Extent::Kind::kGame) continue;
            text.append(batch_.text, extent.offset, extent.size).append("\n\n");
            --games;
        }
        write_text(to, text);
    }

  private:
    std::unique_ptr<pgn::ByteSource> source_;
    pgn::Splitter splitter_;
    pgn::Batch batch_;
    std::size_t next_ = 0;
};

/// Imports with the program; returns the milliseconds.
double import_with_program(const Bench& bench, const std::string& database,
                           const std::vector<std::string>& archives) {
    std::vector<std::string> command{bench.options.fendex,
                                     "import",
                                     database,
                                     "--ply-rows",
                                     "no",
                                     "--threads",
                                     std::to_string(bench.options.threads)};
    command.insert(command.end(), archives.begin(), archives.end());
    const std::string errors = bench.directory.file("stderr.txt");
    const ProgramRun run = bench.launcher.run(command, "/dev/null", errors);
    if (run.exit_status != 0) throw std::runtime_error("fendex import: " + read_text(errors));
    return run.seconds * 1e3;
}

/// Measures queries on a database: they return microseconds and set the number of games found.
class QueriedDatabase {
  public:
    explicit QueriedDatabase(const std::string& database)
        : reader_(store::file_store(database)->reader()), all_(*reader_), search_(*reader_, all_) {}

    double find(const chess::Position& position) {
        games = 0;
        const Stopwatch watch;
        search_.find(query::Question::of(position), [&](const query::Hit&) {
            ++games;
            return true;
        });
        return watch.seconds() * 1e6;
    }
    double tree(const chess::Position& position) {
        const Stopwatch watch;
        games = query::opening_tree(*reader_, search_, position, {}).total.games;
        return watch.seconds() * 1e6;
    }

    std::uint64_t games = 0;

  private:
    store::Reader reader_;
    query::GameMatcher all_;
    query::PositionSearch search_;
};

/// Runs the same queries on both databases, position by position.
void compare(Bench& bench, const std::string& name, QueriedDatabase& one, QueriedDatabase& many,
             double (QueriedDatabase::*query)(const chess::Position&),
             const std::vector<SampledPosition>& positions) {
    Percentiles of_one;
    Percentiles of_many;
    std::vector<double> ratios;
    // Every run looks up other positions; the first run warms up the caches.
    const std::size_t each = positions.size() / (bench.options.runs + 1);
    for (std::size_t run = 0; run <= bench.options.runs; ++run) {
        std::vector<double> times_one;
        std::vector<double> times_many;
        for (std::size_t i = run * each; i < (run + 1) * each; ++i) {
            const chess::Position& position = positions[i].position;
            times_one.push_back((one.*query)(position));
            times_many.push_back((many.*query)(position));
            if (one.games != many.games) {
                throw std::runtime_error("the databases have different games with " +
                                         chess::to_fen(position));
            }
        }
        if (run == 0) continue;
        of_one.add_run(times_one);
        of_many.add_run(times_many);
        ratios.push_back(percentile(times_many, 0.5) / percentile(times_one, 0.5));
    }
    of_one.report(bench.report, name + "-one-import", bench.inputs.tenfold().name, {});
    of_many.report(bench.report, name + "-appended", bench.inputs.tenfold().name, {});
    bench.report.add({name + "-appended-ratio", bench.inputs.tenfold().name, summarize(ratios),
                      "x one import", at_most(3)});
}

}  // namespace

void bench_appends(Bench& bench) {
    const Archive& archive = bench.inputs.tenfold();
    const auto share = [&](std::uint64_t games) {
        return std::max<std::uint64_t>(1, games * archive.census.games / kArchive);
    };
    const bool small = archive.census.games < kArchive / 10;
    const std::uint64_t appends = small ? kSmokeAppends : kAppends;
    const std::string name =
        fmt::format("{} x {} to {} games", appends, share(kAppended), share(kBase));
    const std::string base = bench.directory.file("base.pgn");
    const std::string part = bench.directory.file("part.pgn");
    const std::string all = bench.directory.file("all.pgn");
    const std::string appended_db = bench.directory.file("appended.db");
    const std::string fresh_db = bench.directory.file("fresh.db");
    const std::string once_db = bench.directory.file("once.db");
    GameCutter cutter(archive.path);
    cutter.cut(share(kBase), base);
    GameCutter(archive.path).cut(share(kBase) + appends * share(kAppended), all);
    import_with_program(bench, once_db, {all});
    import_with_program(bench, appended_db, {base});

    std::vector<double> times;
    std::vector<double> fresh;
    for (std::uint64_t i = 0; i < appends; ++i) {
        cutter.cut(share(kAppended), part);
        times.push_back(import_with_program(bench, appended_db, {part}));
        if (i % 10 != 0) continue;
        std::filesystem::remove(fresh_db);
        fresh.push_back(import_with_program(bench, fresh_db, {part}));
    }
    double sum = 0;
    for (const double time : times) sum += time;
    bench.report.add({"append", name, summarize(times), "ms", std::nullopt});
    bench.report.add({"append-mean", name, exactly(sum / static_cast<double>(times.size())), "ms",
                      std::nullopt});
    bench.report.add({"append-p99", name, exactly(percentile(times, 0.99)), "ms", std::nullopt});
    bench.report.add(
        {"append-fresh", "the same games alone", summarize(fresh), "ms", std::nullopt});

    const store::StoreInfo once = store::file_store(once_db)->reader()->info();
    const store::StoreInfo appended = store::file_store(appended_db)->reader()->info();
    if (once.fingerprint != appended.fingerprint)
        throw std::runtime_error("the databases have different games");
    const auto figure = [](std::uint64_t number) { return exactly(static_cast<double>(number)); };
    bench.report.add({"append-segments", name, figure(appended.index_pieces), "", std::nullopt});
    bench.report.add({"append-amplification", name,
                      exactly(static_cast<double>(appended.postings_written) /
                              static_cast<double>(appended.postings)),
                      "x", std::nullopt});
    bench.report.add(
        {"append-size", name,
         exactly(static_cast<double>(appended.bytes) / static_cast<double>(once.bytes)),
         "x one import", std::nullopt});

    QueriedDatabase one(once_db);
    QueriedDatabase many(appended_db);
    const std::size_t positions = (bench.options.runs + 1) * bench.options.positions;
    compare(bench, "find", one, many, &QueriedDatabase::find,
            sample_positions(bench, archive, positions, kOpeningPlies));
    compare(bench, "tree", one, many, &QueriedDatabase::tree,
            sample_positions(bench, archive, positions, 0));
    compare(bench, "tree-start", one, many, &QueriedDatabase::tree,
            std::vector<SampledPosition>(10 * (bench.options.runs + 1)));
    for (const std::string& database : {appended_db, once_db, fresh_db}) {
        std::filesystem::remove(database);
    }
}

}  // namespace fendex::bench
