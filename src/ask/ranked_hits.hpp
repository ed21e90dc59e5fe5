// The hits of all databases in another order of games than that of their numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "ask/hit_rows.hpp"
#include "ask/ranked_games.hpp"

namespace fendex::ask {

class RankedHits {
  public:
    /// Ranks the games; the page says how many are needed. The sources and the question must
    /// outlive it.
    RankedHits(Sources& sources, const HitsQuestion& question, const Page& page,
               std::stop_token stop = {});

    /// Games of one database, and their hits.
    struct Some {
        Source& source;
        std::span<const PlacedGame> games;
        std::vector<query::Hit> hits;
    };
    /// Returns the next games, at most `most`; nullopt after the last.
    [[nodiscard]] std::optional<Some> next(std::uint64_t most);
    /// Skips the next games, at most `most`, and returns how many these are.
    std::uint64_t skip(std::uint64_t most);
    /// Returns the number of games before the next one.
    [[nodiscard]] std::size_t passed() const { return next_; }
    [[nodiscard]] bool at_end() const { return next_ >= games_.size(); }
    /// Returns the number of games that were ranked: of a search for positions at least those of
    /// the page and one more, of a pattern and of evaluations all.
    [[nodiscard]] std::size_t size() const { return games_.size(); }

  private:
    std::vector<query::RankedGame> ranked_games(Source& source, const Page& page) const;
    std::vector<query::Hit> hits_in_games(Source& source, std::span<const PlacedGame> some) const;

    Sources& sources_;
    const HitsQuestion& question_;
    std::stop_token stop_;
    std::vector<PlacedGame> games_;
    std::size_t next_;  // index in games_ of the game to read next
};

}  // namespace fendex::ask
