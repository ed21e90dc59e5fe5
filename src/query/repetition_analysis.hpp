// Finds repeated positions and long runs of the halfmove clock, from facts that the import has
// stored: which positions were repeated, who could have claimed a draw (FIDE 9.2, 9.3), which games
// should have ended (9.6). Games are replayed to find claims by announcing a move, and who gave
// check. Plies are counted from the start, which is ply 0. Belongs to the reader's thread. Throws
// StoreError if the database is damaged.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "chess/any_position.hpp"
#include "query/game_filter.hpp"
#include "replay/stored_walk.hpp"
#include "store/engine.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// A draw that a player could have claimed.
struct Claim {
    std::uint32_t ply = 0;
    chess::Color by = chess::Color::kWhite;
};

/// A draw that a player could have claimed by announcing a move. The move would have repeated the
/// position for the third time (FIDE 9.2.1), or completed fifty moves of each side (9.3.1). It may
/// have been played or not.
struct AnnouncedClaim : Claim {
    std::string move;                  // in SAN; one of the moves that could be announced
    std::vector<std::uint32_t> plies;  // at which the same claim was possible, `ply` first
};

/// The conditions on listed repetitions; all must hold.
struct RepetitionQuery {
    std::uint32_t min_count = 3;
    std::optional<store::GameId> game = {};
    /// Only this position.
    std::optional<chess::AnyPosition> position = {};
    /// Only repetitions for which a player could have claimed a draw, but the game went on and the
    /// player lost.
    bool missed = false;
    /// Also looks for claims by announcing a move; so does `missed`. A position that occurred twice
    /// counts if the third occurrence could have been announced and min_count is at most 3.
    bool announced = false;
    /// Only repetitions in which one side gave check with every move from the first occurrence to
    /// the last.
    bool perpetual = false;
    /// Rows say who gave check with every move; that takes a replay of each game.
    bool checks = true;
    /// Games with a lower number are skipped.
    store::GameId first_game = 1;

    bool looks_for_announced() const { return announced || missed; }
};

struct RepeatedPosition {
    store::Repetition repetition;
    codec::GameFacts facts;  // of the game
    std::optional<std::uint32_t> third_ply = {};
    std::optional<std::uint32_t> fifth_ply = {};
    /// Plies played after the third occurrence.
    std::optional<std::uint32_t> played_on = {};
    /// The claim of the player to move at the third occurrence.
    std::optional<Claim> claim = {};
    /// The first claim of the other player by announcing a move to the position; only if the query
    /// looks for such claims.
    std::optional<AnnouncedClaim> announced_claim = {};
    // The side gave check with every move from the first occurrence to the last; only if the query
    // looks for announced claims, for perpetual check or for this.
    bool white_checks = false;
    bool black_checks = false;
};

/// The conditions on listed runs without capture and pawn move; all must hold.
struct ClockQuery {
    enum class Rule { kFiftyMoves, kSeventyFiveMoves };
    Rule rule = Rule::kFiftyMoves;
    std::optional<store::GameId> game = {};
    bool missed = false;
    /// Also looks for claims by announcing a move; so does `missed`. With kFiftyMoves, a run in
    /// which the fiftieth move could have been announced, but was not played, counts, too.
    bool announced = false;

    bool looks_for_announced() const { return announced || missed; }
};

/// A run that reached the limit of the query's rule, or could have.
struct ClockRun {
    store::GameId game = 0;
    codec::GameFacts facts;
    // The plies at which the run reached the limit of the query's rule, fifty moves, and
    // seventy-five moves; empty if it did not.
    std::optional<std::uint32_t> ply = {};
    std::optional<std::uint32_t> ply50 = {};
    std::optional<std::uint32_t> ply75 = {};
    std::uint32_t longest = 0;                    // the clock at the end of the run
    std::optional<std::uint32_t> played_on = {};  // plies after `ply`
    /// The claims by the fifty-move rule; seventy-five moves end the game without a claim.
    std::optional<Claim> claim = {};
    std::optional<AnnouncedClaim> announced_claim = {};

    /// Returns the ply to show for the run: `ply`, or that of the announced move.
    std::uint32_t shown_ply() const { return ply ? *ply : announced_claim->ply; }
};

class RepetitionAnalysis {
  public:
    /// Only games that fit the matcher are examined. Reader and matcher must outlive the analysis.
    RepetitionAnalysis(store::StoreReader& reader, GameMatcher& matcher)
        : reader_(reader), matcher_(matcher) {}

    /// Call visit() in the order of games and, within a game, of first occurrences or of plies,
    /// until it returns false. Throw base::Stopped soon after a stop was requested.
    void for_each(const RepetitionQuery& query,
                  const std::function<bool(const RepeatedPosition&)>& visit,
                  std::stop_token stop = {});
    void for_each_run(const ClockQuery& query, const std::function<bool(const ClockRun&)>& visit,
                      std::stop_token stop = {});

    /// Returns a game's position at a ply. Cheap if called in the order of for_each().
    chess::AnyPosition position(store::GameId game, std::uint32_t ply);
    /// Returns the move that led to a ply (1 or later), and the position before the move.
    std::pair<chess::AnyPosition, chess::Move> move_before(store::GameId game, std::uint32_t ply);
    /// If each call is a round trip, reads the moves of these games in one call, because their
    /// positions are needed next. Otherwise does nothing.
    void expect(std::span<const store::GameId> games);

  private:
    using VisitRun = std::function<bool(const store::QuietRun&, const codec::GameFacts&)>;
    void for_each_stored_run(const ClockQuery& query, const VisitRun& visit, std::stop_token stop);
    std::vector<ClockRun> announced_runs(const ClockQuery& query, const std::stop_token& stop);
    template <typename Rows>
    void expect_games_of(const Rows& rows);
    void walk_to(store::GameId game, std::uint32_t ply);
    bool visit_game(const RepetitionQuery& query, std::vector<RepeatedPosition>& of_game,
                    const std::function<bool(const RepeatedPosition&)>& visit);
    void study(const RepetitionQuery& query, std::vector<RepeatedPosition>& of_game);
    bool complete(const RepetitionQuery& query, RepeatedPosition& out);
    bool complete(const ClockQuery& query, ClockRun& out);
    void enter(store::GameId game);
    chess::Color side_to_move(store::GameId game, std::uint32_t ply);

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    store::GameId game_ = 0;  // the game that walk_ is in
    store::StoredMoves moves_;
    chess::Color first_side_ = chess::Color::kWhite;
    std::optional<replay::AnyWalk> walk_;
    std::unordered_map<store::GameId, store::StoredMoves> expected_;
};

}  // namespace fendex::query
