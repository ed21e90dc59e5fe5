#include "store/sqlite/engine/position_scan.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/in_parallel.hpp"
#include "store/game_chunks.hpp"
#include "store/sqlite/engine/fact_sums.hpp"

namespace fendex::store {

namespace {

/// A thread is begun only for at least so many pieces, which have some ten thousand games each.
constexpr std::size_t kPiecesPerThread = 4;
/// The games are cut into about so many turns for each thread, so that all are busy to the end.
constexpr std::size_t kTurnsPerThread = 4;

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
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            const PositionPieces::Piece& piece = lists_->pieces()[i];
            const auto [group, is_new] = groups.try_emplace(piece.next.bits(), groups.size());
            if (is_new) no_sums_.push_back({piece.next, {}, none, none, no_fine});
            group_of_piece_.push_back(group->second);
            if (parts_.empty() || parts_.back().games != piece.range) {
                parts_.push_back({piece.range, {}});
            }
            std::vector<Pieces>& moves = parts_.back().moves;
            if (piece.goes_on) {
                ++moves.back().end;
            } else {
                moves.push_back({i, i + 1});
            }
        }
    }

    PositionScan scan(FittingGames& fitting) {
        fitting_ = &fitting;
        if (!ends_.empty() && fitting.prefers_bits(lists_->games())) {
            if (fitting.prefers_fact_test()) {
                test_ = &fitting.fact_test().value();
            } else {
                bits_ = fitting.bits(stop_).data();
            }
        }
        PositionScan out = scan_all();
        if (test_ != nullptr) fitting.set_tested();
        out.others = lists_->others();
        return out;
    }
    PositionScan scan(std::span<const GameRange> parts, const FactTest& test) {
        test_ = &test;
        std::erase_if(parts_, [&](const Part& part) {
            return std::ranges::find(parts, part.games) == parts.end();
        });
        return scan_all();
    }

  private:
    /// The pieces of one move, which follow one another in the order of their games.
    struct Pieces {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    /// The pieces of one part of the index.
    struct Part {
        GameRange games;
        std::vector<Pieces> moves;
    };
    /// Games of a part whose facts are read together: whole chunks, but for the ends of the part.
    struct Turn {
        const Part* part = nullptr;
        GameRange games;
    };

    PositionScan scan_all() {
        PositionScan out;
        if (parts_.empty()) return out;
        if (!lists_->once()) seen_.emplace(reader_.last_game());
        std::size_t pieces = 0;
        for (const Part& part : parts_) pieces += part.moves.back().end - part.moves.front().begin;
        const std::size_t most = std::max<std::size_t>(pieces / kPiecesPerThread, 1);
        const auto threads =
            is_one_by_one() ? 1U
                            : static_cast<unsigned>(std::min<std::size_t>(reader_.threads(), most));
        for (unsigned i = 0; i < threads; ++i) workers_.emplace_back(no_sums_, stop_);
        const std::shared_ptr<const void> scope = reader_.begin_scan();
        const std::vector<Turn> turns = turns_for(threads);
        base::in_parallel(turns.size(), threads, [&](std::size_t i, unsigned thread) {
            add_turn(turns[i], workers_[thread]);
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
        bool first_fits = false;              // whether they are to be added
        codec::GameFacts first_facts;         // if it fits, and sums need them
        std::uint32_t last = 0;               // 0: there are no games
    };
    /// The games of a turn that were followed by one move.
    struct Stream {
        Pieces pieces;                     // those that were not read yet
        std::size_t group = 0;             // of the move
        std::vector<std::uint32_t> games;  // of the piece read last
        Numbers rest;                      // those of them that were not added yet
    };
    struct Worker {
        Worker(std::vector<PositionScan::Group> no_sums, base::StopCheck check)
            : groups(std::move(no_sums)), stop(std::move(check)) {}

        std::vector<PositionScan::Group> groups;
        std::vector<std::uint32_t> in_others;  // games of more than one group, for each further one
        std::vector<Stream> streams;
        std::vector<std::uint32_t> fitting;
        GameId end_of_facts = 0;  // the game after those of `facts`; 0: there are none
        std::optional<ChunkOfFacts> facts;
        GameFlags flags{};  // of these games, if they are tested by facts
        std::size_t fine_sums = 0;
        base::StopCheck stop;
    };

    bool is_one_by_one() const { return bits_ == nullptr && test_ == nullptr; }

    bool fits(std::uint32_t game, Worker& worker) {
        if (test_ != nullptr) {
            const Facts of = facts_of(game, worker);
            return worker.flags[game - of.first] != 0;
        }
        if (bits_ == nullptr) return fitting_->contain(game, stop_);
        return (bits_[game / 64] >> (game % 64) & 1) != 0;
    }

    /// Cuts the games of the parts into turns, in their order. They are cut by games and not by
    /// pieces: a piece of a rare move may have games from all over its part.
    std::vector<Turn> turns_for(unsigned threads) const {
        GameId games = 0;
        for (const Part& part : parts_) games += part.games.last - part.games.first + 1;
        const GameId wanted = threads < 2 ? 1 : threads * kTurnsPerThread;
        const GameId chunks = games / wanted / codec::kGamesPerChunk + 1;
        std::vector<Turn> turns;
        for (const Part& part : parts_) {
            GameRange rest = part.games;
            const GameId of_first_chunk = end_of_chunk(rest.first) - rest.first;
            GameId most = of_first_chunk + (chunks - 1) * codec::kGamesPerChunk;
            while (const auto some = take_front(rest, most)) {
                turns.push_back({&part, *some});
                most = chunks * codec::kGamesPerChunk;
            }
        }
        return turns;
    }

    /// Adds the games of a turn chunk by chunk, with all moves, so that the facts of a chunk are
    /// read once for all of them.
    void add_turn(const Turn& turn, Worker& worker) {
        std::vector<Stream>& streams = worker.streams;
        streams.clear();
        for (const Pieces& of_move : turn.part->moves) {
            Stream& stream = streams.emplace_back();
            stream.pieces = of_move;
            stream.group = group_of_piece_[of_move.begin];
            skip_earlier(turn, stream);
        }
        for (;;) {
            worker.stop();
            for (Stream& stream : streams) refill(turn, stream, worker);
            std::erase_if(streams, [](const Stream& stream) { return stream.rest.empty(); });
            if (streams.empty()) return;
            const auto next = std::ranges::min_element(
                streams, {}, [](const Stream& stream) { return stream.rest.front(); });
            const GameId end = end_of_chunk(next->rest.front());
            for (Stream& stream : streams) {
                while (!stream.rest.empty() && stream.rest.front() < end) {
                    add_games(take_games_of_chunk(stream.rest), worker.groups[stream.group],
                              worker);
                    refill(turn, stream, worker);
                }
            }
        }
    }

    /// Leaves out pieces before one that begins before the turn. Looks for it where it is if the
    /// games of the move are evenly spread.
    void skip_earlier(const Turn& turn, Stream& stream) const {
        const GameRange& of_part = turn.part->games;
        Pieces& pieces = stream.pieces;
        const auto games = static_cast<double>(of_part.last - of_part.first + 1);
        const double before = static_cast<double>(turn.games.first - of_part.first) / games;
        const auto count = static_cast<double>(pieces.end - pieces.begin);
        auto piece = pieces.begin + static_cast<std::size_t>(before * count);
        for (; piece > pieces.begin; --piece) {
            lists_->read(piece, stream.games);
            if (!stream.games.empty() && stream.games.front() < turn.games.first) break;
        }
        pieces.begin = piece;
    }

    /// Reads the next piece with games of the turn, if there is one and no games are left.
    void refill(const Turn& turn, Stream& stream, Worker& worker) {
        while (stream.rest.empty() && stream.pieces.begin != stream.pieces.end) {
            const std::size_t piece = stream.pieces.begin++;
            lists_->read(piece, stream.games);
            const Numbers all(stream.games);
            if (all.empty()) continue;
            const auto begin = std::ranges::lower_bound(all, turn.games.first);
            const auto end = std::ranges::upper_bound(begin, all.end(), turn.games.last);
            stream.rest = Numbers(begin, end);
            // The turn that has the first game of a piece notes its ends.
            if (begin == all.begin() && end != begin) note_ends(piece, all, stream, worker);
            if (end != all.end()) stream.pieces.begin = stream.pieces.end;
        }
    }

    void note_ends(std::size_t piece, Numbers all, Stream& stream, Worker& worker) {
        Ends& ends = ends_[piece];
        ends.first = all.front();
        ends.last = all.back();
        if (!lists_->pieces()[piece].goes_on) return;
        const auto after = std::ranges::find_if(
            stream.rest, [&](std::uint32_t game) { return game != ends.first; });
        ends.first_occurrences = static_cast<std::uint64_t>(after - stream.rest.begin());
        stream.rest = stream.rest.subspan(ends.first_occurrences);
        ends.first_fits = fits(ends.first, worker);
        if (ends.first_fits && (sums_.facts || sums_.fine_sums != 0)) {
            const Facts of = facts_of(ends.first, worker);
            ends.first_facts = of.facts[ends.first - of.first];
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
            if (test_ != nullptr) {
                const Facts of = facts_of(games.front(), worker);
                return select(
                    [&](std::uint32_t game) { return worker.flags[game - of.first] != 0; });
            }
            if (bits_ == nullptr) {
                return select([&](std::uint32_t game) { return fits(game, worker); });
            }
            return select([bits = bits_](std::uint32_t game) {
                return (bits[game / 64] >> (game % 64) & 1) != 0;
            });
        };
        const Numbers fitting = select_fitting();
        group.tally.occurrences += occurrences;
        if (fitting.empty()) return;
        if (seen_) seen_->add(fitting, worker.in_others);
        if (sums_.facts) {
            add_facts(fitting, group, worker);
        } else {
            group.tally.games += fitting.size();
        }
        if (has_fine_sums(worker)) add_fine(games, fitting, group, worker);
    }

    struct Facts {
        GameId first;  // the first game of `facts`
        const codec::FactsChunk& facts;
    };
    /// Returns the facts of a game and of others of its chunk.
    Facts facts_of(GameId game, Worker& worker) {
        const GameId end = end_of_chunk(game);
        if (worker.end_of_facts != end) {
            worker.facts = reader_.facts_of_chunk(game);
            worker.end_of_facts = end;
            if (test_ != nullptr) test_->flag(worker.facts->facts, worker.flags);
        }
        return {end - codec::kGamesPerChunk, worker.facts->facts};
    }

    bool has_fine_sums(const Worker& worker) const {
        return sums_.fine_sums != 0 && worker.fine_sums <= sums_.fine_sums;
    }

    /// `games` are those of `fitting` and others, with repeats.
    void add_fine(Numbers games, Numbers fitting, PositionScan::Group& group, Worker& worker) {
        const Facts of = facts_of(fitting.front(), worker);
        const std::size_t before = group.fine.size();
        auto next = games.begin();
        for (const std::uint32_t game : fitting) {
            next = std::find(next, games.end(), game);
            const codec::GameFacts facts = of.facts[game - of.first];
            group.fine.add(game, facts);
            for (; next != games.end() && *next == game; ++next) {
                group.fine.add_occurrences(facts, 1);
            }
        }
        worker.fine_sums += group.fine.size() - before;
    }

    void add_facts(Numbers games, PositionScan::Group& group, Worker& worker) {
        const Facts of = facts_of(games.front(), worker);
        FactSums sums(group.top, group.recent);
        for (const std::uint32_t game : games) {
            const std::size_t i = game - of.first;
            sums.add(game, of.facts.result_code(i), of.facts.white_elo(i), of.facts.black_elo(i),
                     of.facts.date(i));
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
            if (ends.first_fits) {
                PositionScan::Group& group = worker.groups[group_of_piece_[piece]];
                group.tally.occurrences += ends.first_occurrences;
                if (ends.first != last) add_end(ends, group, worker);
                if (has_fine_sums(worker)) {
                    group.fine.add_occurrences(ends.first_facts, ends.first_occurrences);
                }
            }
            last = ends.last;
        }
    }
    void add_end(const Ends& ends, PositionScan::Group& group, Worker& worker) {
        if (seen_) seen_->add({&ends.first, 1}, worker.in_others);
        if (has_fine_sums(worker)) group.fine.add(ends.first, ends.first_facts);
        if (!sums_.facts) {
            ++group.tally.games;
            return;
        }
        group.tally.add_game(ends.first_facts);
        group.top.offer(ends.first, codec::rank_by_rating(ends.first_facts));
        group.recent.offer(ends.first, codec::rank_by_date(ends.first_facts));
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
    FittingGames* fitting_ = nullptr;  // null if only some parts are scanned
    const FactTest* test_ = nullptr;   // null if facts are not tested
    const ScanSums& sums_;
    base::StopCheck& stop_;
    std::unique_ptr<PositionPieces> lists_;
    std::vector<Ends> ends_;
    std::vector<Part> parts_;  // those that are scanned
    std::vector<std::size_t> group_of_piece_;
    std::vector<PositionScan::Group> no_sums_;
    std::vector<Worker> workers_;
    std::optional<SeenGames> seen_;        // empty if no game comes twice
    const std::uint64_t* bits_ = nullptr;  // of the games that fit; null if they are not known
};

}  // namespace

PositionScan scan_position(LocalReader& reader, std::uint64_t key, FittingGames& fitting,
                           const ScanSums& sums, base::StopCheck& stop) {
    return Scanner(reader, key, sums, stop).scan(fitting);
}

PositionScan scan_parts(LocalReader& reader, std::uint64_t key, std::span<const GameRange> parts,
                        const FactTest& test, const ScanSums& sums, base::StopCheck& stop) {
    return Scanner(reader, key, sums, stop).scan(parts, test);
}

}  // namespace fendex::store
