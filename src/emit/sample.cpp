#include "emit/sample.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "base/seeded.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

/// Different uses of one seed must not depend on each other.
enum class SeedUse : std::uint64_t { kNumbers = 1, kPositions = 2, kSplit = 3 };

std::uint64_t seed_of(std::uint64_t seed, SeedUse use) {
    return base::seeded(static_cast<std::uint64_t>(use), seed);
}

/// A set of numbers less than `end` that takes little memory, however many it will have.
class NumberSet {
  public:
    NumberSet(std::uint64_t end, std::uint64_t expected) {
        constexpr std::uint64_t kBitsPerElement = 256;  // of a hash set
        if (end / kBitsPerElement <= expected) bits_.resize(end);
    }
    /// Returns false if the number is there already.
    bool insert(std::uint64_t number) {
        if (bits_.empty()) return few_.insert(number).second;
        const bool is_new = !bits_[number];
        bits_[number] = true;
        return is_new;
    }
    std::vector<std::uint64_t> sorted() const {
        std::vector<std::uint64_t> numbers(few_.begin(), few_.end());
        std::sort(numbers.begin(), numbers.end());
        for (std::uint64_t i = 0; i < bits_.size(); ++i) {
            if (bits_[i]) numbers.push_back(i);
        }
        return numbers;
    }

  private:
    std::vector<bool> bits_;
    std::unordered_set<std::uint64_t> few_;
};

/// Calls visit(game, plies and start) for the games of a list that can be replayed, in order.
template <typename Visit>
void for_each_length(store::StoreReader& reader, const GameList& games, Visit visit) {
    constexpr std::uint64_t kAtOnce = 4096;
    std::vector<std::uint32_t> plies;
    std::vector<std::uint32_t> variants;
    for (std::uint64_t begin = 0; begin < games.size(); begin += kAtOnce) {
        const GameBatch batch{begin, std::min(begin + kAtOnce, games.size())};
        plies.resize(batch.end - batch.begin);
        variants.resize(plies.size());
        if (is_consecutive(games, batch)) {
            reader.column(store::GameColumn::kPlies, games[begin], plies);
            reader.column(store::GameColumn::kVariant, games[begin], variants);
        } else {
            for (std::size_t i = 0; i < plies.size(); ++i) {
                const codec::GameFacts facts = reader.facts(games[begin + i]);
                plies[i] = facts.plies;
                variants[i] = static_cast<std::uint32_t>(facts.variant);
            }
        }
        for (std::size_t i = 0; i < plies.size(); ++i) {
            if (variants[i] == static_cast<std::uint32_t>(chess::Variant::kOther)) continue;
            visit(games[begin + i], std::uint64_t{plies[i]} + 1);
        }
    }
}

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
        std::sort(kept_.begin(), kept_.end());
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

}  // namespace

/// Floyd's algorithm: each step adds a number less than a bound that grows by one; if that number
/// is there already, it adds the bound.
std::vector<std::uint64_t> sample_numbers(std::uint64_t end, const SampleSize& size) {
    const std::uint64_t count = std::min(size.count, end);
    NumberSet chosen(end, count);
    base::SeededNumbers random(seed_of(size.seed, SeedUse::kNumbers));
    for (std::uint64_t last = end - count; last < end; ++last) {
        if (!chosen.insert(random.below(last + 1))) chosen.insert(last);
    }
    return chosen.sorted();
}

GameList sample_games(const GameList& games, const SampleSize& size) {
    std::vector<store::GameId> ids = sample_numbers(games.size(), size);
    for (std::uint64_t& each : ids) each = games[each];
    return GameList(std::move(ids));
}

SampledPlies sample_plies(store::StoreReader& reader, const GameList& games,
                          const SampleSize& size) {
    std::uint64_t all = 0;
    for_each_length(reader, games, [&](store::GameId, std::uint64_t plies) { all += plies; });
    const std::vector<std::uint64_t> numbers = sample_numbers(all, size);
    std::vector<SampledPlies::Place> places;
    places.reserve(numbers.size());
    std::uint64_t begin = 0;  // the number of the game's first ply
    for_each_length(reader, games, [&](store::GameId game, std::uint64_t plies) {
        for (; places.size() < numbers.size() && numbers[places.size()] < begin + plies;) {
            const auto ply = static_cast<std::uint32_t>(numbers[places.size()] - begin);
            places.push_back({game, ply});
        }
        begin += plies;
    });
    return SampledPlies(std::move(places));
}

SampledPlies sample_positions(const ExportJob& job, const SampleSize& size) {
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

GameList games_of(const GameList& games, const SampledPlies& sample) {
    std::vector<store::GameId> ids;
    for (std::uint64_t i = 0; i < games.size(); ++i) {
        if (!sample.of(games[i]).empty()) ids.push_back(games[i]);
    }
    return GameList(std::move(ids));
}

GameSplit split_games(const GameList& games, double training_share, std::uint64_t seed) {
    const std::uint64_t of_games = seed_of(seed, SeedUse::kSplit);
    std::vector<store::GameId> training;
    std::vector<store::GameId> test;
    for (std::uint64_t i = 0; i < games.size(); ++i) {
        // The 53 leading bits are a number from 0 to 1 that a double has exactly.
        const double number =
            std::ldexp(static_cast<double>(base::seeded(games[i], of_games) >> 11U), -53);
        (number < training_share ? training : test).push_back(games[i]);
    }
    return {GameList(std::move(training)), GameList(std::move(test))};
}

}  // namespace fendex::emit
