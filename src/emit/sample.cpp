#include "emit/sample.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/seeded.hpp"
#include "emit/numbered_plies.hpp"

namespace fendex::emit {

namespace {

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
        std::ranges::sort(numbers);
        for (std::uint64_t i = 0; i < bits_.size(); ++i) {
            if (bits_[i]) numbers.push_back(i);
        }
        return numbers;
    }

  private:
    std::vector<bool> bits_;
    std::unordered_set<std::uint64_t> few_;
};

}  // namespace

std::uint64_t seed_of(std::uint64_t seed, SeedUse use) {
    return base::seeded(static_cast<std::uint64_t>(use), seed);
}

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
    return SampledPlies(places_of(reader, games, sample_numbers(count_plies(reader, games), size)));
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
