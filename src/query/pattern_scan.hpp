// Finds games that reach a position with a pattern, or that match a sequence of steps. Scans the
// packed moves of all games on several threads, skipping games whose signature shows that they
// cannot match. Functions throw StoreError if the database is damaged, and base::Stopped after a
// stop was requested.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "query/pattern_sequence.hpp"
#include "query/position_search.hpp"
#include "store/store.hpp"

namespace fendex::query {

struct ScanOptions {
    unsigned threads = 0;  // 0: as many as the machine has
    GameFilter filter;     // only games that fit are scanned
    std::stop_token stop = {};
};

/// Calls visit() for each matching game, in order, with every ply at which a match begins, until it
/// returns false. Calls are made in the caller's thread.
void find_pattern(store::Store& store, const PatternSequence& pattern, const ScanOptions& options,
                  const std::function<bool(const Hit&)>& visit);

class PatternScanner;

/// Returns the hits of a scan one by one, with one reader in one thread.
class PatternCursor {
  public:
    /// Finds games after `after` that fit the matcher, whose filter must have a variant. The
    /// arguments must outlive the cursor.
    PatternCursor(store::StoreReader& reader, GameMatcher& matcher, const PatternSequence& pattern,
                  std::stop_token stop = {}, store::GameId after = 0);
    ~PatternCursor();

    [[nodiscard]] bool next(Hit& out);
    /// Counts the matching games that next() has not scanned yet.
    [[nodiscard]] Count count();

  private:
    std::unique_ptr<PatternScanner> scanner_;
    store::GameRange rest_;
    std::vector<Hit> hits_;  // of the last task
    std::size_t next_ = 0;   // index in hits_ of the hit to return next
};

/// Scans one game. Returns false if it does not exist or never matches.
[[nodiscard]] bool find_pattern_in(store::StoreReader& reader, const PatternSequence& pattern,
                                   store::GameId game, Hit& out);

[[nodiscard]] Count count_pattern(store::Store& store, const PatternSequence& pattern,
                                  const ScanOptions& options);

}  // namespace fendex::query
