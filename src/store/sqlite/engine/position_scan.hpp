// Sums over the games of a position that fit a filter, without making sets of them: the lists of
// the index and the facts of their games are read once, by several threads if the lists are long. A
// filter that facts decide is tested meanwhile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "codec/fine_sums.hpp"
#include "codec/named_games.hpp"
#include "store/game_range.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fact_test.hpp"
#include "store/sqlite/engine/fitting_games.hpp"

namespace fendex::store {

/// Says what to sum up. Without facts, tallies have only the numbers of games and occurrences.
struct ScanSums {
    bool facts = true;
    std::size_t named_games = 0;       // for each move, at most
    std::size_t fine_sums = 0;         // of all moves, at most
    std::size_t fine_named_games = 0;  // for each of them, at most
};

struct PositionScan {
    struct Group {
        chess::Move next;
        codec::Tally tally;
        codec::NamedGames top;
        codec::NamedGames recent;
        codec::FineSumsBuilder fine;
    };
    std::vector<Group> groups;  // in the order of the index; only those with games that fit
    codec::Tally total;         // counts each game once
    bool fine_is_whole = true;  // false: there are more fine sums; they were left out
    /// Games that fit and are in more than one group, once for each further one.
    std::vector<std::uint32_t> in_others;
    /// Candidates that are not in the sums and have not been tested.
    std::vector<Candidate> others;
};

/// Throws base::Stopped.
PositionScan scan_position(LocalReader& reader, std::uint64_t key, FittingGames& fitting,
                           const ScanSums& sums, base::StopCheck& stop);

/// Sums up only games of these parts of the index (PositionPieces::Piece::range) that fit, without
/// other candidates. Throws base::Stopped.
PositionScan scan_parts(LocalReader& reader, std::uint64_t key, std::span<const GameRange> parts,
                        const FactTest& test, const ScanSums& sums, base::StopCheck& stop);

}  // namespace fendex::store
