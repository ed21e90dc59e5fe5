#include "replay/game_trace.hpp"

#include <algorithm>
#include <utility>

#include "chess/movegen.hpp"
#include "chess/variant_movegen.hpp"
#include "codec/move_list.hpp"
#include "replay/clock_rules.hpp"

namespace fendex::replay {

namespace {

/// For runs without capture or pawn move up to this length, looking back position by position is
/// cheaper than a hash table. Runs of real games are much shorter.
constexpr std::uint32_t kLongRun = 1024;
/// Returns whether the last move won the game, which takes precedence over the clock.
bool was_won_on_the_board(const chess::Position& p) {
    return p.in_check() && !chess::has_legal_move(p);
}
bool was_won_on_the_board(const chess::VariantPosition& p) {
    return p.is_over() || (!chess::has_legal_move(p) && (p.in_check() || p.rules().must_capture));
}

}  // namespace

void GameRecord::clear() {
    shortest_return_ = 4;
    signatures_.clear();
    keys_.clear();
    moves_.clear();
    packed_.clear();
    repetitions_.clear();
    quiet_runs_.clear();
    in_quiet_run_ = false;
    repetition_of_.clear();
    last_seen_.clear();
    last_seen_plies_ = 0;
}

void GameRecord::note_repetition(std::uint32_t ply, std::uint32_t run) {
    const std::optional<std::uint32_t> earlier = previous_occurrence(ply, std::min(run, ply));
    if (!earlier) return;
    const std::uint64_t key = keys_[ply];
    const auto [known, added] = repetition_of_.try_emplace(key, repetitions_.size());
    if (added) {
        repetitions_.push_back({key, {*earlier, ply}});
    } else {
        repetitions_[known->second].plies.push_back(ply);
    }
}

/// Returns the last earlier ply with the same key since the last irreversible move.
std::optional<std::uint32_t> GameRecord::previous_occurrence(std::uint32_t ply, std::uint32_t run) {
    const std::uint64_t key = keys_[ply];
    if (run <= kLongRun) {
        for (std::uint32_t back = shortest_return_; back <= run; back += 2) {
            if (keys_[ply - back] == key) return ply - back;
        }
        return std::nullopt;
    }
    for (; last_seen_plies_ < ply; ++last_seen_plies_) {
        last_seen_[keys_[last_seen_plies_]] = static_cast<std::uint32_t>(last_seen_plies_);
    }
    const auto found = last_seen_.find(key);
    if (found == last_seen_.end()) return std::nullopt;
    return found->second;
}

void GameRecord::note_clock(std::uint32_t ply, std::uint32_t clock) {
    if (!in_quiet_run_) quiet_runs_.push_back({ply, std::nullopt, 0});
    in_quiet_run_ = true;
    store::QuietPlies& run = quiet_runs_.back();
    run.longest = clock;
    if (run.longest >= kSeventyFiveMoves && !run.ply75) run.ply75 = ply;
}

template <typename Position>
void BasicGameTrace<Position>::start(const Position& start) {
    start_ = start;
    position_ = start;
    keys_.push_back(position_.key());
    signatures_.start(position_);
    if (position_.halfmove_clock() >= kFiftyMoves && counts_to_fifty(position_)) {
        note_clock(0, position_.halfmove_clock());
    }
}

template <typename Position>
void BasicGameTrace<Position>::play(chess::Move move) {
    if (move.kind() == chess::MoveKind::kNull) shortest_return_ = 2;
    codec::encode_move(position_, move, packed_);
    position_.play(move);
    signatures_.next(position_);
    moves_.push_back(move);
    note_key();
}

template <typename Position>
void BasicGameTrace<Position>::play_known(chess::Move move) {
    if (move.kind() == chess::MoveKind::kNull) shortest_return_ = 2;
    position_.play(move);
    moves_.push_back(move);
    note_key();
}

template <typename Position>
void BasicGameTrace<Position>::finish() {
    if (!repetitions_.empty()) verify_repetitions();
    if (in_quiet_run_) give_mate_precedence();
}

/// Always inlined into play(): this saves 1 % of an import's instructions.
template <typename Position>
[[gnu::always_inline]] inline void BasicGameTrace<Position>::note_key() {
    const auto ply = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(position_.key());
    const std::uint32_t run = reversible_plies(position_);
    if (run < shortest_return_) {
        in_quiet_run_ = false;
        return;
    }
    if (position_.halfmove_clock() >= kFiftyMoves && counts_to_fifty(position_)) {
        note_clock(ply, position_.halfmove_clock());
    }
    note_repetition(ply, run);
}

/// If the last move mates or wins by the variant's rule, it does not count for the clock.
template <typename Position>
void BasicGameTrace<Position>::give_mate_precedence() {
    store::QuietPlies& run = quiet_runs_.back();
    const auto last = static_cast<std::uint32_t>(moves_.size());
    if (run.ply50 != last && run.ply75 != last) return;
    if (!was_won_on_the_board(position_)) return;
    if (run.ply75 == last) run.ply75.reset();
    if (run.ply50 == last) quiet_runs_.pop_back();
}

/// Removes plies whose positions differ from the first one with the same key (FIDE 9.2).
template <typename Position>
void BasicGameTrace<Position>::verify_repetitions() {
    std::vector<std::pair<std::uint32_t, std::size_t>> order;  // ply, index of the repetition
    for (std::size_t i = 0; i < repetitions_.size(); ++i) {
        for (const std::uint32_t ply : repetitions_[i].plies) order.emplace_back(ply, i);
        repetitions_[i].plies.clear();
    }
    std::ranges::sort(order);
    std::vector<std::optional<Position>> firsts(repetitions_.size());
    Position position = start_;
    std::uint32_t played = 0;
    for (const auto& [ply, i] : order) {
        while (played < ply) position.play(moves_[played++]);
        if (!firsts[i]) firsts[i] = position;
        if (firsts[i]->same_as(position)) repetitions_[i].plies.push_back(ply);
    }
    std::erase_if(repetitions_, [](const auto& r) { return r.plies.size() < 2; });
}

template class BasicGameTrace<chess::Position>;
template class BasicGameTrace<chess::VariantPosition>;

void AnyTrace::clear() {
    with_trace([](auto& trace) { trace.clear(); });  // the other trace is empty
    record_ = &standard_;
}

void AnyTrace::start(const chess::AnyPosition& start) {
    if (const chess::VariantPosition* const position = start.of_variant()) {
        record_ = &variant_;
        variant_.start(*position);
    } else {
        standard_.start(*start.standard());
    }
}

template <typename Play>
void AnyTrace::replay_while(const chess::AnyPosition& start, std::string_view packed_moves,
                            std::uint32_t plies, Play play) {
    clear();
    this->start(start);
    with_trace([&](auto& trace) {
        codec::MoveListReader moves(packed_moves);
        chess::Move move;
        while (trace.moves().size() < plies && moves.next(trace.position(), move) &&
               play(trace, move)) {
        }
        trace.finish();
    });
}

void AnyTrace::replay(const chess::AnyPosition& start, std::string_view packed_moves,
                      std::uint32_t plies) {
    replay_while(start, packed_moves, plies, [](auto& trace, chess::Move move) {
        if (!trace.position().is_legal(move)) return false;
        trace.play(move);
        return true;
    });
}

void AnyTrace::replay_known(const chess::AnyPosition& start, std::string_view packed_moves,
                            std::uint32_t plies) {
    replay_while(start, packed_moves, plies, [](auto& trace, chess::Move move) {
        trace.play_known(move);
        return true;
    });
}

void AnyTrace::finish() {
    with_trace([](auto& trace) { trace.finish(); });
}

}  // namespace fendex::replay
