#include "store/sqlite/engine/position_scan.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "base/in_parallel.hpp"
#include "store/game_chunks.hpp"
#include "store/sqlite/engine/fact_sums.hpp"

namespace fendex::store {

namespace {

/// A thread is begun only for at least so many pieces, which have some ten thousand games each.
constexpr std::size_t kPiecesPerThread = 4;

using Numbers = std::span<const std::uint32_t>;

/// The games that were met. Several threads may add to it at once.
class SeenGames {
  public:
    explicit SeenGames(GameId last) : words_(last / 64 + 1) {}

    /// Adds games, which must ascend. Appends those that were there before.
    void add(Numbers games, std::vector<std::uint32_t>& again) {
        for (auto game = games.begin(); game != games.end();) {
            const std::uint32_t word = *game / 64;
            std::uint64_t bits = 0;
            for (; game != games.end() && *game / 64 == word; ++game) {
                bits |= std::uint64_t{1} << (*game % 64);
            }
            std::uint64_t known = words_[word].fetch_or(bits, std::memory_order_relaxed) & bits;
            for (; known != 0; known &= known - 1) {
                again.push_back(64 * word + static_cast<std::uint32_t>(std::countr_zero(known)));
            }
        }
    }

  private:
    std::vector<std::atomic<std::uint64_t>> words_;
};

class Scanner {
  public:
    Scanner(LocalReader& reader, std::uint64_t key, const ScanSums& sums, base::StopCheck& stop)
        : reader_(reader),
          sums_(sums),
          stop_(stop),
          lists_(reader.pieces(key)),
          ends_(lists_->pieces().size()) {
        std::map<std::uint16_t, std::size_t> groups;
        const codec::NamedGames none(sums.named_games);
        const codec::FineSumsBuilder no_fine(codec::FinePeriod::kMonth, sums.fine_named_games);
        for (const PositionPieces::Piece& piece : lists_->pieces()) {
            const auto [group, is_new] = groups.try_emplace(piece.next.bits(), groups.size());
            if (is_new) no_sums_.push_back({piece.next, {}, none, none, no_fine});
            group_of_piece_.push_back(group->second);
        }
    }

    PositionScan scan(FittingGames& fitting) {
        fitting_ = &fitting;
        if (!ends_.empty() && fitting.prefers_bits(lists_->games())) {
            bits_ = fitting.bits(stop_).data();
        }
        std::vector<std::size_t> all(ends_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        PositionScan out = scan(std::move(all));
        out.others = lists_->others();
        return out;
    }
    PositionScan scan(const GamesOfParts& parts) {
        parts_ = &parts;
        std::vector<std::size_t> pieces;
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            const GameRange& range = lists_->pieces()[i].range;
            if (std::ranges::find(parts.ranges, range) != parts.ranges.end()) pieces.push_back(i);
        }
        return scan(std::move(pieces));
    }

  private:
    PositionScan scan(std::vector<std::size_t> pieces) {
        PositionScan out;
        if (pieces.empty()) return out;
        if (!lists_->once()) seen_.emplace(reader_.last_game());
        const std::size_t most = std::max<std::size_t>(pieces.size() / kPiecesPerThread, 1);
        const auto threads =
            bits_ == nullptr && parts_ == nullptr
                ? 1U
                : static_cast<unsigned>(std::min<std::size_t>(reader_.threads(), most));
        for (unsigned i = 0; i < threads; ++i) workers_.push_back({no_sums_, {}, {}, {}, 0, stop_});
        const std::shared_ptr<const void> scope = reader_.begin_scan();
        // In about the order of games, so that threads need the facts of the same games. For each
        // move it is this order.
        std::ranges::stable_sort(pieces, {},
                                 [&](std::size_t i) { return lists_->pieces()[i].place; });
        base::in_parallel(pieces.size(), threads, [&](std::size_t i, unsigned thread) {
            workers_[thread].stop();
            add_piece(pieces[i], workers_[thread]);
        });
        add_ends(workers_.front());
        for (std::size_t i = 1; i < workers_.size(); ++i) join(workers_[i], workers_.front());
        finish(workers_.front(), out);
        return out;
    }

    /// The first and the last game of a piece. If it goes on where another ended, the first game is
    /// added only after all pieces: only then is it known whether it was the last one there.
    struct Ends {
        std::uint32_t first = 0;
        std::uint64_t first_occurrences = 0;  // those that were not added yet
        std::uint32_t last = 0;               // 0: there are no games
    };
    struct Worker {
        std::vector<PositionScan::Group> groups;
        std::vector<std::uint32_t> in_others;  // games of more than one group, for each further one
        std::vector<std::uint32_t> games;
        std::vector<std::uint32_t> fitting;
        std::size_t fine_sums = 0;
        base::StopCheck stop;
    };

    bool fits(std::uint32_t game) {
        if (parts_ != nullptr) return parts_->fits(reader_.facts(game));
        if (bits_ == nullptr) return fitting_->contain(game, stop_);
        return (bits_[game / 64] >> (game % 64) & 1) != 0;
    }

    void add_piece(std::size_t piece, Worker& worker) {
        lists_->read(piece, worker.games);
        Numbers games(worker.games);
        if (games.empty()) return;
        Ends& ends = ends_[piece];
        ends.first = games.front();
        ends.last = games.back();
        if (lists_->pieces()[piece].goes_on) {
            const auto after =
                std::ranges::find_if(games, [&](std::uint32_t game) { return game != ends.first; });
            ends.first_occurrences = static_cast<std::uint64_t>(after - games.begin());
            games = games.subspan(ends.first_occurrences);
        }
        PositionScan::Group& group = worker.groups[group_of_piece_[piece]];
        while (!games.empty()) {
            add_games(take_games_of_chunk(games), group, worker);
        }
    }

    /// Removes the games of one chunk from the front of `games`, with repeats, and returns them.
    static Numbers take_games_of_chunk(Numbers& games) {
        const GameId end = end_of_chunk(games.front());
        const auto count =
            games.back() < end
                ? games.size()
                : static_cast<std::size_t>(std::ranges::lower_bound(games, end) - games.begin());
        const Numbers out = games.first(count);
        games = games.subspan(count);
        return out;
    }

    void add_games(Numbers games, PositionScan::Group& group, Worker& worker) {
        worker.fitting.resize(games.size());
        std::uint64_t occurrences = 0;
        // Puts each game that fits into worker.fitting once. Without jumps, because it is called
        // for every game of the position.
        const auto select = [&](auto fits_game) {
            std::uint32_t* out = worker.fitting.data();
            std::uint32_t last = 0;
            for (const std::uint32_t game : games) {
                const unsigned fit = fits_game(game) ? 1 : 0;
                occurrences += fit;
                *out = game;
                out += fit & (game != last ? 1U : 0U);
                last = game;
            }
            return Numbers(worker.fitting.data(), out);
        };
        const auto select_fitting = [&] {
            if (parts_ != nullptr) {
                const ChunkOfFacts chunk = reader_.facts_of_chunk(games.front());
                const GameId first = end_of_chunk(games.front()) - codec::kGamesPerChunk;
                return select(
                    [&](std::uint32_t game) { return parts_->fits(chunk.facts[game - first]); });
            }
            if (bits_ == nullptr) return select([this](std::uint32_t game) { return fits(game); });
            return select([bits = bits_](std::uint32_t game) {
                return (bits[game / 64] >> (game % 64) & 1) != 0;
            });
        };
        const Numbers fitting = select_fitting();
        group.tally.occurrences += occurrences;
        if (fitting.empty()) return;
        if (seen_) seen_->add(fitting, worker.in_others);
        if (sums_.facts) {
            add_facts(fitting, group);
        } else {
            group.tally.games += fitting.size();
        }
        if (has_fine_sums(worker)) add_fine(games, fitting, group, worker);
    }

    bool has_fine_sums(const Worker& worker) const {
        return sums_.fine_sums != 0 && worker.fine_sums <= sums_.fine_sums;
    }

    /// `games` are those of `fitting` and others, with repeats.
    void add_fine(Numbers games, Numbers fitting, PositionScan::Group& group, Worker& worker) {
        const ChunkOfFacts chunk = reader_.facts_of_chunk(fitting.front());
        const GameId first = end_of_chunk(fitting.front()) - codec::kGamesPerChunk;
        const std::size_t before = group.fine.size();
        auto next = games.begin();
        for (const std::uint32_t game : fitting) {
            next = std::find(next, games.end(), game);
            const codec::GameFacts facts = chunk.facts[game - first];
            group.fine.add(game, facts);
            for (; next != games.end() && *next == game; ++next) {
                group.fine.add_occurrences(facts, 1);
            }
        }
        worker.fine_sums += group.fine.size() - before;
    }

    void add_facts(Numbers games, PositionScan::Group& group) {
        const ChunkOfFacts chunk = reader_.facts_of_chunk(games.front());
        const GameId first = end_of_chunk(games.front()) - codec::kGamesPerChunk;
        FactSums sums(group.top, group.recent);
        for (const std::uint32_t game : games) {
            const std::size_t i = game - first;
            sums.add(game, chunk.facts.result_code(i), chunk.facts.white_elo(i),
                     chunk.facts.black_elo(i), chunk.facts.date(i));
        }
        group.tally.add(sums.tally());
    }

    /// Adds the first games of pieces that go on, unless they were the last ones before.
    void add_ends(Worker& worker) {
        std::uint32_t last = 0;
        for (std::size_t piece = 0; piece < ends_.size(); ++piece) {
            const Ends& ends = ends_[piece];
            if (!lists_->pieces()[piece].goes_on) last = 0;
            if (ends.last == 0) continue;
            if (ends.first_occurrences != 0 && fits(ends.first)) {
                PositionScan::Group& group = worker.groups[group_of_piece_[piece]];
                group.tally.occurrences += ends.first_occurrences;
                if (ends.first != last) add_end(ends.first, group, worker);
                if (has_fine_sums(worker)) {
                    group.fine.add_occurrences(reader_.facts(ends.first), ends.first_occurrences);
                }
            }
            last = ends.last;
        }
    }
    void add_end(std::uint32_t game, PositionScan::Group& group, Worker& worker) {
        if (seen_) seen_->add({&game, 1}, worker.in_others);
        if (has_fine_sums(worker)) group.fine.add(game, reader_.facts(game));
        if (!sums_.facts) {
            ++group.tally.games;
            return;
        }
        const codec::GameFacts facts = reader_.facts(game);
        group.tally.add_game(facts);
        group.top.offer(game, codec::rank_by_rating(facts));
        group.recent.offer(game, codec::rank_by_date(facts));
    }

    static void join(const Worker& from, Worker& to) {
        for (std::size_t i = 0; i < to.groups.size(); ++i) {
            to.groups[i].tally.add(from.groups[i].tally);
            for (const auto& each : from.groups[i].top.entries()) {
                to.groups[i].top.offer(each.game, each.rank);
            }
            for (const auto& each : from.groups[i].recent.entries()) {
                to.groups[i].recent.offer(each.game, each.rank);
            }
            to.groups[i].fine.add(from.groups[i].fine);
        }
        to.in_others.insert(to.in_others.end(), from.in_others.begin(), from.in_others.end());
    }

    void finish(Worker& sums, PositionScan& out) {
        for (PositionScan::Group& group : sums.groups) {
            out.total.add(group.tally);
            if (group.tally.games != 0) out.groups.push_back(std::move(group));
        }
        for (const std::uint32_t game : sums.in_others) {
            if (sums_.facts) {
                out.total.remove_game(reader_.facts(game));
            } else {
                --out.total.games;
            }
        }
        out.in_others = std::move(sums.in_others);
        out.fine_is_whole = std::ranges::all_of(
            workers_, [&](const Worker& each) { return each.fine_sums <= sums_.fine_sums; });
    }

    LocalReader& reader_;
    FittingGames* fitting_ = nullptr;      // null if there are parts_
    const GamesOfParts* parts_ = nullptr;  // null: all games of the position
    const ScanSums& sums_;
    base::StopCheck& stop_;
    std::unique_ptr<PositionPieces> lists_;
    std::vector<Ends> ends_;
    std::vector<std::size_t> group_of_piece_;
    std::vector<PositionScan::Group> no_sums_;
    std::vector<Worker> workers_;
    std::optional<SeenGames> seen_;        // empty if no game comes twice
    const std::uint64_t* bits_ = nullptr;  // of the games that fit; null if each is tested
};

}  // namespace

PositionScan scan_position(LocalReader& reader, std::uint64_t key, FittingGames& fitting,
                           const ScanSums& sums, base::StopCheck& stop) {
    return Scanner(reader, key, sums, stop).scan(fitting);
}

PositionScan scan_position(LocalReader& reader, std::uint64_t key, const GamesOfParts& parts,
                           const ScanSums& sums, base::StopCheck& stop) {
    return Scanner(reader, key, sums, stop).scan(parts);
}

}  // namespace fendex::store
