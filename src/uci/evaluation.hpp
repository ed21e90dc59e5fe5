// Evaluates positions with several engines at once, and stores what they say as records. The
// records are committed every second, so that whatever ends the program loses no more than that and
// the positions in work.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "store/store.hpp"
#include "uci/engine.hpp"
#include "uci/reached_positions.hpp"
#include "uci/search_limit.hpp"

namespace fendex::uci {

struct EvaluationProgress {
    std::uint64_t done = 0;
    double seconds = 0;  // since the engines began to search
};

struct EvaluationJob {
    EngineChoice engine;
    unsigned engines = 1;
    SearchLimit limit;
    /// The options as they were typed, for the ledger.
    std::string as_given = {};
    /// Returns positions to be evaluated, in their order; none at the end. It is called when all
    /// before are evaluated and stored. The engine is one of those that will search.
    std::function<std::vector<PackedPosition>(const Engine& engine)> next_positions;
    /// Called now and then in the calling thread.
    std::function<void(const EvaluationProgress&)> progress = {};
};

struct EvaluationSummary {
    std::string engine;  // its name; empty if none was needed
    std::uint64_t evaluated = 0;
    /// Positions of which no search is stored that meets the limit, although they were searched:
    /// the engine ended before, or a deeper search of fewer nodes is kept.
    std::uint64_t unmet = 0;
    bool stopped = false;
    /// The error of the first engine that failed; null if none did.
    std::exception_ptr failure;
};

/// Evaluates the positions of a job. Throws StoreError.
EvaluationSummary evaluate_positions(store::Store& store, const EvaluationJob& job);

}  // namespace fendex::uci
