#include "query/repetition_analysis.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "base/stop_check.hpp"
#include "chess/movegen.hpp"
#include "chess/variant_movegen.hpp"
#include "replay/clock_rules.hpp"
#include "replay/draw_claims.hpp"

namespace fendex::query {

namespace {

bool lost(chess::Color side, codec::Result result) {
    return result ==
           (side == chess::Color::kWhite ? codec::Result::kBlackWins : codec::Result::kWhiteWins);
}

/// Returns whether a player could have claimed a draw, but the game went on and the player lost.
bool was_missed(const std::optional<Claim>& claim, const codec::GameFacts& facts) {
    return claim && facts.plies > claim->ply && lost(claim->by, facts.result);
}

/// Returns whether a player lost the game. Only such a game can have a missed claim, so others need
/// not be read.
bool is_decided(codec::Result result) {
    return result == codec::Result::kWhiteWins || result == codec::Result::kBlackWins;
}

store::GameId game_of(const store::Engine::RepetitionOfGame& row) { return row.repetition.game; }
store::GameId game_of(const store::Engine::QuietRunOfGame& row) { return row.run.game; }

/// Returns how often a position must have occurred to be examined. If it occurred only twice, a
/// player may have been able to announce the third occurrence.
std::uint32_t min_count_of(const RepetitionQuery& query) {
    if (query.looks_for_announced() && query.min_count <= 3) return 2;
    return std::max(query.min_count, 2U);
}

bool has_legal_move(const chess::AnyPosition& position) {
    return position.visit([](const auto& p) { return chess::has_legal_move(p); });
}

AnnouncedClaim claim_of(replay::AnnouncedFiftieth&& announced) {
    return {{announced.ply, announced.by}, std::move(announced.move), {announced.ply}};
}

void require_within(store::GameId game, std::uint32_t ply, const codec::GameFacts& facts) {
    if (ply <= facts.plies) return;
    throw store::DamageError("damaged database: game " + std::to_string(game) + " has no ply " +
                             std::to_string(ply));
}

}  // namespace

void RepetitionAnalysis::for_each(const RepetitionQuery& query,
                                  const std::function<bool(const RepeatedPosition&)>& visit,
                                  std::stop_token stop) {
    store::Engine::RepetitionQuestion question{
        matcher_.filter(), min_count_of(query), {}, query.game, query.missed};
    if (query.position) question.key = query.position->key();
    std::vector<RepeatedPosition> of_game;
    reader_.engine().for_each_repetition(
        question, query.first_game,
        [&](std::span<const store::Engine::RepetitionOfGame> rows) {
            expect_games_of(rows);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto& [repetition, facts] = rows[i];
                of_game.push_back({.repetition = repetition, .facts = facts});
                const bool ends =
                    i + 1 == rows.size() || rows[i + 1].repetition.game != repetition.game;
                if (ends && !visit_game(query, of_game, visit)) return false;
            }
            return true;
        },
        std::move(stop));
}

/// Calls visit() for the repetitions collected of a game, and clears them. Returns whether to go
/// on.
bool RepetitionAnalysis::visit_game(const RepetitionQuery& query,
                                    std::vector<RepeatedPosition>& of_game,
                                    const std::function<bool(const RepeatedPosition&)>& visit) {
    std::ranges::sort(of_game, {}, [](const auto& each) { return each.repetition.plies.front(); });
    for (const RepeatedPosition& each : of_game) {
        require_within(each.repetition.game, each.repetition.plies.back(), each.facts);
    }
    const bool studies = query.checks || query.perpetual || query.looks_for_announced();
    if (studies && !of_game.empty()) study(query, of_game);
    bool more = true;
    for (RepeatedPosition& each : of_game) {
        if (complete(query, each)) more = visit(each);
        if (!more) break;
    }
    of_game.clear();
    return more;
}

/// Replays a game up to its last repetition, or as long as a repetition could be announced.
void RepetitionAnalysis::study(const RepetitionQuery& query,
                               std::vector<RepeatedPosition>& of_game) {
    std::vector<const store::RepeatedPosition*> repetitions;
    repetitions.reserve(of_game.size());
    for (const RepeatedPosition& each : of_game) repetitions.push_back(&each.repetition);
    const store::GameId game = of_game.front().repetition.game;
    enter(game);
    const bool announced = query.looks_for_announced();
    auto studies = replay::study_repetitions(game, moves_, repetitions, announced);
    for (std::size_t i = 0; i < of_game.size(); ++i) {
        RepeatedPosition& each = of_game[i];
        replay::RepetitionStudy& study = studies[i];
        each.white_checks = study.white_checks;
        each.black_checks = study.black_checks;
        if (study.announced_plies.empty()) continue;
        const std::uint32_t ply = study.announced_plies.front();
        each.announced_claim = {{ply, side_to_move(game, ply)},
                                std::move(study.announced_move),
                                std::move(study.announced_plies)};
    }
}

/// Completes a repeated position. Returns false if it does not meet the query.
bool RepetitionAnalysis::complete(const RepetitionQuery& query, RepeatedPosition& out) {
    const store::Repetition& repetition = out.repetition;
    if (query.position &&
        !position(repetition.game, repetition.plies.front()).same_as(*query.position)) {
        return false;
    }
    if (query.perpetual && !out.white_checks && !out.black_checks) return false;
    out.third_ply = repetition.occurrence(3);
    out.fifth_ply = repetition.occurrence(5);
    if (out.third_ply) {
        out.played_on = out.facts.plies - *out.third_ply;
        out.claim = Claim{*out.third_ply, side_to_move(repetition.game, *out.third_ply)};
    }
    if (query.missed) {
        return was_missed(out.claim, out.facts) || was_missed(out.announced_claim, out.facts);
    }
    return repetition.plies.size() >= query.min_count || out.announced_claim;
}

void RepetitionAnalysis::for_each_run(const ClockQuery& query,
                                      const std::function<bool(const ClockRun&)>& visit,
                                      std::stop_token stop) {
    // Runs that end before fifty moves are not stored. They are found by a replay and merged with
    // the stored runs.
    std::vector<ClockRun> announced;
    if (query.looks_for_announced() && query.rule == ClockQuery::Rule::kFiftyMoves) {
        announced = announced_runs(query, stop);
    }
    std::size_t next = 0;
    bool more = true;
    const auto visit_announced_before = [&](store::GameId game, std::uint32_t ply50) {
        for (; more && next < announced.size(); ++next) {
            const ClockRun& each = announced[next];
            const std::uint32_t reached = each.announced_claim->ply + 1;
            if (std::tie(each.game, reached) > std::tie(game, ply50)) return;
            if (each.game == game && reached == ply50) continue;  // the stored run itself
            more = visit(each);
        }
    };
    for_each_stored_run(
        query,
        [&](const store::QuietRun& run, const codec::GameFacts& facts) {
            visit_announced_before(run.game, run.ply50);
            ClockRun out{.game = run.game,
                         .facts = facts,
                         .ply50 = run.ply50,
                         .ply75 = run.ply75,
                         .longest = run.longest};
            if (more && complete(query, out)) more = visit(out);
            return more;
        },
        std::move(stop));
    visit_announced_before(std::numeric_limits<store::GameId>::max(), 0);
}

void RepetitionAnalysis::for_each_stored_run(const ClockQuery& query, const VisitRun& visit,
                                             std::stop_token stop) {
    const store::Engine::QuietRunQuestion question{
        matcher_.filter(), query.game, query.rule == ClockQuery::Rule::kSeventyFiveMoves,
        query.missed};
    reader_.engine().for_each_quiet_run(
        question, 1,
        [&](std::span<const store::Engine::QuietRunOfGame> rows) {
            expect_games_of(rows);
            return std::ranges::all_of(rows,
                                       [&](const auto& row) { return visit(row.run, row.facts); });
        },
        std::move(stop));
}

/// Finds moves that would have completed fifty moves of each side, in all games of the query.
std::vector<ClockRun> RepetitionAnalysis::announced_runs(const ClockQuery& query,
                                                         const std::stop_token& stop) {
    std::vector<ClockRun> runs;
    base::StopCheck check(stop);
    const auto examine = [&](store::GameId game, const store::StoredMoves& moves) {
        check();
        if (query.missed && !is_decided(moves.facts.result)) return;
        for (replay::AnnouncedFiftieth& each : replay::announced_fiftieth_moves(game, moves)) {
            ClockRun run{.game = game, .facts = moves.facts, .longest = each.longest};
            run.announced_claim = claim_of(std::move(each));
            if (query.missed && !was_missed(run.announced_claim, run.facts)) continue;
            runs.push_back(std::move(run));
        }
    };
    if (query.game) {
        if (store::StoredMoves moves; matcher_(*query.game) && reader_.moves(*query.game, moves)) {
            examine(*query.game, moves);
        }
        return runs;
    }
    const std::size_t most = reader_.games_at_once().most;
    for (store::GameId after = 0;;) {
        const auto games = reader_.engine().games_for_clock(
            matcher_.filter(), replay::kFiftyMoves - 1, after, most, stop);
        if (games.empty()) return runs;
        reader_.moves(games, examine);
        after = games.back();
    }
}

/// Completes a run. Returns false if it does not meet the query.
bool RepetitionAnalysis::complete(const ClockQuery& query, ClockRun& out) {
    out.ply = query.rule == ClockQuery::Rule::kFiftyMoves ? out.ply50 : out.ply75;
    if (!out.ply) return false;
    require_within(out.game, std::max(*out.ply, *out.ply50), out.facts);
    out.played_on = out.facts.plies - *out.ply;
    const std::uint32_t ply = *out.ply50;
    // If there is no legal move, the game is over and nobody can claim a draw.
    if (ply < out.facts.plies || has_legal_move(position(out.game, ply))) {
        out.claim = Claim{ply, side_to_move(out.game, ply)};
    }
    if (query.looks_for_announced()) {
        enter(out.game);
        for (auto& each : replay::announced_fiftieth_moves(out.game, moves_)) {
            if (each.ply + 1 == ply) out.announced_claim = claim_of(std::move(each));
        }
    }
    return !query.missed || was_missed(out.claim, out.facts) ||
           was_missed(out.announced_claim, out.facts);
}

void RepetitionAnalysis::enter(store::GameId game) {
    if (game_ == game) return;
    walk_.reset();
    game_ = 0;
    if (const auto known = expected_.find(game); known != expected_.end()) {
        moves_ = known->second;
    } else if (!reader_.moves(game, moves_)) {
        store::throw_no_game(game);
    }
    walk_.emplace(game, moves_);
    first_side_ = walk_->position().side_to_move();
    game_ = game;
}

/// Computes the side from the ply, without replaying the game.
chess::Color RepetitionAnalysis::side_to_move(store::GameId game, std::uint32_t ply) {
    enter(game);
    return ply % 2 == 0 ? first_side_ : ~first_side_;
}

void RepetitionAnalysis::expect(std::span<const store::GameId> games) {
    if (!reader_.is_remote()) return;
    expected_.clear();
    reader_.moves(games, [&](store::GameId game, const store::StoredMoves& moves) {
        expected_.emplace(game, moves);
    });
}

template <typename Rows>
void RepetitionAnalysis::expect_games_of(const Rows& rows) {
    if (!reader_.is_remote()) return;
    std::vector<store::GameId> games;
    for (const auto& row : rows) {
        const store::GameId game = game_of(row);
        if (games.empty() || games.back() != game) games.push_back(game);
    }
    expect(games);
}

chess::AnyPosition RepetitionAnalysis::position(store::GameId game, std::uint32_t ply) {
    walk_to(game, ply);
    return walk_->position();
}

std::pair<chess::AnyPosition, chess::Move> RepetitionAnalysis::move_before(store::GameId game,
                                                                           std::uint32_t ply) {
    walk_to(game, ply - 1);
    if (walk_->at_end()) {
        walk_->require_intact();
        require_within(game, ply, moves_.facts);
    }
    return {walk_->position(), walk_->next_move()};
}

void RepetitionAnalysis::walk_to(store::GameId game, std::uint32_t ply) {
    enter(game);
    if (walk_->ply() > ply) walk_.emplace(game, moves_);
    while (walk_->ply() < ply) {
        if (walk_->at_end()) {
            walk_->require_intact();
            require_within(game, ply, moves_.facts);
        }
        walk_->advance();
    }
}

}  // namespace fendex::query
