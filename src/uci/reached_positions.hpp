// The positions that the most games have reached, for engines to evaluate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "chess/any_position.hpp"
#include "emit/position_export.hpp"

namespace fendex::uci {

/// A position as packed bits (codec/packed_position.hpp), which take little memory.
using PackedPosition = std::string;
PackedPosition pack_position(const chess::AnyPosition& position);
/// The bits must come from pack_position().
chess::AnyPosition unpack_position(const PackedPosition& bits);

struct ReachedPositions {
    /// The most reached first; of equally many games, the position that was reached first.
    std::vector<PackedPosition> positions;
    bool has_more = false;  // which may be wanted or not
};

/// Returns the `most` (not 0) most reached positions of the games of a job for which wanted()
/// returns true. It is called in the calling thread, for no more positions than necessary. If the
/// job's progress() throws, the work ends.
ReachedPositions reached_positions(const emit::ExportJob& job, const emit::PositionChoice& choice,
                                   std::size_t most,
                                   const std::function<bool(const chess::AnyPosition&)>& wanted);

}  // namespace fendex::uci
