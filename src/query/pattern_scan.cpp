#include "query/pattern_scan.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/ordered_pipeline.hpp"
#include "base/stop_check.hpp"
#include "chess/bare_board.hpp"
#include "codec/move_decoder.hpp"
#include "query/sequence_matcher.hpp"
#include "replay/stored_walk.hpp"
#include "store/engine.hpp"
#include "store/store.hpp"

namespace fendex::query {

namespace {

using store::GameId;
using Plies = std::vector<std::uint32_t>;

/// The number of games that a thread takes at once.
constexpr std::uint64_t kGamesPerTask = codec::kGamesPerChunk;
/// If more than one game in kDenseShare is wanted, reading all games in sequence is faster than
/// looking up each wanted one.
constexpr std::size_t kDenseShare = 4;
/// The number of games that are looked up at once in a file. After each such batch the scan checks
/// whether it can stop, because enough games have been found.
constexpr std::size_t kGamesAtOnce = 32;

/// The games that a thread takes at once.
struct Task {
    store::GameRange range;
    std::vector<GameId> chosen;  // used in place of the range if each call is a round trip
};

/// Notes the plies of a game that match a sequence. Keeps its buffers.
class Replayer {
  public:
    /// The sequence must outlive it.
    explicit Replayer(const PatternSequence& pattern) : pattern_(pattern) {
        if (!pattern.is_position()) matcher_.emplace(pattern.steps());
    }

    /// Returns whether the game matches.
    bool replay(GameId game, const store::StoredMoves& moves) {
        plies_.clear();
        const bool is_standard = chess::has_standard_rules(moves.facts.variant);
        if (!matcher_) {
            is_standard ? find_positions(game, moves) : find_positions_of_variant(game, moves);
            return !plies_.empty();
        }
        steps_.clear();
        if (is_standard ? show_steps(game, moves) : show_steps_of_variant(game, moves)) {
            matcher_->finish(plies_, steps_);
        }
        return !plies_.empty();
    }
    /// The plies at which matches of the last game begin.
    [[nodiscard]] const Plies& plies() const { return plies_; }
    void set_hit(GameId game, const store::StoredMoves& moves, Hit& hit) const;

  private:
    void find_positions_of_variant(GameId game, const store::StoredMoves& moves);
    void find_positions(GameId game, const store::StoredMoves& moves);
    // Show a game to the matcher. Return false if it cannot match.
    bool show_steps_of_variant(GameId game, const store::StoredMoves& moves);
    bool show_steps(GameId game, const store::StoredMoves& moves);

    const PatternSequence& pattern_;
    std::optional<SequenceMatcher> matcher_;  // unless a pattern of the position is enough
    Plies plies_;
    Plies steps_;
};

void Replayer::find_positions_of_variant(GameId game, const store::StoredMoves& moves) {
    replay::for_each_position(game, moves, [&](const auto& walk) {
        if (pattern_.positions().matches(walk.position())) plies_.push_back(walk.ply());
    });
}

void Replayer::find_positions(GameId game, const store::StoredMoves& moves) {
    const PositionPattern& pattern = pattern_.positions();
    chess::BareBoard board(replay::start_position(game, moves));
    codec::BitReader bits(moves.moves);
    unsigned cases = pattern.material_cases(board);
    for (std::uint32_t ply = 0;; ++ply) {
        if (cases != 0 && pattern.squares_match(board, cases)) plies_.push_back(ply);
        if (ply == moves.facts.plies) return;
        chess::Move move;
        chess::PieceType moved;
        if (!codec::decode_move(bits, board, move, moved)) replay::throw_damaged_moves(game, ply);
        const bool material_changes = board.play(move, moved);
        if (!material_changes && moved != chess::PieceType::kPawn) continue;
        if (!pattern.may_come(board)) return;
        if (material_changes) cases = pattern.material_cases(board);
    }
}

bool Replayer::show_steps_of_variant(GameId game, const store::StoredMoves& moves) {
    bool has_positions = false;
    replay::for_each_position(game, moves, [&](const auto& walk) {
        const auto& position = walk.position();
        if (!std::exchange(has_positions, true)) matcher_->start(position);
        matcher_->count_pieces(position);
        const chess::Move move = walk.next_move();
        const bool is_drop = !walk.at_end() && move.kind() == chess::MoveKind::kDrop;
        const chess::PieceType moved = walk.at_end() ? chess::PieceType::kNone
                                       : is_drop     ? static_cast<chess::PieceType>(move.from())
                                                 : chess::type_of(position.piece_on(move.from()));
        matcher_->visit(walk.ply(), position, walk.at_end() ? nullptr : &move, moved);
    });
    return has_positions;
}

bool Replayer::show_steps(GameId game, const store::StoredMoves& moves) {
    chess::BareBoard board(replay::start_position(game, moves));
    codec::BitReader bits(moves.moves);
    matcher_->start(board);
    for (std::uint32_t ply = 0;; ++ply) {
        if (ply == moves.facts.plies) {
            matcher_->visit(ply, board, nullptr, chess::PieceType::kNone);
            return true;
        }
        chess::Move move;
        chess::PieceType moved;
        if (!codec::decode_move(bits, board, move, moved)) replay::throw_damaged_moves(game, ply);
        matcher_->visit(ply, board, &move, moved);
        const bool material_changes = board.play(move, moved);
        if (!material_changes && moved != chess::PieceType::kPawn) continue;
        if (!matcher_->may_come(board)) return false;
        if (material_changes) matcher_->count_pieces(board);
    }
}

void Replayer::set_hit(GameId game, const store::StoredMoves& moves, Hit& hit) const {
    hit.game = game;
    hit.plies = plies_;
    hit.steps = steps_;
    hit.variant = moves.facts.variant;
    replay::with_walk(game, moves, [&](auto& walk) {
        while (walk.ply() < plies_.front() && !walk.at_end()) walk.advance();
        hit.position = walk.position();
        hit.next = walk.at_end() ? std::nullopt : std::optional(walk.next_move());
    });
}

/// Restricts the filter to standard chess unless it names a variant: equal boards of different
/// variants do not match.
GameFilter of_one_variant(GameFilter filter) {
    if (!filter.variant) filter.variant = chess::Variant::kStandard;
    return filter;
}

}  // namespace

/// Scans games in one thread and keeps its buffers.
class PatternScanner {
  public:
    /// The arguments must outlive the scanner.
    PatternScanner(store::StoreReader& reader, GameMatcher& matcher, const PatternSequence& pattern,
                   std::stop_token stop)
        : reader_(reader),
          matcher_(matcher),
          replayer_(pattern),
          conditions_(pattern.conditions()),
          stop_token_(stop),
          stop_requested_(std::move(stop)) {}

    /// Returns a task with the next games of a range and removes them from the range; empty if no
    /// games are left. If each call is a round trip, these are games that may match.
    std::optional<Task> next_task(store::GameRange& rest) {
        if (!reader_.is_remote()) {
            const auto games = take_front(rest, kGamesPerTask);
            return games ? std::optional(Task{*games, {}}) : std::nullopt;
        }
        Task task;
        task.chosen = possible_games(rest, kGamesPerTask);
        if (task.chosen.empty()) return std::nullopt;
        rest.first = task.chosen.back() + 1;
        return task;
    }

    /// Calls found(game, moves, replayer) for the games of a task that match, in order, until
    /// `stop` is set.
    template <typename Found>
    void scan(const Task& task, const std::atomic<bool>& stop, Found found) {
        const bool is_chosen = reader_.is_remote();
        candidates_ = is_chosen ? task.chosen : possible_games(task.range, kGamesPerTask);
        if (candidates_.empty()) return;
        const auto check = [&](GameId id, const store::StoredMoves& moves) {
            stop_requested_();
            if (replayer_.replay(id, moves)) found(id, moves, replayer_);
        };
        if (is_chosen ||
            candidates_.size() * kDenseShare < task.range.last - task.range.first + 1) {
            const std::size_t at_once = is_chosen ? reader_.games_at_once().most : kGamesAtOnce;
            std::span<const GameId> rest = candidates_;
            while (!rest.empty() && !stop) {
                const auto batch = rest.first(std::min(at_once, rest.size()));
                rest = rest.subspan(batch.size());
                std::size_t read = 0;
                reader_.moves(batch, [&](GameId id, const store::StoredMoves& moves) {
                    if (id != batch[read]) replay::throw_damaged_moves(batch[read], 0);
                    ++read;
                    check(id, moves);
                });
                if (read != batch.size()) replay::throw_damaged_moves(batch[read], 0);
            }
            return;
        }
        auto next = candidates_.begin();
        reader_.for_each_moves(*next, [&](GameId id, const store::StoredMoves& moves) {
            if (id != *next) return true;
            check(id, moves);
            return ++next != candidates_.end() && !stop;
        });
    }

  private:
    std::vector<GameId> possible_games(const store::GameRange& games, std::size_t most) {
        return reader_.engine().possible_games(matcher_.filter(), conditions_, games, most,
                                               stop_token_);
    }

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    Replayer replayer_;
    std::vector<codec::SignatureCondition> conditions_;
    std::stop_token stop_token_;
    base::StopCheck stop_requested_;
    std::vector<GameId> candidates_;
};

namespace {

/// The reader of a thread, with its matcher and scanner.
class Worker {
  public:
    Worker(store::Store& store, const PatternSequence& pattern, const ScanOptions& options)
        : reader_(store.reader()),
          matcher_(*reader_, of_one_variant(options.filter), options.stop),
          scanner_(*reader_, matcher_, pattern, options.stop) {}

    GameId last_game() { return reader_->last_game(); }
    bool is_remote() { return reader_->is_remote(); }
    PatternScanner& scanner() { return scanner_; }

  private:
    store::Reader reader_;
    GameMatcher matcher_;
    PatternScanner scanner_;
};

/// Workers call scan(scanner, games, stop) -> Result. This thread calls take(Result), in order;
/// take() returns whether to go on.
template <typename Scan, typename Take>
void for_each_range(store::Store& store, const PatternSequence& pattern, const ScanOptions& options,
                    Scan scan, Take take) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    std::deque<Worker> workers;
    workers.emplace_back(store, pattern, options);
    store::GameRange rest{1, workers.front().last_game()};
    // If each call is a round trip, the first worker chooses games while the others scan.
    const unsigned choosing = workers.front().is_remote() ? 1 : 0;
    const std::uint64_t tasks = (rest.last + kGamesPerTask - 1) / kGamesPerTask;
    const auto threads = static_cast<unsigned>(std::clamp<std::uint64_t>(
        options.threads != 0 ? options.threads : cores, 1, std::max<std::uint64_t>(tasks, 1)));
    while (workers.size() < threads + choosing) workers.emplace_back(store, pattern, options);

    std::atomic<bool> stop = false;
    base::run_ordered(
        threads, 2 * std::size_t{threads} + 2,
        [&] { return stop ? std::optional<Task>() : workers.front().scanner().next_task(rest); },
        [&](unsigned thread, const Task& games) {
            return scan(workers[thread + choosing].scanner(), games, stop);
        },
        [&](auto result) {
            if (!stop && !take(result)) stop = true;
        });
}

}  // namespace

void find_pattern(store::Store& store, const PatternSequence& pattern, const ScanOptions& options,
                  const std::function<bool(const Hit&)>& visit) {
    for_each_range(
        store, pattern, options,
        [](PatternScanner& scanner, const Task& games, const std::atomic<bool>& stop) {
            std::vector<Hit> hits;
            scanner.scan(games, stop,
                         [&](GameId game, const store::StoredMoves& moves, const Replayer& found) {
                             found.set_hit(game, moves, hits.emplace_back());
                         });
            return hits;
        },
        [&](const std::vector<Hit>& hits) { return std::ranges::all_of(hits, visit); });
}

bool find_pattern_in(store::StoreReader& reader, const PatternSequence& pattern, GameId game,
                     Hit& out) {
    store::StoredMoves moves;
    if (!reader.moves(game, moves)) return false;
    Replayer replayer(pattern);
    if (!replayer.replay(game, moves)) return false;
    replayer.set_hit(game, moves, out);
    return true;
}

Count count_pattern(store::Store& store, const PatternSequence& pattern,
                    const ScanOptions& options) {
    Count total;
    for_each_range(
        store, pattern, options,
        [](PatternScanner& scanner, const Task& games, const std::atomic<bool>& stop) {
            Count count;
            scanner.scan(games, stop,
                         [&](GameId, const store::StoredMoves&, const Replayer& found) {
                             ++count.games;
                             count.occurrences += found.plies().size();
                         });
            return count;
        },
        [&](const Count& count) {
            total.games += count.games;
            total.occurrences += count.occurrences;
            return true;
        });
    return total;
}

PatternCursor::PatternCursor(store::StoreReader& reader, GameMatcher& matcher,
                             const PatternSequence& pattern, std::stop_token stop,
                             store::GameId after)
    : scanner_(std::make_unique<PatternScanner>(reader, matcher, pattern, std::move(stop))),
      rest_{after + 1, reader.last_game()} {}

PatternCursor::~PatternCursor() = default;

bool PatternCursor::next(Hit& out) {
    while (next_ == hits_.size()) {
        const auto games = scanner_->next_task(rest_);
        if (!games) return false;
        hits_.clear();
        next_ = 0;
        scanner_->scan(*games, false,
                       [&](GameId game, const store::StoredMoves& moves, const Replayer& found) {
                           found.set_hit(game, moves, hits_.emplace_back());
                       });
    }
    out = std::move(hits_[next_++]);
    return true;
}

Count PatternCursor::count() {
    Count count;
    while (const auto games = scanner_->next_task(rest_)) {
        scanner_->scan(*games, false,
                       [&](GameId, const store::StoredMoves&, const Replayer& found) {
                           ++count.games;
                           count.occurrences += found.plies().size();
                       });
    }
    return count;
}

}  // namespace fendex::query
