#include "emit/position_export.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <memory>
#include <mutex>
#include <vector>

#include "chess/fen.hpp"
#include "emit/sorted_positions.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

constexpr unsigned kPlyBits = codec::Posting::kPlyBits;
constexpr std::uint64_t kMaxPly = codec::Posting::kMaxPly;

/// A position that a game reached; sorted by key, then by game and ply.
struct PlaceOfPosition {
    std::uint64_t key = 0;
    std::uint64_t rest = 0;  // place of the game (28) | ply (20) | its result (2)

    PlaceOfPosition() = default;
    PlaceOfPosition(std::uint64_t k, std::uint64_t place, std::uint32_t ply, codec::Result result)
        : key(k),
          rest((place << kPlyBits | ply) << kResultBits | static_cast<std::uint64_t>(result)) {}

    std::uint64_t place() const { return rest >> (kResultBits + kPlyBits); }
    std::uint32_t ply() const { return static_cast<std::uint32_t>(rest >> kResultBits & kMaxPly); }
    codec::Result result() const {
        return static_cast<codec::Result>(rest & ((1U << kResultBits) - 1));
    }

    auto operator<=>(const PlaceOfPosition&) const = default;

  private:
    static constexpr unsigned kResultBits = 2;
};

/// A position with its counts; sorted by its first occurrence.
struct CountedPosition {
    std::uint64_t key = 0;   // made by OccurrenceOrder
    std::uint64_t rest = 0;  // its tally, packed by TallyStore

    auto operator<=>(const CountedPosition&) const = default;
};

using PlaceSorter = store::RecordSorter<PlaceOfPosition>;
using CountedSorter = store::RecordSorter<CountedPosition>;

/// Positions that are written together.
constexpr std::size_t kSlice = 8192;

/// Stores each tally as 64 bits, so that records to sort stay small. The bits are the tally itself,
/// or the index of a big tally in a list. Big tallies are few, because each has at least 4,096
/// games or 32,768 repeats.
class TallyStore {
  public:
    std::uint64_t pack(const PositionTally& tally) {
        const std::uint64_t unknown = tally.games - tally.white - tally.draws - tally.black;
        const std::uint64_t repeats = tally.occurrences - tally.games;
        if (std::max({tally.white, tally.draws, tally.black, unknown}) < kMaxResult &&
            repeats < kMaxRepeats) {
            return tally.white | tally.draws << kResultBits | tally.black << 2 * kResultBits |
                   unknown << 3 * kResultBits | repeats << 4 * kResultBits;
        }
        const std::lock_guard lock(mutex_);
        big_.push_back(tally);
        return kBig | (big_.size() - 1);
    }
    /// Call it only after the last pack().
    PositionTally unpack(std::uint64_t packed) const {
        if ((packed & kBig) != 0) return big_[packed ^ kBig];
        const auto result = [&](unsigned n) {
            return packed >> n * kResultBits & (kMaxResult - 1);
        };
        PositionTally tally;
        tally.white = result(0);
        tally.draws = result(1);
        tally.black = result(2);
        tally.games = tally.white + tally.draws + tally.black + result(3);
        tally.occurrences = tally.games + (packed >> 4 * kResultBits);
        return tally;
    }

  private:
    static constexpr unsigned kResultBits = 12;
    static constexpr std::uint64_t kMaxResult = 1U << kResultBits;
    static constexpr std::uint64_t kMaxRepeats = 1U << 15U;
    static constexpr std::uint64_t kBig = std::uint64_t{1} << 63;

    std::mutex mutex_;
    std::vector<PositionTally> big_;
};

/// Makes keys of places and plies for a sorter, which distributes by the top bits.
class OccurrenceOrder {
  public:
    explicit OccurrenceOrder(std::uint64_t games)
        : shift_(64 - kPlyBits - static_cast<unsigned>(std::bit_width(games))) {}

    std::uint64_t key(std::uint64_t place, std::uint32_t ply) const {
        return (place << kPlyBits | ply) << shift_;
    }
    std::uint64_t place(std::uint64_t key) const { return key >> shift_ >> kPlyBits; }
    std::uint32_t ply(std::uint64_t key) const {
        return static_cast<std::uint32_t>(key >> shift_ & kMaxPly);
    }

  private:
    unsigned shift_;
};

/// Adds every position of the games to the sorter.
void collect_positions(const ExportJob& job, const PositionChoice& choice, PlaceSorter& sorter) {
    for_each_batch(job, [&](unsigned thread, store::StoreReader& reader, GameBatch batch) {
        PlaceSorter::Feeder& feeder = sorter.feeder(thread);
        for_each_moves(
            reader, job.games, batch,
            [&](std::uint64_t place, store::GameId id, const store::StoredMoves& moves) {
                replay::with_walk(id, moves, [&](auto& walk) {
                    for (;; walk.advance()) {
                        feeder.add({walk.position().key(), place, walk.ply(), moves.facts.result});
                        if (walk.at_end() || walk.ply() == choice.max_ply) break;
                    }
                });
            });
    });
}

/// Sums up the sorted positions of a partition.
void count(const std::vector<PlaceOfPosition>& sorted, const PositionChoice& choice,
           const OccurrenceOrder& order, TallyStore& tallies, CountedSorter::Feeder& out) {
    for (std::size_t i = 0; i < sorted.size();) {
        PositionTally tally;
        std::uint64_t first = ~std::uint64_t{0};
        const std::uint64_t key = sorted[i].key;
        for (std::size_t begin = i; i < sorted.size() && sorted[i].key == key; ++i) {
            const PlaceOfPosition& each = sorted[i];
            ++tally.occurrences;
            first = std::min(first, order.key(each.place(), each.ply()));
            if (i != begin && sorted[i - 1].place() == each.place()) continue;
            ++tally.games;
            switch (each.result()) {
                case codec::Result::kWhiteWins: ++tally.white; break;
                case codec::Result::kBlackWins: ++tally.black; break;
                case codec::Result::kDraw: ++tally.draws; break;
                case codec::Result::kUnknown: break;
            }
        }
        if (tally.games < choice.min_games) continue;
        out.add({first, tallies.pack(tally)});
    }
}

/// Some positions in the order of their games.
struct Slice {
    std::shared_ptr<const std::vector<CountedPosition>> positions;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Returns a source of the slices of all partitions; it returns nothing at the end.
auto slices_of(CountedSorter& sorter) {
    using Positions = std::vector<CountedPosition>;
    return [&sorter, partition = 0U, positions = std::shared_ptr<const Positions>(),
            done = std::size_t{0}]() mutable -> std::optional<Slice> {
        while (!positions || done == positions->size()) {
            if (partition == CountedSorter::kPartitions) return std::nullopt;
            positions = std::make_shared<const Positions>(sorter.take(partition++));
            done = 0;
        }
        Slice slice{positions, done, std::min(done + kSlice, positions->size())};
        done = slice.end;
        return slice;
    };
}

}  // namespace

std::uint64_t export_positions(const ExportJob& job, const PositionChoice& choice,
                               const AppendPosition& append, ByteSink& sink) {
    require_countable(job.games);
    const OccurrenceOrder order(job.games.size());
    TallyStore tallies;
    // After the first walk through the games there are none to count, but a caller may want to
    // stop.
    const auto go_on = [&] {
        if (job.progress) job.progress(job.games.size());
    };
    CountedSorter by_occurrence(choice.memory_bytes / 2, job.threads, choice.directory);
    {
        PlaceSorter by_key(choice.memory_bytes / 2, job.threads, choice.directory);
        collect_positions(job, choice, by_key);
        by_key.close();
        for_each_partition(
            job.threads, by_key,
            [&](unsigned thread, const std::vector<PlaceOfPosition>& sorted) {
                count(sorted, choice, order, tallies, by_occurrence.feeder(thread));
                return true;
            },
            [&](bool) { go_on(); });
    }
    const std::uint64_t positions = by_occurrence.close();

    Readers readers(job);
    base::run_ordered(
        job.threads, kItemsPerThread * job.threads, slices_of(by_occurrence),
        [&](unsigned thread, const Slice& slice) {
            const std::vector<CountedPosition>& counted = *slice.positions;
            std::string text;
            std::size_t next = slice.begin;
            const GameBatch batch{order.place(counted[slice.begin].key),
                                  order.place(counted[slice.end - 1].key) + 1};
            const auto is_next = [&](std::uint64_t place) {
                return next < slice.end && order.place(counted[next].key) == place;
            };
            for_each_moves(
                readers.of(thread), job.games, batch,
                [&](std::uint64_t place, store::GameId id, const store::StoredMoves& moves) {
                    if (!is_next(place)) return;
                    replay::with_walk(id, moves, [&](auto& walk) {
                        for (; is_next(place); ++next) {
                            const std::uint32_t ply = order.ply(counted[next].key);
                            while (walk.ply() < ply && !walk.at_end()) walk.advance();
                            append(walk.position(), tallies.unpack(counted[next].rest), text);
                        }
                    });
                });
            if (next != slice.end)
                throw store::StoreError(store::StoreError::kOther,
                                        "games are gone since they were counted");
            return text;
        },
        [&](const std::string& text) {
            sink.write(text);
            go_on();
        });
    return positions;
}

std::uint64_t export_position_records(const ExportJob& job, const PositionChoice& choice,
                                      RecordFormat format, ByteSink& sink) {
    const auto append = [format, dialect = job.dialect](const chess::AnyPosition& position,
                                                        const PositionTally& tally,
                                                        std::string& out) {
        char text[chess::kMaxFenLength];
        if (format == RecordFormat::kFen) {
            out.append(text, chess::write_fen(position, dialect, text));
            out += '\n';
            return;
        }
        out.append(text, chess::write_epd(position, dialect, text));
        const auto number = [&](std::string_view name, std::uint64_t value) {
            char digits[24];
            out += name;
            out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
        };
        number(" c0 \"games ", tally.games);
        number(", occurrences ", tally.occurrences);
        out += "\";\n";
    };
    return export_positions(job, choice, append, sink);
}

}  // namespace fendex::emit
