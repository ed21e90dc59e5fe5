// How long an engine searches a position, and whether a search that is known was as long.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chess/any_position.hpp"
#include "codec/position_record.hpp"

namespace fendex::uci {

struct SearchLimit {
    enum class Kind { kNodes, kDepth, kMilliseconds };
    Kind kind = Kind::kNodes;
    std::uint64_t value = 1'000'000;

    /// Returns whether the record has a search that was as long, with at least so many PVs. A
    /// forced mate is always enough. A record does not say how many milliseconds a search took:
    /// then each search is enough.
    bool is_met_by(const codec::PositionRecord& record, std::size_t pvs) const;
};

}  // namespace fendex::uci
