// The games of an export, and its work spread over threads: batches in the given order, a reader
// for each thread, and texts written in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chess/fen.hpp"
#include "chess/san_language.hpp"
#include "emit/byte_sink.hpp"
#include "store/store.hpp"

namespace fendex::emit {

class TagChanges;

/// The games to export, in order: all up to a number, or those of a list.
class GameList {
  public:
    /// Games 1 to `last`.
    static GameList up_to(store::GameId last) { return {1, last}; }
    explicit GameList(std::vector<store::GameId> ids) : size_(ids.size()), ids_(std::move(ids)) {}

    std::uint64_t size() const { return size_; }
    store::GameId operator[](std::uint64_t i) const { return ids_ ? (*ids_)[i] : first_ + i; }
    /// Returns `limit` games after the first `offset` ones, or fewer if the list ends.
    GameList page(std::uint64_t offset, std::uint64_t limit) const {
        offset = std::min(offset, size_);
        limit = std::min(limit, size_ - offset);
        if (!ids_) return {first_ + offset, limit};
        const auto begin = ids_->begin() + static_cast<std::ptrdiff_t>(offset);
        return GameList(std::vector(begin, begin + static_cast<std::ptrdiff_t>(limit)));
    }

  private:
    GameList(store::GameId first, std::uint64_t size) : first_(first), size_(size) {}

    store::GameId first_ = 1;  // used if there is no list
    std::uint64_t size_ = 0;
    std::optional<std::vector<store::GameId>> ids_;
};

struct GameBatch {
    std::uint64_t begin = 0;  // indexes in the list
    std::uint64_t end = 0;
};

/// The games of an export and its options.
struct ExportJob {
    std::shared_ptr<store::Store> database;
    GameList games;
    unsigned threads = 1;
    chess::FenDialect dialect = chess::FenDialect::kStandard;  // of the FENs, if there are any
    chess::SanSpelling spelling = {};                          // of the moves
    bool header = true;                                        // CSV begins with column names
    std::shared_ptr<const TagChanges> tags = {};               // null: as they are stored
    /// Called now and then in the calling thread with the number of games that have been read.
    std::function<void(std::uint64_t games)> progress = {};
};

/// Items per thread that may be in the pipeline at once.
inline constexpr std::size_t kItemsPerThread = 4;

/// A reader for each thread, which the thread opens itself.
class Readers {
  public:
    explicit Readers(const ExportJob& job) : database_(job.database), readers_(job.threads) {}

    store::StoreReader& of(unsigned thread) {
        if (!readers_[thread]) readers_[thread] = database_->reader();
        return *readers_[thread];
    }

  private:
    std::shared_ptr<store::Store> database_;
    std::vector<store::Reader> readers_;
};

std::vector<store::GameId> ids_of(const GameList& games, GameBatch batch);

using GameVisit =
    std::function<void(std::uint64_t place, store::GameId id, const store::StoredGame& game)>;
using MovesVisit =
    std::function<void(std::uint64_t place, store::GameId id, const store::StoredMoves& moves)>;

/// Calls visit() for the games of a batch in order; missing games are skipped.
void for_each_game(store::StoreReader& reader, const GameList& games, GameBatch batch,
                   const GameVisit& visit);
/// Like for_each_game(), but without tags.
void for_each_moves(store::StoreReader& reader, const GameList& games, GameBatch batch,
                    const MovesVisit& visit);

/// Writes the texts of the batches in order. `append` is called in `job.threads` threads, with the
/// index of the thread.
void write_batches(const ExportJob& job,
                   const std::function<void(unsigned thread, store::StoreReader& reader,
                                            GameBatch batch, std::string& out)>& append,
                   ByteSink& sink);

/// Calls `work` for all batches in `job.threads` threads, in any order.
void for_each_batch(
    const ExportJob& job,
    const std::function<void(unsigned thread, store::StoreReader& reader, GameBatch batch)>& work);

}  // namespace fendex::emit
