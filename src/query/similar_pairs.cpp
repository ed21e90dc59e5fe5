#include "query/similar_pairs.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

#include "base/ordered_pipeline.hpp"
#include "base/stop_check.hpp"
#include "chess/zobrist.hpp"
#include "codec/columns.hpp"
#include "query/game_comparison.hpp"
#include "query/same_game.hpp"
#include "replay/stored_walk.hpp"
#include "store/game_identity.hpp"
#include "store/game_range.hpp"
#include "store/local_reader.hpp"
#include "store/record_sorter.hpp"

namespace fendex::query {

namespace {

using store::GameColumn;
using store::GameId;
using store::GameRange;

/// Games are proposed by hashes of this many first plies. The two records of a game share the
/// longest of these beginnings that the shorter one has; that one's bucket compares them.
constexpr std::array<std::uint32_t, 4> kBeginnings{kFewestSharedPlies, 28, 40, 60};
/// Each game of a bucket is compared with this many that follow it in the order of the moves and,
/// if the bucket has more, in the order of White's names and of Black's.
constexpr std::size_t kMostNeighbours = 200;

/// A game that begins with the plies that the key is a hash of.
struct Beginning {
    std::uint64_t key = 0;
    std::uint64_t rest = 0;
    /// Sorted with the games because they are read in the order of the hashes.
    ComparedValues values;

    Beginning() = default;
    Beginning(std::uint64_t hash, std::uint64_t all_moves, GameId game, bool is_longest,
              const ComparedValues& of_game)
        : key(hash),
          rest(all_moves >> 33 << 33 | game << 1 | (is_longest ? 1 : 0)),
          values(of_game) {}
    GameId game() const { return rest >> 1 & 0xFFFF'FFFF; }
    /// Returns whether the game has none of the longer beginnings.
    bool is_longest() const { return (rest & 1) != 0; }
    /// Returns a part of the hash of all moves.
    std::uint64_t all_moves() const { return rest >> 33; }
};
using Sorter = store::RecordSorter<Beginning>;

/// Adds the beginnings of the games of a range.
class Proposer {
  public:
    Proposer(store::LocalReader& reader, GameMatcher& matcher, Sorter::Feeder& feeder,
             std::stop_token stop)
        : reader_(reader), matcher_(matcher), feeder_(feeder), stop_(std::move(stop)) {}

    void add(const GameRange& games) {
        read_columns(games);
        reader_.for_each_moves(games.first, [&](GameId id, const store::StoredMoves& stored) {
            if (id > games.last) return false;
            stop_();
            if (stored.facts.plies >= kFewestSharedPlies && store::can_be_compared(stored.facts) &&
                matcher_(id)) {
                ComparedValues values = values_[id - games.first];
                values.set(stored.facts.plies, stored.facts.result);
                add(id, stored, values);
            }
            return true;
        });
    }

  private:
    void read_columns(const GameRange& games) {
        column_.resize(games.last - games.first + 1);
        values_.resize(column_.size());
        const auto read = [&](GameColumn which, auto set) {
            reader_.column(which, games.first, column_);
            for (std::size_t i = 0; i < column_.size(); ++i) set(values_[i], column_[i]);
        };
        read(GameColumn::kWhite, [](auto& values, auto code) { values.white = code; });
        read(GameColumn::kBlack, [](auto& values, auto code) { values.black = code; });
        read(GameColumn::kDate, [](auto& values, auto date) { values.date = date; });
    }

    void add(GameId id, const store::StoredMoves& stored, const ComparedValues& values) {
        const std::uint64_t all = store::hash_of_moves(stored.facts, stored.start, stored.moves);
        codec::GameFacts rules;
        rules.variant = stored.facts.variant;
        std::uint64_t hash = store::hash_of_moves(rules, stored.start, {});
        // The last ply may be wrong, so it counts only if the game would be too short.
        const auto* const end = std::ranges::find_if(kBeginnings, [&](std::uint32_t length) {
            return length > std::max(stored.facts.plies - 1, kFewestSharedPlies);
        });
        const auto* next = kBeginnings.begin();
        replay::with_walk(id, stored, [&](auto& walk) {
            while (next != end && !walk.at_end()) {
                hash = chess::zobrist::mix(hash) + walk.next_move().bits();
                walk.advance();
                if (walk.ply() != *next) continue;
                ++next;
                feeder_.add({chess::zobrist::mix(hash), all, id, next == end, values});
            }
        });
    }

    store::LocalReader& reader_;
    GameMatcher& matcher_;
    Sorter::Feeder& feeder_;
    base::StopCheck stop_;
    std::vector<std::uint32_t> column_;
    std::vector<ComparedValues> values_;  // of the games of the range
};

/// Compares the games of a bucket: games with a common beginning.
class BucketComparison {
  public:
    BucketComparison(store::LocalReader& reader, std::stop_token stop)
        : comparison_(reader), stop_(std::move(stop)) {}

    /// Compares the buckets of sorted beginnings. Changes their order.
    SimilarPairs compare_all(std::span<Beginning> sorted) {
        found_ = {};
        while (!sorted.empty()) {
            const auto end = std::ranges::find_if(
                sorted, [&](const Beginning& each) { return each.key != sorted.front().key; });
            const auto size = static_cast<std::size_t>(end - sorted.begin());
            compare(sorted.first(size));
            sorted = sorted.subspan(size);
        }
        return std::move(found_);
    }

  private:
    /// A bucket may have millions of games, so it is sorted in place, and only neighbours are read.
    void compare(std::span<Beginning> bucket) {
        if (bucket.size() < 2) return;
        if (std::ranges::none_of(bucket, &Beginning::is_longest)) return;
        bucket = without_copies(bucket);
        compare_neighbours(bucket);
        if (bucket.size() <= kMostNeighbours) return;
        for (const auto player : {&ComparedValues::white, &ComparedValues::black}) {
            for (Beginning& each : bucket) {
                stop_();
                each.key = comparison_.surname_order(each.values.*player);
            }
            store::RadixSort<Beginning>::sort(bucket);
            compare_neighbours(bucket);
        }
    }

    /// Leaves one of the games that are spelled alike; moves those that stay to the front.
    std::span<Beginning> without_copies(std::span<Beginning> bucket) {
        std::size_t kept = 0;
        for (std::size_t begin = 0; begin < bucket.size();) {
            std::size_t end = begin + 1;
            while (end < bucket.size() && bucket[end].all_moves() == bucket[begin].all_moves()) {
                ++end;
            }
            for (const Beginning& each : spelled_otherwise(bucket.subspan(begin, end - begin))) {
                bucket[kept++] = each;
            }
            begin = end;
        }
        return bucket.first(kept);
    }

    /// Returns the first of each spelling of games with the same moves, and notes the others.
    std::span<Beginning> spelled_otherwise(std::span<Beginning> alike) {
        if (alike.size() == 1) return alike;
        std::vector<std::pair<std::uint64_t, Beginning>> spelled;
        for (const Beginning& each : alike) {
            stop_();
            spelled.emplace_back(comparison_.rank(each.game()), each);
        }
        std::ranges::stable_sort(spelled, {}, &std::pair<std::uint64_t, Beginning>::first);
        std::size_t kept = 0;
        std::map<std::string, GameId> first_of;  // by text, of games with equal ranks
        for (std::size_t i = 0; i < spelled.size(); ++i) {
            const auto& [rank, game] = spelled[i];
            const bool follows = i != 0 && rank == spelled[i - 1].first;
            if (!follows) first_of.clear();
            if (follows || (i + 1 < spelled.size() && rank == spelled[i + 1].first)) {
                const auto [first, is_new] =
                    first_of.emplace(comparison_.text(game.game()), game.game());
                if (!is_new) {
                    note_copy(first->second, game);
                    continue;
                }
            }
            alike[kept++] = game;
        }
        return alike.first(kept);
    }

    void note_copy(GameId first, const Beginning& copy) {
        if (!copy.is_longest()) return;
        found_.copies.emplace_back(static_cast<std::uint32_t>(first),
                                   static_cast<std::uint32_t>(copy.game()));
    }

    void compare_neighbours(std::span<const Beginning> order) {
        std::deque<ComparedGame> near;    // the games before this one, read when needed
        std::deque<std::size_t> longest;  // of these; only they can fit games that are not
        std::size_t first = 0;            // of `near`, as an index in `order`
        const auto read = [&](std::size_t i) -> ComparedGame& {
            ComparedGame& game = near[i - first];
            if (game.id == 0) game = comparison_.game(order[i].game(), order[i].values);
            return game;
        };
        for (std::size_t i = 0; i < order.size(); ++i) {
            stop_();
            near.emplace_back();
            if (near.size() > kMostNeighbours) {
                near.pop_front();
                ++first;
            }
            while (!longest.empty() && longest.front() < first) longest.pop_front();
            if (order[i].is_longest()) {
                for (std::size_t j = first; j < i; ++j) compare(read(j), read(i));
                longest.push_back(i);
            } else {
                for (const std::size_t j : longest) compare(read(j), read(i));
            }
        }
    }

    void compare(ComparedGame& a, ComparedGame& b) {
        const std::optional<unsigned> score = comparison_.compare(a, b);
        if (!score) return;
        const auto& [first, second] = a.id < b.id ? std::tie(a, b) : std::tie(b, a);
        found_.pairs.push_back({static_cast<std::uint32_t>(first.id),
                                static_cast<std::uint32_t>(second.id), *score,
                                comparison_.rank(first.id), comparison_.rank(second.id)});
    }

    GameComparison comparison_;
    base::StopCheck stop_;
    SimilarPairs found_;
};

/// The readers of all threads, with their matchers.
struct Threads {
    std::vector<store::LocalReader*> readers;
    std::deque<GameMatcher> matchers;

    [[nodiscard]] unsigned size() const { return static_cast<unsigned>(readers.size()); }
};

void propose(Threads& threads, Sorter& sorter, const std::stop_token& stop) {
    std::deque<Proposer> proposers;
    for (unsigned i = 0; i < threads.size(); ++i) {
        proposers.emplace_back(*threads.readers[i], threads.matchers[i], sorter.feeder(i), stop);
    }
    GameRange rest{1, threads.readers.front()->last_game()};
    base::run_ordered(
        threads.size(), 2 * std::size_t{threads.size()},
        [&] { return store::take_front(rest, codec::kGamesPerChunk); },
        [&](unsigned thread, const GameRange& games) {
            proposers[thread].add(games);
            return true;
        },
        [](bool) {});
    sorter.close();
}

SimilarPairs compare(Threads& threads, Sorter& sorter, const std::stop_token& stop) {
    std::deque<BucketComparison> comparisons;
    for (store::LocalReader* const reader : threads.readers)
        comparisons.emplace_back(*reader, stop);
    SimilarPairs all;
    unsigned next = 0;
    base::run_ordered(
        threads.size(), 2 * std::size_t{threads.size()},
        [&] { return next == Sorter::kPartitions ? std::nullopt : std::optional(next++); },
        [&](unsigned thread, unsigned partition) {
            std::vector<Beginning> sorted = sorter.take(partition);
            return comparisons[thread].compare_all(sorted);
        },
        [&](const SimilarPairs& found) {
            all.pairs.insert(all.pairs.end(), found.pairs.begin(), found.pairs.end());
            all.copies.insert(all.copies.end(), found.copies.begin(), found.copies.end());
        });
    return all;
}

}  // namespace

SimilarPairs find_similar_pairs(store::StoreReader& reader, GameMatcher& matcher,
                                const SimilarResources& resources, const std::stop_token& stop) {
    Threads threads;
    threads.readers.push_back(&require(reader, store::Capability::kDuplicateScan));
    for (store::StoreReader* const each : resources.readers) {
        threads.readers.push_back(&require(*each, store::Capability::kDuplicateScan));
    }
    for (store::LocalReader* const each : threads.readers) {
        threads.matchers.emplace_back(*each, matcher.filter(), stop);
    }
    Sorter sorter(resources.bytes, threads.size(), resources.directory);
    propose(threads, sorter, stop);
    return compare(threads, sorter, stop);
}

}  // namespace fendex::query
