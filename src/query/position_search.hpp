// Finds the games that reached a position. Each hit was verified by replaying the game and
// comparing positions. Functions with a stop token throw base::Stopped soon after a stop was
// requested.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
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
    /// Returns the targets for the engine.
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
    /// Of a sequence: the plies of its steps, and of each move of a route, in the match that begins
    /// first. Empty if a match has one ply.
    std::vector<std::uint32_t> steps = {};
};

struct Count {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
};

class HitCursor;
class VariationHitCursor;

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
    /// Returns the first `most` games in `order` that had the key of the position, with their
    /// ranks. Use find_in() to compare positions.
    [[nodiscard]] std::vector<RankedGame> ranked_games(const Question& question, GameOrder order,
                                                       std::size_t most, std::stop_token stop = {});

    /// Counts games and occurrences. Positions with several postings are counted by their 64-bit
    /// keys. With `verify`, all games are replayed instead.
    [[nodiscard]] Count count(const Question& question, bool verify, std::stop_token stop = {});
    /// Counts the games of each question, in one call to the engine.
    [[nodiscard]] std::vector<std::uint64_t> count_games(std::span<const Question> questions,
                                                         std::stop_token stop = {});

    GameMatcher& matcher() { return matcher_; }

    /// Returns whether the stored sums of a position are enough: the question has one position, and
    /// all games fit.
    bool sums_suffice(const Question& question) const {
        return question.targets.size() == 1 && matcher_.takes_all();
    }

  private:
    friend class HitCursor;
    friend class VariationHitCursor;
    /// Returns the hits in variations of each game.
    std::vector<std::vector<Hit>> variation_hits(const Question& question,
                                                 std::span<const store::GameId> games);

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    store::StoredMoves moves_;
    Hit hit_;
};

}  // namespace fendex::query
