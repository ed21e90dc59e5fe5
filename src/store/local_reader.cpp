#include "store/local_reader.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "base/key_text.hpp"

namespace fendex::store {

namespace {

std::size_t bytes_of(const PositionSums& sums) {
    std::size_t bytes = sizeof sums;
    for (const MoveSums& move : sums.moves) {
        bytes += sizeof move + (move.top_games.size() + move.recent_games.size()) * sizeof(GameId);
    }
    return bytes;
}

std::size_t bytes_of(const codec::Tally& sums) { return sizeof sums; }

/// Returns what `read` returns for a key. It is kept in the snapshot cache if it has sums.
template <typename Read>
auto kept_if_summed(LocalReader& reader, std::string_view what, std::uint64_t key, Read read) {
    using Kept = decltype(read(key));
    const std::string name = base::KeyText(what).add(key).text();
    if (auto known = reader.snapshot_cache().get<Kept>(name)) return known;
    auto kept = std::make_shared<const Kept>(read(key));
    if (kept->sums.empty()) return kept;
    std::size_t bytes = name.size() + SnapshotCache::kItemBytes + sizeof *kept +
                        kept->candidates.size() * sizeof(Candidate);
    for (const auto& sums : kept->sums) bytes += bytes_of(sums);
    reader.snapshot_cache().put(name, kept, bytes);
    return kept;
}

}  // namespace

PositionTotals LocalReader::totals(std::uint64_t key) {
    PositionOverview overview = this->overview(key);
    PositionTotals out;
    out.candidates = std::move(overview.candidates);
    for (const PositionSums& sums : overview.sums) out.sums.push_back(sums.total);
    return out;
}

std::shared_ptr<const PositionOverview> overview_of_position(LocalReader& reader,
                                                             std::uint64_t key) {
    return kept_if_summed(reader, "overview", key,
                          [&](std::uint64_t asked) { return reader.overview(asked); });
}

std::shared_ptr<const PositionTotals> totals_of_position(LocalReader& reader, std::uint64_t key) {
    return kept_if_summed(reader, "totals", key,
                          [&](std::uint64_t asked) { return reader.totals(asked); });
}

}  // namespace fendex::store
