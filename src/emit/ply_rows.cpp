#include "emit/ply_rows.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "emit/game_rows.hpp"
#include "emit/ply_row_writer.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

/// Sorts keys and removes duplicates.
void sort_keys(std::vector<std::uint64_t>& keys) {
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

/// The keys that one thread has collected, with most duplicates removed.
struct KeyCollection {
    static constexpr std::size_t kFirstSort = std::size_t{1} << 16;

    void add(std::uint64_t key) {
        keys.push_back(key);
        if (keys.size() < sort_at) return;
        sort_keys(keys);
        sort_at = std::max(kFirstSort, 2 * keys.size());
    }

    std::vector<std::uint64_t> keys;
    std::size_t sort_at = kFirstSort;
};

}  // namespace

std::uint64_t export_ply_rows(const ExportJob& job, const PlyRowChoice& choice, ByteSink& sink) {
    std::vector<std::string> names;
    for (const PlyColumn column : choice.columns) names.emplace_back(name_of(column));
    write_column_names(job, choice.format, names, sink);
    std::vector<PlyRowWriter> writers(
        job.threads, PlyRowWriter({choice.columns, choice.format, job.dialect, job.spelling}));
    std::atomic<std::uint64_t> rows = 0;
    write_batches(
        job,
        [&](unsigned thread, store::StoreReader& reader, GameBatch batch, std::string& out) {
            PlyRowWriter& writer = writers[thread];
            std::uint64_t of_batch = 0;
            const auto append = [&](store::GameId id, const store::StoredMoves& moves,
                                    const PlyRowWriter::Tags& tags) {
                WantedPlies wanted{std::nullopt, choice.mark, choice.drop};
                if (choice.sample != nullptr) wanted.only = choice.sample->of(id);
                of_batch += writer.append_rows(reader, id, moves, tags, wanted, out);
            };
            if (writer.needs_tags()) {
                for_each_game(reader, job.games, batch,
                              [&](std::uint64_t, store::GameId id, const store::StoredGame& game) {
                                  append(id, game.moves, game.tags);
                              });
            } else {
                for_each_moves(reader, job.games, batch,
                               [&](std::uint64_t, store::GameId id,
                                   const store::StoredMoves& moves) { append(id, moves, {}); });
            }
            rows += of_batch;
        },
        sink);
    return rows;
}

std::vector<std::uint64_t> keys_of_ply_rows(const ExportJob& job, const SampledPlies* sample,
                                            std::size_t memory_bytes) {
    // Divided by 2, because joining the collections needs room for each key twice. KeyMarks needs
    // less.
    const std::size_t most = memory_bytes / (2 * sizeof(std::uint64_t));
    std::vector<KeyCollection> collections(job.threads);
    for_each_batch(job, [&](unsigned thread, store::StoreReader& reader, GameBatch batch) {
        KeyCollection& collection = collections[thread];
        for_each_moves(reader, job.games, batch,
                       [&](std::uint64_t, store::GameId id, const store::StoredMoves& moves) {
                           replay::with_walk(id, moves, [&](auto& walk) {
                               const auto only = sample != nullptr
                                                     ? sample->of(id)
                                                     : std::span<const std::uint32_t>();
                               for (auto next = only.begin();; walk.advance()) {
                                   if (sample == nullptr) {
                                       collection.add(walk.position().key());
                                   } else if (next == only.end()) {
                                       break;
                                   } else if (*next == walk.ply()) {
                                       collection.add(walk.position().key());
                                       ++next;
                                   }
                                   if (walk.at_end()) break;
                               }
                           });
                       });
        if (collection.keys.size() > most / job.threads) {
            throw std::runtime_error(
                "the positions of the test part need more memory: give it with --memory, or "
                "choose fewer games");
        }
    });
    std::vector<std::uint64_t> keys;
    for (KeyCollection& each : collections) {
        keys.insert(keys.end(), each.keys.begin(), each.keys.end());
        each.keys = {};
    }
    sort_keys(keys);
    return keys;
}

}  // namespace fendex::emit
