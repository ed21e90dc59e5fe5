// Checks that every posting of some games is in the index. Postings are looked up key by key, so a
// few games take a few look-ups, whatever the size of the index.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "codec/posting.hpp"
#include "replay/game_trace.hpp"
#include "store/sqlite/repair/raw_rows.hpp"
#include "upkeep/damage.hpp"

namespace fendex::upkeep {

/// An expected posting: this game stood in this position at this ply.
struct WantedPosting {
    std::uint64_t key = 0;
    store::GameId game = 0;
    std::uint32_t ply = 0;
    chess::Move next;

    auto operator<=>(const WantedPosting& other) const {
        return std::tie(key, game, ply) <=> std::tie(other.key, other.game, other.ply);
    }
    bool operator==(const WantedPosting&) const = default;
};

void append_wanted(store::GameId game, const replay::GameRecord& trace,
                   std::vector<WantedPosting>& out);

/// `wanted` must be sorted. Different threads may check different keys, but all postings of a key
/// must go to one thread.
void find_postings(store::RawRows& raw_rows, std::span<const WantedPosting> wanted,
                   Findings& findings);

}  // namespace fendex::upkeep
