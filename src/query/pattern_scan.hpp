// Finds games that reach a position with a pattern. Scans the packed moves of all games on several
// threads, skipping games whose signature shows that they cannot match. Damage is thrown as
// StoreError; a stop that was requested as base::Stopped.
#pragma once

#include <functional>
#include <stop_token>

#include "query/position_pattern.hpp"
#include "query/position_search.hpp"
#include "store/store.hpp"

namespace fendex::query {

struct ScanOptions {
    unsigned threads = 0;  // 0: as many as the machine has
    GameFilter filter;     // only games that fit are scanned
    std::stop_token stop = {};
};

/// Calls visit() for games in order, with every ply that matches, until it returns false. Calls
/// come from this thread.
void find_pattern(store::Store& store, const PositionPattern& pattern, const ScanOptions& options,
                  const std::function<bool(const Hit&)>& visit);

/// Scans one game; false if it never matches.
bool find_pattern_in(store::StoreReader& reader, const PositionPattern& pattern, store::GameId game,
                     Hit& out);

Count count_pattern(store::Store& store, const PositionPattern& pattern,
                    const ScanOptions& options);

}  // namespace fendex::query
