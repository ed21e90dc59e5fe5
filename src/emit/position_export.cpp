#include "emit/position_export.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <memory>
#include <mutex>
#include <vector>

#include "chess/fen.hpp"
#include "emit/sorted_positions.hpp"
#include "store/posting_sorter.hpp"
#include "store/stored_walk.hpp"

namespace fendex::emit {

using codec::Posting;
using store::PostingSorter;

namespace {

/// Positions that are written at once.
constexpr std::size_t kSlice = 8192;

/// Tallies as 64 bits, which is what a posting has room for: small ones as they are, others by
/// their place in a list. Few are big: all of them together have been reached 4,096 times each.
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
    /// After the last pack().
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

/// Places and plies as keys of a sorter, which deals by the top bits.
class OccurrenceOrder {
  public:
    explicit OccurrenceOrder(std::uint64_t games)
        : shift_(64 - Posting::kPlyBits - static_cast<unsigned>(std::bit_width(games))) {}

    std::uint64_t key(std::uint64_t place, std::uint32_t ply) const {
        return (place << Posting::kPlyBits | ply) << shift_;
    }
    std::uint64_t place(std::uint64_t key) const { return key >> shift_ >> Posting::kPlyBits; }
    std::uint32_t ply(std::uint64_t key) const {
        return static_cast<std::uint32_t>(key >> shift_) & Posting::kMaxPly;
    }

  private:
    unsigned shift_;
};

/// Every position of the games; the result stands where a posting has its move.
void collect_positions(const ExportJob& job, const PositionChoice& choice, PostingSorter& sorter) {
    for_each_batch(job, [&](unsigned thread, store::StoreReader& reader, GameBatch batch) {
        PostingSorter::Feeder& feeder = sorter.feeder(thread);
        for_each_moves(reader, job.games, batch,
                       [&](std::uint64_t place, store::GameId id, const store::StoredMoves& moves) {
                           const auto result = chess::Move::from_bits(
                               static_cast<std::uint16_t>(moves.facts.result));
                           store::with_walk(id, moves, [&](auto& walk) {
                               for (;; walk.advance()) {
                                   feeder.add({walk.position().key(), result,
                                               static_cast<std::uint32_t>(place), walk.ply()});
                                   if (walk.at_end() || walk.ply() == choice.max_ply) break;
                               }
                           });
                       });
    });
}

/// Sums up the sorted postings of a partition.
void count(const std::vector<Posting>& sorted, const PositionChoice& choice,
           const OccurrenceOrder& order, TallyStore& tallies, PostingSorter::Feeder& out) {
    for (std::size_t i = 0; i < sorted.size();) {
        PositionTally tally;
        std::uint64_t first = ~std::uint64_t{0};
        const std::uint64_t key = sorted[i].key;
        for (std::size_t begin = i; i < sorted.size() && sorted[i].key == key; ++i) {
            const Posting& posting = sorted[i];
            ++tally.occurrences;
            first = std::min(first, order.key(posting.game(), posting.ply()));
            if (i != begin && sorted[i - 1].game() == posting.game()) continue;
            ++tally.games;
            switch (static_cast<codec::Result>(posting.next().bits())) {
                case codec::Result::kWhiteWins: ++tally.white; break;
                case codec::Result::kBlackWins: ++tally.black; break;
                case codec::Result::kDraw: ++tally.draws; break;
                case codec::Result::kUnknown: break;
            }
        }
        if (tally.games < choice.min_games) continue;
        Posting counted;
        counted.key = first;
        counted.rest = tallies.pack(tally);
        out.add(counted);
    }
}

/// A few positions in the order of their games.
struct Slice {
    std::shared_ptr<const std::vector<Posting>> postings;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Slice after slice of all partitions; empty at the end.
auto slices_of(PostingSorter& sorter) {
    return [&sorter, partition = 0U, postings = std::shared_ptr<const std::vector<Posting>>(),
            done = std::size_t{0}]() mutable -> std::optional<Slice> {
        while (!postings || done == postings->size()) {
            if (partition == PostingSorter::kPartitions) return std::nullopt;
            postings = std::make_shared<const std::vector<Posting>>(sorter.take(partition++));
            done = 0;
        }
        Slice slice{postings, done, std::min(done + kSlice, postings->size())};
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
    PostingSorter by_occurrence(choice.memory_bytes / 2, job.threads, choice.directory);
    {
        PostingSorter by_key(choice.memory_bytes / 2, job.threads, choice.directory);
        collect_positions(job, choice, by_key);
        by_key.close();
        for_each_partition(
            job.threads, by_key,
            [&](unsigned thread, const std::vector<Posting>& sorted) {
                count(sorted, choice, order, tallies, by_occurrence.feeder(thread));
                return true;
            },
            [](bool) {});
    }
    const std::uint64_t positions = by_occurrence.close();

    Readers readers(job);
    base::run_ordered(
        job.threads, kItemsPerThread * job.threads, slices_of(by_occurrence),
        [&](unsigned thread, const Slice& slice) {
            const std::vector<Posting>& postings = *slice.postings;
            std::string text;
            std::size_t next = slice.begin;
            const GameBatch batch{order.place(postings[slice.begin].key),
                                  order.place(postings[slice.end - 1].key) + 1};
            const auto is_next = [&](std::uint64_t place) {
                return next < slice.end && order.place(postings[next].key) == place;
            };
            for_each_moves(
                readers.of(thread), job.games, batch,
                [&](std::uint64_t place, store::GameId id, const store::StoredMoves& moves) {
                    if (!is_next(place)) return;
                    store::with_walk(id, moves, [&](auto& walk) {
                        for (; is_next(place); ++next) {
                            const std::uint32_t ply = order.ply(postings[next].key);
                            while (walk.ply() < ply && !walk.at_end()) walk.advance();
                            append(walk.position(), tallies.unpack(postings[next].rest), text);
                        }
                    });
                });
            if (next != slice.end)
                throw store::StoreError(store::StoreError::kOther,
                                        "games are gone since they were counted");
            return text;
        },
        [&](const std::string& text) { sink.write(text); });
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
