// Positions that many games reach have rows of their own: a summary, so that counts and trees need
// one short read, and the postings in chunks, group by group. Decoders check every bound. Do not
// change: on disk (schema/FORMAT.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/game_facts.hpp"
#include "codec/key_block.hpp"
#include "codec/named_games.hpp"

namespace fendex::codec {

/// Sums over distinct games; `occurrences` also counts repeats within a game.
struct Tally {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;
    ResultCounts results;
    std::uint64_t white_elo_sum = 0;
    std::uint64_t white_elo_games = 0;
    std::uint64_t black_elo_sum = 0;
    std::uint64_t black_elo_games = 0;
    Date first_date;  // 0: no game has a date
    Date last_date;

    /// Adds a game. Each game may be added only once.
    void add_game(const GameFacts& facts);
    void add(const Tally& other);
    /// Subtracts a game that was added. The dates stay, because other games may have the same ones.
    void remove_game(const GameFacts& facts);
    /// Does the same with several games.
    void remove_games(const Tally& other);
    void add_dates(const Tally& other);
    bool operator==(const Tally&) const = default;
};

/// The games that played one move from a position.
struct GroupSummary {
    chess::Move next;
    Tally tally;
    std::vector<std::uint32_t> top_games;     // best rated first
    std::vector<std::uint32_t> recent_games;  // latest date first
    std::uint32_t chunks = 0;                 // of postings; chunks are stored group after group
};

struct PositionSummary {
    // Counts each game once. A game that came back and played another move is in two groups.
    Tally total;
    std::vector<GroupSummary> groups;
};

[[nodiscard]] std::string encode_summary(const PositionSummary& summary);
[[nodiscard]] std::optional<PositionSummary> decode_summary(std::string_view bytes);
/// Returns PositionSummary::total only: the rest is not read, and may be wrong.
[[nodiscard]] std::optional<Tally> decode_total(std::string_view bytes);

/// Cuts the sorted postings of one group into chunks that each fit a block.
[[nodiscard]] std::vector<std::string> encode_big_postings(std::span<const Posting> group,
                                                           const SegmentShape& shape);
/// Appends the postings of a chunk to `out`.
[[nodiscard]] BlockStatus decode_big_postings(std::string_view chunk, const SegmentShape& shape,
                                              std::uint64_t key, std::vector<Posting>& out);

/// Like decode_big_postings(), but appends only the games, each as often as it has a posting, and
/// sets `next` to the move of all of them.
[[nodiscard]] BlockStatus decode_big_games(std::string_view chunk, const SegmentShape& shape,
                                           chess::Move& next, std::vector<std::uint32_t>& games);

}  // namespace fendex::codec
