#include "ingest/game_trace.hpp"

#include <algorithm>
#include <utility>

#include "chess/movegen.hpp"
#include "codec/move_list.hpp"

namespace fendex::ingest {

namespace {

/// Up to this length of a run without capture or pawn move, looking back position by position is
/// cheaper than a hash table; real games stay far below.
constexpr std::uint32_t kLongRun = 1024;
/// What the halfmove clock shows after fifty, and seventy-five, moves of each side.
constexpr std::uint32_t kFiftyMoves = 100;
constexpr std::uint32_t kSeventyFiveMoves = 150;

}  // namespace

void GameTrace::clear() {
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

void GameTrace::start(const chess::Position& start) {
    start_ = start;
    position_ = start;
    keys_.push_back(position_.key());
    signatures_.start(position_);
    if (position_.halfmove_clock() >= kFiftyMoves) note_clock(0);
}

void GameTrace::play(chess::Move move) {
    if (move.kind() == chess::MoveKind::kNull) shortest_return_ = 2;
    codec::encode_move(position_, move, packed_);
    position_.play(move);
    signatures_.next(position_);
    moves_.push_back(move);
    note_key();
}

void GameTrace::finish() {
    if (!repetitions_.empty()) verify_repetitions();
    if (in_quiet_run_) give_mate_precedence();
}

void GameTrace::note_key() {
    const auto ply = static_cast<std::uint32_t>(keys_.size());
    const std::uint64_t key = position_.key();
    keys_.push_back(key);
    if (position_.halfmove_clock() < shortest_return_) {
        in_quiet_run_ = false;
        return;
    }
    if (position_.halfmove_clock() >= kFiftyMoves) note_clock(ply);
    const std::optional<std::uint32_t> earlier = previous_occurrence(ply);
    if (!earlier) return;
    const auto [known, added] = repetition_of_.try_emplace(key, repetitions_.size());
    if (added) {
        repetitions_.push_back({0, key, {*earlier, ply}});
    } else {
        repetitions_[known->second].plies.push_back(ply);
    }
}

/// The last ply before with the same key, within the moves that can be taken back.
std::optional<std::uint32_t> GameTrace::previous_occurrence(std::uint32_t ply) {
    const std::uint32_t run = std::min(position_.halfmove_clock(), ply);
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

void GameTrace::note_clock(std::uint32_t ply) {
    if (!in_quiet_run_) quiet_runs_.push_back({0, ply, std::nullopt, 0});
    in_quiet_run_ = true;
    store::QuietRun& run = quiet_runs_.back();
    run.longest = position_.halfmove_clock();
    if (run.longest >= kSeventyFiveMoves && !run.ply75) run.ply75 = ply;
}

/// A game that ended by mate was not drawn by the clock in the same move.
void GameTrace::give_mate_precedence() {
    store::QuietRun& run = quiet_runs_.back();
    const auto last = static_cast<std::uint32_t>(moves_.size());
    if (run.ply50 != last && run.ply75 != last) return;
    if (!position_.in_check() || chess::has_legal_move(position_)) return;
    if (run.ply75 == last) run.ply75.reset();
    if (run.ply50 == last) quiet_runs_.pop_back();
}

/// Equal keys brought the plies together; only equal positions (FIDE 9.2) keep them so.
void GameTrace::verify_repetitions() {
    std::vector<std::pair<std::uint32_t, std::size_t>> order;  // ply, index of the repetition
    for (std::size_t i = 0; i < repetitions_.size(); ++i) {
        for (const std::uint32_t ply : repetitions_[i].plies) order.emplace_back(ply, i);
        repetitions_[i].plies.clear();
    }
    std::sort(order.begin(), order.end());
    std::vector<std::optional<chess::Position>> firsts(repetitions_.size());
    chess::Position position = start_;
    std::uint32_t played = 0;
    for (const auto& [ply, i] : order) {
        while (played < ply) position.play(moves_[played++]);
        if (!firsts[i]) firsts[i] = position;
        if (firsts[i]->same_as(position)) repetitions_[i].plies.push_back(ply);
    }
    std::erase_if(repetitions_, [](const auto& r) { return r.plies.size() < 2; });
}

}  // namespace fendex::ingest
