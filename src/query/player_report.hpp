// Reports on one player in the games of a database: scores by colour, year and opponents' rating,
// the rating over time, and openings with results.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "store/engine.hpp"

namespace fendex::query {

/// Results from the player's point of view.
struct PlayerScore {
    std::uint64_t games = 0;
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;

    /// Returns the score of one game.
    [[nodiscard]] static PlayerScore of(codec::Result result, bool white);
    /// Returns the score of the player who had this colour in all of the games.
    [[nodiscard]] static PlayerScore of(const codec::ResultCounts& results, chess::Color side);
    void add(const PlayerScore& other);
    /// Returns the games with a result.
    [[nodiscard]] std::uint64_t decided() const { return wins + draws + losses; }
    /// Returns wins and half of the draws, in percent of the games with a result; 0 if there are
    /// none.
    [[nodiscard]] double percent() const;
    bool operator==(const PlayerScore&) const = default;
};

struct PlayerReport {
    PlayerScore white;
    PlayerScore black;

    struct Year {
        std::uint32_t year = 0;  // 0: unknown
        PlayerScore score;
    };
    std::vector<Year> years;  // ascending

    /// Opponents whose rating is in a range of store::Engine::kRatingStep points.
    struct Opponents {
        std::uint32_t low = 0;  // 0: without a rating
        PlayerScore score;
    };
    std::vector<Opponents> opponents;  // ascending

    /// The player's rating in the last game of a month.
    struct Rating {
        std::uint32_t month = 0;  // yyyymm
        std::uint32_t rating = 0;
        std::uint64_t games = 0;  // games of the month with a rating
    };
    std::vector<Rating> ratings;  // ascending; games without a month are left out

    struct Opening {
        bool white = false;  // the player's colour
        std::string eco;     // eco and name are empty if there is no opening
        std::string name;
        PlayerScore score;
    };
    std::vector<Opening> openings;  // as White first, then by number of games, most first
};

/// Makes a report from the games of one database or several.
class PlayerReporter {
  public:
    /// The players with these names count as one. A game between two of them counts for both sides.
    explicit PlayerReporter(std::vector<std::string> names);

    /// Adds the games that fit. Throws base::Stopped after a stop was requested.
    void add(store::StoreReader& reader, GameMatcher& matcher, std::stop_token stop = {});
    [[nodiscard]] PlayerReport report() const;

  private:
    using SideSums = store::Engine::SideSums;

    template <typename IsBefore>
    static void add_months(const std::vector<SideSums::Month>& more,
                           std::map<std::uint32_t, SideSums::Month>& sums, IsBefore is_before);

    std::vector<std::string> names_;
    PlayerScore white_;
    PlayerScore black_;
    std::map<std::uint32_t, PlayerScore> years_;
    std::map<std::uint32_t, PlayerScore> opponents_;
    std::map<std::uint32_t, SideSums::Month> months_;
    std::array<std::map<std::string, PlayerScore>, 2> openings_;  // by colour and text
};

}  // namespace fendex::query
