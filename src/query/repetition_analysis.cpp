#include "query/repetition_analysis.hpp"

#include <algorithm>
#include <string>

#include "base/stop_check.hpp"

namespace fendex::query {

namespace {

/// Rows that an engine lists at once. The first lists are shorter, so that the first row comes
/// soon.
constexpr std::size_t kFirstRowsListed = 64;
constexpr std::size_t kMostRowsListed = 4096;

bool lost(chess::Color side, codec::Result result) {
    return result ==
           (side == chess::Color::kWhite ? codec::Result::kBlackWins : codec::Result::kWhiteWins);
}

/// Returns whether a player could have claimed a draw and lost the game. A claim that announces a
/// move comes before the move, so there the game has always gone on.
bool was_missed(const std::optional<Claim>& claim, const codec::GameFacts& facts) {
    return claim && facts.plies > claim->ply && lost(claim->by, facts.result);
}

/// Returns whether a claim of the game can have been missed; no game need be read otherwise.
bool is_decided(codec::Result result) {
    return result == codec::Result::kWhiteWins || result == codec::Result::kBlackWins;
}

store::GameId game_of(const store::Engine::RepetitionOfGame& row) { return row.repetition.game; }
store::GameId game_of(const store::Engine::QuietRunOfGame& row) { return row.run.game; }

std::uint32_t min_count_of(const RepetitionQuery& query) {
    return std::max(query.min_count, query.missed ? 3U : 2U);
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
    if (store::Engine* const engine = reader_.engine()) {
        return for_each_of(*engine, query, visit, std::move(stop));
    }
    base::StopCheck check(std::move(stop));
    const std::uint32_t min_count = min_count_of(query);
    std::vector<RepeatedPosition> of_game;
    store::GameId last = 0;
    bool fits = false;
    codec::GameFacts facts;
    bool more = true;
    const auto take = [&](const store::Repetition& each) {
        check();
        if (each.game != last) {
            more = visit_game(query, of_game, visit);
            if (!more) return false;
            if (query.game && each.game != *query.game) return each.game < *query.game;
            last = each.game;
            fits = last >= query.first_game;
            if (!fits) return true;
            facts = reader_.facts(each.game);
            fits = (!query.missed || is_decided(facts.result)) && matcher_(each.game);
        }
        if (fits) of_game.push_back({each, facts, {}, {}, {}, {}, {}});
        return true;
    };
    if (query.position) {
        reader_.for_each_repetition_of(query.position->key(), min_count, take);
    } else {
        reader_.for_each_repetition(query.game.value_or(query.first_game), min_count, take);
    }
    if (more) visit_game(query, of_game, visit);
}

void RepetitionAnalysis::for_each_of(store::Engine& engine, const RepetitionQuery& query,
                                     const std::function<bool(const RepeatedPosition&)>& visit,
                                     std::stop_token stop) {
    store::Engine::RepetitionQuestion question{
        matcher_.filter(), min_count_of(query), {}, query.game, query.missed};
    if (query.position) question.key = query.position->key();
    store::GameId from = query.first_game;
    std::vector<RepeatedPosition> of_game;
    for (std::size_t most = kFirstRowsListed;; most = std::min(4 * most, kMostRowsListed)) {
        const auto rows = engine.repetitions(question, from, most, stop);
        if (rows.empty()) return;
        expect_games_of(rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto& [repetition, facts] = rows[i];
            of_game.push_back({repetition, facts, {}, {}, {}, {}, {}});
            const bool ends =
                i + 1 == rows.size() || rows[i + 1].repetition.game != repetition.game;
            if (ends && !visit_game(query, of_game, visit)) return;
        }
        from = rows.back().repetition.game + 1;
    }
}

/// Hands out and clears what has been collected of a game.
bool RepetitionAnalysis::visit_game(const RepetitionQuery& query,
                                    std::vector<RepeatedPosition>& of_game,
                                    const std::function<bool(const RepeatedPosition&)>& visit) {
    std::sort(of_game.begin(), of_game.end(), [](const auto& a, const auto& b) {
        return a.repetition.plies.front() < b.repetition.plies.front();
    });
    bool more = true;
    for (RepeatedPosition& each : of_game) {
        if (complete(query, each)) more = visit(each);
        if (!more) break;
    }
    of_game.clear();
    return more;
}

/// Returns false if the query does not want it.
bool RepetitionAnalysis::complete(const RepetitionQuery& query, RepeatedPosition& out) {
    const store::Repetition& repetition = out.repetition;
    require_within(repetition.game, repetition.plies.back(), out.facts);
    if (query.position &&
        !position(repetition.game, repetition.plies.front()).same_as(*query.position)) {
        return false;
    }
    out.third_ply = repetition.occurrence(3);
    out.fifth_ply = repetition.occurrence(5);
    if (out.third_ply) {
        const std::uint32_t third = *out.third_ply;
        out.played_on = out.facts.plies - third;
        const chess::Color side = side_to_move(repetition.game, third);
        out.claim = Claim{third, side};
        if (query.announced) out.announced_claim = Claim{third - 1, ~side};
    }
    return !query.missed || was_missed(out.claim, out.facts) ||
           was_missed(out.announced_claim, out.facts);
}

void RepetitionAnalysis::for_each_run(const ClockQuery& query,
                                      const std::function<bool(const ClockRun&)>& visit,
                                      std::stop_token stop) {
    if (store::Engine* const engine = reader_.engine()) {
        return for_each_run_of(*engine, query, visit, std::move(stop));
    }
    base::StopCheck check(std::move(stop));
    reader_.for_each_quiet_run(query.game.value_or(1), [&](const store::QuietRun& run) {
        check();
        if (query.game && run.game != *query.game) return false;
        ClockRun out{run, reader_.facts(run.game), 0, 0, {}, {}};
        if (query.missed && !is_decided(out.facts.result)) return true;
        if (!matcher_(run.game) || !complete(query, out)) return true;
        return visit(out);
    });
}

void RepetitionAnalysis::for_each_run_of(store::Engine& engine, const ClockQuery& query,
                                         const std::function<bool(const ClockRun&)>& visit,
                                         std::stop_token stop) {
    const store::Engine::QuietRunQuestion question{
        matcher_.filter(), query.game, query.rule == ClockQuery::Rule::kSeventyFiveMoves,
        query.missed};
    store::GameId from = 1;
    for (std::size_t most = kFirstRowsListed;; most = std::min(4 * most, kMostRowsListed)) {
        const auto rows = engine.quiet_runs(question, from, most, stop);
        if (rows.empty()) return;
        expect_games_of(rows);
        for (const auto& [run, facts] : rows) {
            ClockRun out{run, facts, 0, 0, {}, {}};
            if (complete(query, out) && !visit(out)) return;
        }
        from = rows.back().run.game + 1;
    }
}

bool RepetitionAnalysis::complete(const ClockQuery& query, ClockRun& out) {
    if (query.rule == ClockQuery::Rule::kFiftyMoves) {
        out.ply = out.run.ply50;
    } else {
        if (!out.run.ply75) return false;
        out.ply = *out.run.ply75;
    }
    require_within(out.run.game, std::max(out.ply, out.run.ply50), out.facts);
    out.played_on = out.facts.plies - out.ply;
    const std::uint32_t ply = out.run.ply50;
    const chess::Color side = side_to_move(out.run.game, ply);
    out.claim = Claim{ply, side};
    // A starting position with such a clock was not reached by a move of this game.
    if (query.announced && ply > 0) out.announced_claim = Claim{ply - 1, ~side};
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
        throw store::DamageError("damaged database: no game " + std::to_string(game));
    }
    walk_.emplace(game, moves_);
    first_side_ = walk_->position().side_to_move();
    game_ = game;
}

/// Computed from the ply without replaying the game.
chess::Color RepetitionAnalysis::side_to_move(store::GameId game, std::uint32_t ply) {
    enter(game);
    return ply % 2 == 0 ? first_side_ : ~first_side_;
}

void RepetitionAnalysis::expect(std::span<const store::GameId> games) {
    if (reader_.engine() == nullptr) return;
    expected_.clear();
    reader_.moves(games, [&](store::GameId game, const store::StoredMoves& moves) {
        expected_.emplace(game, moves);
    });
}

template <typename Rows>
void RepetitionAnalysis::expect_games_of(const Rows& rows) {
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
