// The games of an export, and the work on them spread over threads: batches in the order asked for,
// a reader for each thread, texts passed on in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chess/fen.hpp"
#include "chess/san_language.hpp"
#include "emit/byte_sink.hpp"
#include "store/store.hpp"

namespace fendex::emit {

/// Games in the order they are asked for: the first ones of a database, or those of a list.
class GameList {
  public:
    /// Games 1 to `last`.
    static GameList up_to(store::GameId last) { return GameList(1, last); }
    explicit GameList(std::vector<store::GameId> ids) : size_(ids.size()), ids_(std::move(ids)) {}

    std::uint64_t size() const { return size_; }
    store::GameId operator[](std::uint64_t i) const { return ids_ ? (*ids_)[i] : first_ + i; }
    /// `limit` games behind the first `offset` ones, or fewer where there are not so many.
    GameList part(std::uint64_t offset, std::uint64_t limit) const {
        offset = std::min(offset, size_);
        limit = std::min(limit, size_ - offset);
        if (!ids_) return GameList(first_ + offset, limit);
        const auto begin = ids_->begin() + static_cast<std::ptrdiff_t>(offset);
        return GameList(std::vector(begin, begin + static_cast<std::ptrdiff_t>(limit)));
    }

  private:
    GameList(store::GameId first, std::uint64_t size) : first_(first), size_(size) {}

    store::GameId first_ = 1;  // where there is no list
    std::uint64_t size_ = 0;
    std::optional<std::vector<store::GameId>> ids_;
};

struct GameBatch {
    std::uint64_t begin = 0;  // places in the list
    std::uint64_t end = 0;
};

/// What is exported, and how.
struct ExportJob {
    std::shared_ptr<store::Store> database;
    GameList games;
    unsigned threads = 1;
    chess::FenDialect dialect = chess::FenDialect::kStandard;  // of the FENs, where it has any
    chess::SanSpelling spelling = {};                          // of the moves
    bool header = true;                                        // CSV begins with the names
    /// Told how many games have been read, now and then, in the calling thread.
    std::function<void(std::uint64_t games)> progress = {};
};

/// Batches and the like on their way through a pipeline, for each thread.
inline constexpr std::size_t kItemsPerThread = 4;

/// A reader for each thread, opened by it.
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

/// The games of a batch in their order; those that are not there are left out.
void for_each_game(store::StoreReader& reader, const GameList& games, GameBatch batch,
                   const GameVisit& visit);
/// The same without tags.
void for_each_moves(store::StoreReader& reader, const GameList& games, GameBatch batch,
                    const MovesVisit& visit);

/// Writes the batches' texts in order. `append` is called in `job.threads` threads, with the number
/// of the thread.
void write_batches(const ExportJob& job,
                   const std::function<void(unsigned thread, store::StoreReader& reader,
                                            GameBatch batch, std::string& out)>& append,
                   ByteSink& sink);

/// Calls `work` for all batches in `job.threads` threads, in no order.
void for_each_batch(
    const ExportJob& job,
    const std::function<void(unsigned thread, store::StoreReader& reader, GameBatch batch)>& work);

}  // namespace fendex::emit
