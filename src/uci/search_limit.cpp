#include "uci/search_limit.hpp"

#include <algorithm>

namespace fendex::uci {

bool SearchLimit::is_met_by(const codec::PositionRecord& record, std::size_t pvs) const {
    return std::ranges::any_of(record.evaluations, [&](const codec::Evaluation& search) {
        if (search.pvs.size() < pvs) return false;
        if (search.pvs.front().score.is_mate) return true;
        switch (kind) {
            case Kind::kNodes: return search.nodes >= value;
            case Kind::kDepth: return search.depth >= value;
            case Kind::kMilliseconds: return true;
        }
        return false;
    });
}

}  // namespace fendex::uci
