// Sums up the repetitions of one or several databases in a few numbers. Reads the facts that the
// import has stored, and replays only the games that the summary names. Must be called in the
// readers' thread. Throws StoreError if a database is damaged.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "query/repetition_analysis.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct RepetitionSummary {
    std::uint64_t games = 0;  // games that fit
    // Games with a position that occurred at least twice, three times, five times.
    std::uint64_t twofold = 0;
    std::uint64_t threefold = 0;
    std::uint64_t fivefold = 0;
    std::uint64_t draws = 0;
    /// Draws whose last position occurred at least three times.
    std::uint64_t draws_by_repetition = 0;
    // Games in which the halfmove clock reached 100, and 150.
    std::uint64_t fifty_moves = 0;
    std::uint64_t seventy_five_moves = 0;

    /// A position that games repeated.
    struct Position {
        std::uint64_t key = 0;
        std::string epd;
        std::uint64_t games = 0;
        store::GameId game = 0;    // the first of these games
        std::size_t database = 0;  // its index
    };
    std::vector<Position> positions;  // sorted by number of games, most first

    /// The repetition of a game that has the most plies between its first and last occurrence.
    struct Shuffle {
        store::Repetition repetition;
        std::string epd;
        std::size_t database = 0;  // its index
        std::uint32_t length() const { return repetition.plies.back() - repetition.plies.front(); }
    };
    std::vector<Shuffle> shuffles;  // the longest first, one per game
};

/// A database, and the matcher that selects its games.
struct SummarySource {
    store::StoreReader* reader = nullptr;
    GameMatcher* matcher = nullptr;
};

/// Lists positions and shuffles with at least `min_count` occurrences in a game, at most `top` of
/// each. Throws base::Stopped soon after a stop was requested.
[[nodiscard]] RepetitionSummary summarize_repetitions(std::span<const SummarySource> sources,
                                                      std::uint32_t min_count, std::size_t top,
                                                      std::stop_token stop = {});

}  // namespace fendex::query
