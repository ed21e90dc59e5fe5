// Removes games that are already stored from a batch that has been read.
#pragma once

#include <vector>

#include "store/records.hpp"

namespace fendex::ingest {

/// Removes the games for which `known` is true from the batch, with their errors, and counts them
/// as its duplicates. Returns whether the last game was one of them.
bool leave_out(const std::vector<bool>& known, store::NewGames& batch);

}  // namespace fendex::ingest
