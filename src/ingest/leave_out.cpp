#include "ingest/leave_out.hpp"

#include <algorithm>

namespace fendex::ingest {

bool leave_out(const std::vector<bool>& known, store::NewGames& batch) {
    batch.duplicates = static_cast<std::uint64_t>(std::ranges::count(known, true));
    if (batch.duplicates == 0) return false;
    std::erase_if(batch.errors, [&](const auto& each) { return each.game && known[*each.game]; });
    for (store::NewError& each : batch.errors) {
        if (!each.game) continue;
        const auto end = known.begin() + static_cast<std::ptrdiff_t>(*each.game);
        *each.game -= static_cast<std::size_t>(std::count(known.begin(), end, true));
    }
    std::size_t i = 0;
    std::erase_if(batch.games, [&](const auto&) { return known[i++]; });
    return known.back();
}

}  // namespace fendex::ingest
