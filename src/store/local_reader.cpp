#include "store/local_reader.hpp"

#include "base/key_text.hpp"

namespace fendex::store {

std::shared_ptr<const PositionOverview> overview_of_position(LocalReader& reader,
                                                             std::uint64_t key) {
    const std::string name = base::KeyText("overview").add(key).text();
    if (auto known = reader.snapshot_cache().get<PositionOverview>(name)) return known;
    const auto overview = std::make_shared<PositionOverview>(reader.overview(key));
    if (overview->sums.empty()) return overview;
    std::size_t bytes = sizeof *overview + overview->candidates.size() * sizeof(Candidate);
    for (const PositionSums& sums : overview->sums) {
        bytes += sizeof sums;
        for (const MoveSums& move : sums.moves) {
            bytes +=
                sizeof move + (move.top_games.size() + move.recent_games.size()) * sizeof(GameId);
        }
    }
    reader.snapshot_cache().put(name, overview, bytes);
    return overview;
}

}  // namespace fendex::store
