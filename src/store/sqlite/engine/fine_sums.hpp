// Answers from fine sums (codec/fine_sums.hpp): those that the file has and, for positions that are
// asked for again, those that were made by looking at all games of the position once. The latter
// are kept in the snapshot cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/stop_check.hpp"
#include "codec/fine_sums.hpp"
#include "replay/occurrence_reader.hpp"
#include "store/engine.hpp"
#include "store/game_filter.hpp"
#include "store/game_range.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/position_scan.hpp"

namespace fendex::store {

/// What an answer needs besides the sums over the games that fit.
struct FineNeeds {
    std::size_t named_games = 0;  // for each sum
    bool months = false;          // the games of a sum must be of one month
    bool may_leave_out = false;   // some games may have to be scanned, if a date cuts a month
};

/// Sums over the games of a position that fit a filter.
struct FineAnswer {
    struct Sum {
        chess::Move next;
        GameId first_game = 0;  // the named games count from it
        const codec::FineSum* sum;
    };
    std::shared_ptr<const FineOverview> owner;  // of the sums
    std::vector<Sum> sums;
    /// Games that are in several moves, once for each further one.
    std::vector<const codec::FineSum*> again;
    /// The games that are in no sum, because a sum over them has some that fit: scan_left_out().
    std::vector<GameRange> left_out;

    /// The candidates that are in no sum; those whose facts fit must still be tested.
    const std::vector<Candidate>& candidates() const { return owner->candidates; }
};

/// Does what the filter does, for a filter of this kind.
[[nodiscard]] bool fits(const GameFilter& filter, const codec::GameFacts& facts);

/// Whether the games of a sum fit a filter.
enum class FineFit : std::uint8_t { kNone, kAll, kSome };
/// For filters of this kind.
[[nodiscard]] FineFit fit_of(const GameFilter& filter, const codec::FineSum& sum);

/// Appends the occurrences of the answer's candidates that fit the filter.
void append_candidates(LocalReader& reader, const Engine::Target& target, const FineAnswer& fine,
                       const GameFilter& filter, std::vector<replay::Occurrence>& out,
                       base::StopCheck& stop);

/// Returns the answer for a position; empty if the targets are not one position, if the filter is
/// of another kind, if a sum has games that fit and others that do not (of games that cannot be
/// left out), or if there are no sums. Throws base::Stopped.
[[nodiscard]] std::optional<FineAnswer> fine_answer(LocalReader& reader, Engine::Targets targets,
                                                    const GameFilter& filter,
                                                    const FineNeeds& needs, base::StopCheck& stop);

/// Sums up the games that the answer leaves out, without other candidates. `fitting` has the filter
/// of the answer. Throws base::Stopped.
[[nodiscard]] PositionScan scan_left_out(LocalReader& reader, std::uint64_t key,
                                         const FineAnswer& fine, const FittingGames& fitting,
                                         const ScanSums& sums, base::StopCheck& stop);

}  // namespace fendex::store
