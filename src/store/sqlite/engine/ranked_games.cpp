#include "store/sqlite/engine/ranked_games.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "base/in_parallel.hpp"
#include "store/game_chunks.hpp"

namespace fendex::store {

namespace {

/// With fewer games for each chunk of the database, not all games are looked at.
constexpr std::uint64_t kFewInChunk = 16;
/// A thread is begun only for at least so many chunks.
constexpr std::size_t kChunksPerThread = 4;

/// A RankedGame in half the memory.
struct RankedNumber {
    std::uint32_t rank = 0;
    std::uint32_t game = 0;

    bool operator<(const RankedNumber& other) const {
        return rank != other.rank ? rank > other.rank : game < other.game;
    }
};

/// Keeps the first `most` games that come after `after`. Of equal ranks the earlier game comes
/// first.
class FirstGames {
  public:
    FirstGames(std::optional<RankedGame> after, std::size_t most) : after_(after), most_(most) {}

    /// Returns the least rank of a game that can be among the first, after those offered so far.
    [[nodiscard]] std::uint64_t least() const { return least_; }
    /// Games must ascend.
    void offer(std::uint32_t game, std::uint32_t rank) {
        if (rank < least_ || (after_ && !(*after_ < RankedGame{rank, game}))) return;
        ranked_.push_back({rank, game});
        if (ranked_.size() / 2 > most_) keep_first();
    }
    void add(const FirstGames& other) {
        ranked_.insert(ranked_.end(), other.ranked_.begin(), other.ranked_.end());
    }
    std::vector<RankedGame> take() {
        keep_first();
        std::sort(ranked_.begin(), ranked_.end());
        std::vector<RankedGame> out;
        out.reserve(ranked_.size());
        for (const auto& [rank, game] : ranked_) out.push_back({rank, game});
        return out;
    }

  private:
    void keep_first() {
        if (ranked_.size() <= most_) return;
        const auto end = ranked_.begin() + static_cast<std::ptrdiff_t>(most_);
        std::nth_element(ranked_.begin(), end - 1, ranked_.end());
        ranked_.erase(end, ranked_.end());
        least_ = std::uint64_t{ranked_.back().rank} + 1;
    }

    std::optional<RankedGame> after_;
    std::size_t most_;
    std::vector<RankedNumber> ranked_;
    std::uint64_t least_ = 0;
};

/// Reads the ranks of games.
class Ranks {
  public:
    Ranks(LocalReader& reader, GameOrder order) : reader_(reader), order_(order) {}

    /// Calls visit(game, rank) for games, which ascend and are of one chunk. If many are wanted,
    /// whole columns are decoded.
    template <typename Visit>
    void for_each(std::span<const std::uint32_t> games, Visit visit) {
        constexpr std::size_t kWorthColumns = 256;
        if (games.size() < kWorthColumns) {
            for (const std::uint32_t game : games) visit(game, of(game, 1).front());
            return;
        }
        const std::uint32_t first = games.front();
        const std::span<const std::uint32_t> ranks = of(first, games.back() - first + 1);
        for (const std::uint32_t game : games) visit(game, ranks[game - first]);
    }

    /// Returns the ranks of games of one chunk, which are valid until the next call.
    std::span<const std::uint32_t> of(GameId first, std::size_t games) {
        const std::span<std::uint32_t> out = std::span(ranks_).first(games);
        switch (order_) {
            case GameOrder::kDate: reader_.column(GameColumn::kDate, first, out); break;
            case GameOrder::kPlies: reader_.column(GameColumn::kPlies, first, out); break;
            case GameOrder::kElo: {
                const std::span<std::uint32_t> of_black = std::span(of_black_).first(games);
                reader_.column(GameColumn::kWhiteElo, first, out);
                reader_.column(GameColumn::kBlackElo, first, of_black);
                for (std::size_t i = 0; i < games; ++i) out[i] += of_black[i];
                break;
            }
            case GameOrder::kId: std::ranges::fill(out, 0U); break;
        }
        return out;
    }

  private:
    LocalReader& reader_;
    GameOrder order_;
    std::array<std::uint32_t, codec::kGamesPerChunk> ranks_{};
    std::array<std::uint32_t, codec::kGamesPerChunk> of_black_{};
};

}  // namespace

std::vector<RankedGame> ranks_of_games(LocalReader& reader, GameOrder order,
                                       std::span<const std::uint32_t> games,
                                       base::StopCheck& stop) {
    std::vector<RankedGame> out;
    out.reserve(games.size());
    Ranks ranks(reader, order);
    while (!games.empty()) {
        stop();
        ranks.for_each(take_games_before(end_of_chunk(games.front()), games),
                       [&](std::uint32_t game, std::uint32_t rank) {
                           out.push_back({rank, game});
                       });
    }
    return out;
}

std::vector<RankedGame> first_games(LocalReader& reader, GameOrder order,
                                    std::span<const std::uint32_t> games,
                                    const std::optional<RankedGame>& after, std::size_t most,
                                    base::StopCheck& stop) {
    if (most == 0) return {};
    Ranks ranks(reader, order);
    FirstGames first(after, most);
    while (!games.empty()) {
        stop();
        ranks.for_each(take_games_before(end_of_chunk(games.front()), games),
                       [&](std::uint32_t game, std::uint32_t rank) { first.offer(game, rank); });
    }
    return first.take();
}

std::vector<RankedGame> first_games(LocalReader& reader, GameOrder order, FittingGames& fitting,
                                    const std::optional<RankedGame>& after, std::size_t most,
                                    base::StopCheck& stop) {
    if (most == 0) return {};
    const std::size_t chunks = chunks_up_to(reader.last_game());
    const GameSet& all = fitting.all(stop);
    if (all.size() / kFewInChunk < chunks) {
        return first_games(reader, order, all.numbers(), after, most, stop);
    }
    const base::HugeVector<std::uint64_t> bits = all.bits(reader.last_game());
    struct Worker {
        FirstGames first;
        Ranks ranks;
        base::StopCheck stop;
    };
    const std::size_t threads =
        std::clamp<std::size_t>(chunks / kChunksPerThread, 1, reader.threads());
    std::vector<Worker> workers;
    for (std::size_t i = 0; i < threads; ++i) {
        workers.push_back({FirstGames(after, most), Ranks(reader, order), stop});
    }
    const std::shared_ptr<const void> scope = reader.begin_scan();
    base::in_parallel(chunks, static_cast<unsigned>(threads), [&](std::size_t i, unsigned thread) {
        Worker& worker = workers[thread];
        worker.stop();
        const auto first = static_cast<std::uint32_t>(i * codec::kGamesPerChunk + 1);
        const GameId last = std::min<GameId>(end_of_chunk(first) - 1, reader.last_game());
        if (std::all_of(&bits[first / 64], &bits[last / 64] + 1,
                        [](auto word) { return word == 0; })) {
            return;
        }
        const std::span<const std::uint32_t> ranks = worker.ranks.of(first, last - first + 1);
        for (std::uint32_t k = 0; k < ranks.size(); ++k) {
            const std::uint32_t game = first + k;
            if (ranks[k] >= worker.first.least() && (bits[game / 64] >> (game % 64) & 1) != 0) {
                worker.first.offer(game, ranks[k]);
            }
        }
    });
    for (std::size_t i = 1; i < threads; ++i) workers.front().first.add(workers[i].first);
    return workers.front().first.take();
}

}  // namespace fendex::store
