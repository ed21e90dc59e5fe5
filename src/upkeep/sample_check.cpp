#include "upkeep/sample_check.hpp"

#include <algorithm>
#include <span>

namespace fendex::upkeep {

void append_wanted(store::GameId game, const replay::GameRecord& trace,
                   std::vector<WantedPosting>& out) {
    const std::vector<std::uint64_t>& keys = trace.keys();
    const std::vector<chess::Move>& moves = trace.moves();
    for (std::uint32_t ply = 0; ply < keys.size(); ++ply) {
        out.push_back(
            {keys[ply], game, ply, ply < moves.size() ? moves[ply] : codec::kGameEndsHere});
    }
}

void find_postings(store::RawRows& raw_rows, std::span<const WantedPosting> wanted,
                   Findings& findings) {
    std::vector<bool> found;
    while (!wanted.empty()) {
        const std::uint64_t key = wanted.front().key;
        std::size_t size = 1;
        while (size < wanted.size() && wanted[size].key == key) ++size;
        const std::span<const WantedPosting> here = wanted.first(size);
        wanted = wanted.subspan(size);
        found.assign(size, false);
        try {
            raw_rows.for_each_indexed(key, [&](std::span<const store::Candidate> candidates) {
                for (const store::Candidate& candidate : candidates) {
                    auto at = std::lower_bound(
                        here.begin(), here.end(), candidate.game,
                        [](const WantedPosting& a, store::GameId game) { return a.game < game; });
                    for (; at != here.end() && at->game == candidate.game; ++at) {
                        // A singleton is stored without its ply.
                        if (!candidate.ply ||
                            (*candidate.ply == at->ply && candidate.next == at->next)) {
                            found[static_cast<std::size_t>(at - here.begin())] = true;
                        }
                    }
                }
            });
        } catch (const store::DamageError& error) {
            findings.add({.kind = "block", .key = key, .message = error.what()});
            continue;
        }
        for (std::size_t i = 0; i < size; ++i) {
            if (found[i]) continue;
            findings.add({.kind = "posting",
                          .game = here[i].game,
                          .ply = here[i].ply,
                          .key = key,
                          .message = "the posting of this ply is not in the index"});
        }
    }
}

}  // namespace fendex::upkeep
