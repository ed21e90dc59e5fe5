// Which games come to a position that looks like this? A scan over the packed moves of all games on
// several threads, which skips the games whose signature tells that they cannot match. Damage is
// thrown as StoreError.
#pragma once

#include <functional>
#include <string>

#include "query/position_pattern.hpp"
#include "query/position_search.hpp"

namespace fendex::query {

struct ScanOptions {
    unsigned threads = 0;  // 0: as many as the machine has
    GameFilter filter;     // only games that fit
};

/// Games in order, with every ply that matches, until visit() returns false; visit() is called from
/// this thread.
void find_pattern(const std::string& database, const PositionPattern& pattern,
                  const ScanOptions& options, const std::function<bool(const Hit&)>& visit);

/// One game; false where it never matches.
bool find_pattern_in(store::StoreReader& reader, const PositionPattern& pattern, store::GameId game,
                     Hit& out);

Count count_pattern(const std::string& database, const PositionPattern& pattern,
                    const ScanOptions& options);

}  // namespace fendex::query
