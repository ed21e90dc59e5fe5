#include "emit/game_batches.hpp"

#include <algorithm>

#include "base/ordered_pipeline.hpp"

namespace fendex::emit {

namespace {

/// About 200 KiB of PGN.
constexpr std::uint64_t kGamesPerBatch = 256;

/// Returns a source of consecutive batches; it returns nullopt at the end.
auto batches_of(const GameList& games) {
    return [&games, begin = std::uint64_t{0}]() mutable -> std::optional<GameBatch> {
        if (begin == games.size()) return std::nullopt;
        const GameBatch batch{begin, std::min(begin + kGamesPerBatch, games.size())};
        begin = batch.end;
        return batch;
    };
}

void note_batch(const ExportJob& job, std::uint64_t& done) {
    done = std::min(done + kGamesPerBatch, job.games.size());
    if (job.progress) job.progress(done);
}

}  // namespace

std::vector<store::GameId> ids_of(const GameList& games, GameBatch batch) {
    std::vector<store::GameId> ids;
    ids.reserve(batch.end - batch.begin);
    for (std::uint64_t place = batch.begin; place < batch.end; ++place) ids.push_back(games[place]);
    return ids;
}

void for_each_game(store::StoreReader& reader, const GameList& games, GameBatch batch,
                   const GameVisit& visit) {
    std::uint64_t place = batch.begin;
    reader.games(ids_of(games, batch), [&](store::GameId id, const store::StoredGame& game) {
        while (games[place] != id) ++place;  // skips missing games
        visit(place++, id, game);
    });
}

void for_each_moves(store::StoreReader& reader, const GameList& games, GameBatch batch,
                    const MovesVisit& visit) {
    std::uint64_t place = batch.begin;
    reader.moves(ids_of(games, batch), [&](store::GameId id, const store::StoredMoves& moves) {
        while (games[place] != id) ++place;  // skips missing games
        visit(place++, id, moves);
    });
}

void write_batches(const ExportJob& job,
                   const std::function<void(unsigned thread, store::StoreReader& reader,
                                            GameBatch batch, std::string& out)>& append,
                   ByteSink& sink) {
    Readers readers(job);
    std::vector<std::size_t> sizes(job.threads);  // of the last text that each thread made
    base::run_ordered(
        job.threads, kItemsPerThread * job.threads, batches_of(job.games),
        [&](unsigned thread, GameBatch batch) {
            std::string text;
            text.reserve(sizes[thread] + sizes[thread] / 4);
            append(thread, readers.of(thread), batch, text);
            sizes[thread] = text.size();
            return text;
        },
        [&, done = std::uint64_t{0}](const std::string& text) mutable {
            sink.write(text);
            note_batch(job, done);
        });
}

void for_each_batch(
    const ExportJob& job,
    const std::function<void(unsigned thread, store::StoreReader& reader, GameBatch batch)>& work) {
    Readers readers(job);
    base::run_ordered(
        job.threads, kItemsPerThread * job.threads, batches_of(job.games),
        [&](unsigned thread, GameBatch batch) {
            work(thread, readers.of(thread), batch);
            return true;
        },
        [&, done = std::uint64_t{0}](bool) mutable { note_batch(job, done); });
}

}  // namespace fendex::emit
