// Finds the games that reached a position. Each hit was verified by replaying the game and
// comparing positions. Functions with a stop token throw base::Stopped soon after a stop was
// requested.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/stop_check.hpp"
#include "query/game_filter.hpp"
#include "query/position_games.hpp"
#include "query/position_match.hpp"
#include "store/engine.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// The positions to look for. A game that reached any of them is found. A target may have only a
/// key, without a position; then only keys are compared.
struct Question {
    struct Target {
        std::uint64_t key = 0;
        std::optional<chess::AnyPosition> position;
        bool mirrored = false;
    };
    std::vector<Target> targets;

    static Question of(const chess::AnyPosition& position, Match match = Match::kExact);
    static Question of_key(std::uint64_t key) { return {{{key, std::nullopt, false}}}; }
    /// Returns the targets for an engine.
    [[nodiscard]] std::vector<store::Engine::Target> keys() const;
};

struct Hit {
    store::GameId game = 0;
    std::vector<std::uint32_t> plies;  // all plies that match, ascending
    chess::Variant variant = chess::Variant::kStandard;
    /// The position when the game first reached it, and the move played from there (empty at the
    /// game's end).
    chess::AnyPosition position;
    std::optional<chess::Move> next;
    /// The moves of the variation after it left the game; empty for a hit in the game itself.
    std::string line;
};

struct Count {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
};

/// One occurrence of the position in a game, and the move that was played from there
/// (codec::kGameEndsHere if none).
struct Occurrence {
    store::GameId game = 0;
    chess::Move next;
    bool mirrored = false;  // colours are exchanged in the position and in the move
};

/// Returns the games of a set that fit, ascending.
std::vector<std::uint32_t> fitting(const GameSet& games, GameMatcher& matcher);
/// Returns the unverified games as candidates without a ply.
std::vector<store::Candidate> candidates_of(const PositionGames& games);

class GamesInOrder;
class ReachedGames;
class HitCursor;

class PositionSearch {
  public:
    /// Only games that fit the matcher are found. Reader and matcher must outlive the search.
    PositionSearch(store::StoreReader& reader, GameMatcher& matcher)
        : reader_(reader), matcher_(matcher) {}

    /// Calls visit() for the hits in the order of games until it returns false.
    void find(const Question& question, const std::function<bool(const Hit&)>& visit,
              std::stop_token stop = {});
    /// Like find(), but also finds hits in indexed variations. The game's own hit comes first, then
    /// one hit for each place where a variation reached the position, in the order of the text.
    void find_with_variations(const Question& question,
                              const std::function<bool(const Hit&)>& visit,
                              std::stop_token stop = {});
    /// Searches one game. Returns false if it never reached the position.
    [[nodiscard]] bool find_in(const Question& question, store::GameId game, Hit& out);
    /// Searches these games, which must exist, in their order. Calls visit() for those that reached
    /// the position.
    void find_in(const Question& question, std::span<const store::GameId> games,
                 const std::function<void(const Hit&)>& visit);
    /// Returns the first `most` games in `order` that may have reached the position, with their
    /// ranks. Use find_in() to verify them.
    [[nodiscard]] std::vector<RankedGame> ranked_games(const Question& question, GameOrder order,
                                                       std::size_t most, std::stop_token stop = {});

    /// Counts games and occurrences. Positions with several postings are counted by their 64-bit
    /// keys. With `verify`, all games are replayed instead.
    [[nodiscard]] Count count(const Question& question, bool verify, std::stop_token stop = {});
    /// Counts the games of each question. An engine counts for all questions in one call.
    [[nodiscard]] std::vector<std::uint64_t> count_games(std::span<const Question> questions,
                                                         std::stop_token stop = {});

    /// Appends the occurrences among these candidates of a target that are in games that fit, in
    /// their order.
    void append_occurrences(const Question::Target& target,
                            std::span<const store::Candidate> candidates,
                            std::vector<Occurrence>& out, base::StopCheck& stop);
    /// Returns the occurrences of all targets in games that fit, in no particular order.
    std::vector<Occurrence> occurrences(const Question& question, std::stop_token stop = {});

    /// Returns the games of the question's position as sets. Null if the question has several
    /// positions or a mirrored one.
    std::shared_ptr<const PositionGames> position_games(const Question& question,
                                                        base::StopCheck& stop);
    /// Returns whether the result of position_games() is already known, so that the call is cheap.
    bool knows_games(const Question& question);
    GameMatcher& matcher() { return matcher_; }

    /// Returns whether the stored sums of a position are enough: the question has one position, and
    /// all games fit.
    bool sums_suffice(const Question& question) const {
        return question.targets.size() == 1 && matcher_.takes_all();
    }

  private:
    friend class HitCursor;
    friend class VariationHitCursor;
    bool read_and_replay(std::span<const Question::Target* const> targets, store::GameId game,
                         Hit& hit);

    std::vector<store::GameId> games_with_variations(const Question& question);
    /// Returns the hits in variations of each game.
    std::vector<std::vector<Hit>> variation_hits(const Question& question,
                                                 std::span<const store::GameId> games);
    std::vector<store::GameId> possible_games(const Question& question, std::stop_token stop);

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    store::StoredMoves moves_;
    Hit hit_;
};

/// Returns the hits of PositionSearch::find() one by one. Reads games in batches, only when they
/// are needed.
class HitCursor {
  public:
    /// Finds games after `after`. The search must outlive the cursor.
    HitCursor(PositionSearch& search, Question question, std::stop_token stop = {},
              store::GameId after = 0);
    ~HitCursor();
    HitCursor(const HitCursor&) = delete;
    HitCursor& operator=(const HitCursor&) = delete;

    [[nodiscard]] bool next(Hit& out);

  private:
    /// The targets to look for in a game, and the last ply to replay; empty means the game's end.
    struct Wanted {
        std::vector<const Question::Target*> targets;
        std::optional<std::uint32_t> last;
        bool once = false;  // the game has the position only once
    };

    bool next_game(store::GameId& game, Wanted& wanted);
    void use_sets(store::GameId after);
    void choose_games();
    void replay_games();

    PositionSearch& search_;
    Question question_;
    std::unique_ptr<GamesInOrder> games_;
    std::unique_ptr<ReachedGames> reached_;  // of the reader's engine; used instead of `games_`
    store::GameId after_;
    unsigned misfits_ = 0;  // candidates that the filter excluded
    // Used instead of `games_` if the sets are already known, or after many misfits.
    std::shared_ptr<const PositionGames> sets_;
    std::vector<std::uint32_t> fitting_;  // last first
    base::StopCheck stop_;
    std::size_t batch_;  // number of games to read at once
    std::size_t most_at_once_;
    std::vector<store::GameId> ids_;
    std::vector<Wanted> wanted_;  // indexed like ids_
    std::vector<Hit> hits_;       // the first `found_` are valid
    std::size_t found_ = 0;
    std::size_t next_ = 0;        // index in hits_ of the hit to return next
    std::exception_ptr failure_;  // thrown after these hits
};

/// Returns the hits of PositionSearch::find_with_variations() one by one.
class VariationHitCursor {
  public:
    /// The search must outlive the cursor.
    VariationHitCursor(PositionSearch& search, Question question, std::stop_token stop = {});

    [[nodiscard]] bool next(Hit& out);

  private:
    void read_games();

    PositionSearch& search_;
    Question question_;
    HitCursor in_games_;
    std::stop_token token_;
    base::StopCheck stop_;
    std::vector<store::GameId> games_;  // games whose variations come next, last first
    store::GameId last_listed_ = 0;     // the games up to this one have been in `games_`
    bool all_listed_ = false;
    std::vector<std::vector<Hit>> read_;  // the hits of the first of `games_`, last first
    std::vector<Hit> in_variations_;      // of one game, last first
    std::optional<Hit> in_game_;          // the next hit in a game itself
};

}  // namespace fendex::query
