#include "emit/position_sample.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/ordered_pipeline.hpp"
#include "base/seeded.hpp"
#include "emit/numbered_plies.hpp"
#include "replay/stored_walk.hpp"
#include "store/capability.hpp"
#include "store/engine.hpp"

namespace fendex::emit {

namespace {

/// A draw from the index takes some 40 us, a ply of a replay some 0.1 us.
constexpr std::uint64_t kPliesPerDraw = 400;
/// Two thirds of all plies are the first of their position; in some archives a third.
constexpr std::uint64_t kDrawsPerPosition = 20;

/// A position and where it was reached first, by the place of the game in the list.
struct RankedPosition {
    std::uint64_t rank = 0;  // seeded(key): a bijection, so positions with one rank are the same
    std::uint64_t place = 0;
    std::uint32_t ply = 0;

    auto operator<=>(const RankedPosition&) const = default;
};

/// Keeps the positions of lowest rank, each where it was reached first. A position's rank is like a
/// random number, so these are a uniform sample.
class LowestRanks {
  public:
    explicit LowestRanks(std::uint64_t count) : count_(count) {}

    /// Ranks above this one need not be added.
    std::uint64_t limit() const { return limit_; }
    void add(const RankedPosition& position) {
        kept_.push_back(position);
        if (kept_.size() >= 2 * count_ + kSpare) trim();
    }
    void trim() {
        std::ranges::sort(kept_);
        kept_.erase(std::unique(kept_.begin(), kept_.end(),
                                [](const auto& a, const auto& b) { return a.rank == b.rank; }),
                    kept_.end());
        if (kept_.size() <= count_) return;
        kept_.resize(count_);
        limit_ = count_ == 0 ? 0 : kept_.back().rank;
    }
    const std::vector<RankedPosition>& kept() const { return kept_; }

  private:
    static constexpr std::size_t kSpare = 4096;

    std::uint64_t count_;
    std::uint64_t limit_ = ~std::uint64_t{0};
    std::vector<RankedPosition> kept_;
};

/// A drawn ply, and its number among the draws.
struct Draw {
    SampledPlies::Place place;
    std::size_t number = 0;
};

/// Finds out with the index whether plies are the first of their position. Belongs to one thread.
class FirstPlies {
  public:
    bool is_first(store::StoreReader& reader, const SampledPlies::Place& place) {
        if (!reader.moves(place.game, moves_)) throw_missing(place.game);
        std::optional<std::uint64_t> key;
        replay::with_walk(place.game, moves_, [&](auto& walk) {
            keys_.clear();
            for (; walk.ply() < place.ply && !walk.at_end(); walk.advance()) {
                keys_.push_back(walk.position().key());
            }
            if (walk.ply() == place.ply) key = walk.position().key();
        });
        if (!key) throw_missing(place.game);
        if (std::ranges::find(keys_, *key) != keys_.end()) return false;
        const auto known = later_.find(*key);
        if (known != later_.end() && known->second < place.game) return false;
        return !has_earlier_game(reader, *key, place.game);
    }

  private:
    [[noreturn]] static void throw_missing(store::GameId game) {
        throw store::DamageError("damaged database: the plies of game " + std::to_string(game));
    }

    bool has_earlier_game(store::StoreReader& reader, std::uint64_t key, store::GameId game) {
        const store::Engine::Target target{key};
        const auto games = reader.engine().find({&target, 1}, {}, 0, {});
        store::Engine::Reached reached;
        while (games->next(reached) && reached.game.game < game) {
            if (!reached.last_ply && !reaches(reader, reached.game.game, key)) continue;
            later_[key] = reached.game.game;
            return true;
        }
        return false;
    }

    bool reaches(store::StoreReader& reader, store::GameId game, std::uint64_t key) {
        bool found = false;
        if (!reader.moves(game, moves_)) throw_missing(game);
        replay::with_walk(game, moves_, [&](auto& walk) {
            for (;; walk.advance()) {
                found = found || walk.position().key() == key;
                if (found || walk.at_end()) break;
            }
        });
        return found;
    }

    store::StoredMoves moves_;
    std::vector<std::uint64_t> keys_;  // of the plies before the drawn one
    // The first game of keys that are drawn again and again, because many games have them.
    std::unordered_map<std::uint64_t, store::GameId> later_;
};

/// Returns for each draw whether it is the first ply of its position.
std::vector<char> first_plies(const ExportJob& job, const std::vector<Draw>& draws,
                              Readers& readers, std::vector<FirstPlies>& of_threads) {
    constexpr std::size_t kAtOnce = 64;
    std::vector<char> first(draws.size());
    base::run_ordered(
        job.threads, kItemsPerThread * job.threads,
        [&, begin = std::size_t{0}]() mutable -> std::optional<std::size_t> {
            if (begin >= draws.size()) return std::nullopt;
            return std::exchange(begin, begin + kAtOnce);
        },
        [&](unsigned thread, std::size_t begin) {
            for (std::size_t i = begin; i < std::min(begin + kAtOnce, draws.size()); ++i) {
                const bool is_first =
                    of_threads[thread].is_first(readers.of(thread), draws[i].place);
                first[draws[i].number] = is_first ? 1 : 0;
            }
            return true;
        },
        [](bool) {});
    return first;
}

}  // namespace

SampledPlies sample_positions_by_replay(const ExportJob& job, const SampleSize& size) {
    const std::uint64_t seed = seed_of(size.seed, SeedUse::kPositions);
    std::vector<LowestRanks> of_threads(job.threads, LowestRanks(size.count));
    for_each_batch(job, [&](unsigned thread, store::StoreReader& reader, GameBatch batch) {
        LowestRanks& lowest = of_threads[thread];
        for_each_moves(reader, job.games, batch,
                       [&](std::uint64_t place, store::GameId id, const store::StoredMoves& moves) {
                           replay::with_walk(id, moves, [&](auto& walk) {
                               for (;; walk.advance()) {
                                   const std::uint64_t rank =
                                       base::seeded(walk.position().key(), seed);
                                   if (rank <= lowest.limit())
                                       lowest.add({rank, place, walk.ply()});
                                   if (walk.at_end()) break;
                               }
                           });
                       });
    });
    LowestRanks lowest(size.count);
    for (LowestRanks& each : of_threads) {
        each.trim();
        for (const RankedPosition& position : each.kept()) lowest.add(position);
    }
    lowest.trim();
    std::vector<SampledPlies::Place> places;
    for (const RankedPosition& each : lowest.kept()) {
        places.push_back({job.games[each.place], each.ply});
    }
    return SampledPlies(std::move(places));
}

std::optional<SampledPlies> sample_positions_by_index(const ExportJob& job,
                                                      const SampleSize& size) {
    Readers readers(job);
    std::vector<FirstPlies> of_threads(job.threads);
    const std::uint64_t plies = count_plies(readers.of(0), job.games);
    base::SeededNumbers random(seed_of(size.seed, SeedUse::kPositions));
    const std::uint64_t most = std::min(plies, kDrawsPerPosition * (size.count + 100));
    std::unordered_set<std::uint64_t> drawn;
    std::vector<SampledPlies::Place> sample;
    while (sample.size() < size.count) {
        // About two thirds of the draws are the first ply of their position.
        const std::uint64_t round = 64 + (size.count - sample.size()) * 3 / 2;
        std::vector<std::pair<std::uint64_t, std::size_t>> numbers;  // of the ply, of the draw
        while (numbers.size() < round && drawn.size() < most) {
            const std::uint64_t number = random.below(plies);
            if (drawn.insert(number).second) numbers.emplace_back(number, numbers.size());
        }
        if (numbers.empty()) return std::nullopt;
        std::ranges::sort(numbers);
        std::vector<std::uint64_t> ascending;
        for (const auto& [number, draw] : numbers) ascending.push_back(number);
        const auto places = places_of(readers.of(0), job.games, ascending);
        std::vector<Draw> draws;
        for (std::size_t i = 0; i < places.size(); ++i) {
            draws.push_back({places[i], numbers[i].second});
        }
        const std::vector<char> first = first_plies(job, draws, readers, of_threads);
        std::ranges::sort(draws, {}, &Draw::number);
        for (const Draw& draw : draws) {
            if (first[draw.number] != 0 && sample.size() < size.count) sample.push_back(draw.place);
        }
    }
    return SampledPlies(std::move(sample));
}

bool is_whole_database(store::StoreReader& reader, const GameList& games) {
    const store::StoreInfo info = reader.info();
    if (games.size() != info.games || info.unindexed_games != 0) return false;
    for (std::uint64_t i = 1; i < games.size(); ++i) {
        if (games[i] <= games[i - 1]) return false;
    }
    return true;
}

SampledPlies sample_positions(const ExportJob& job, const SampleSize& size) {
    const store::Reader reader = job.database->reader();
    require(*reader, store::Capability::kSampleScan);
    const bool is_small = size.count <= reader->info().positions / kPliesPerDraw;
    if (is_small && is_whole_database(*reader, job.games)) {
        if (auto sample = sample_positions_by_index(job, size)) return std::move(*sample);
    }
    return sample_positions_by_replay(job, size);
}

}  // namespace fendex::emit
