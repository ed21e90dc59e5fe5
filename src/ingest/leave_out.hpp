// Takes games that are stored already out of a batch that has been read.
#pragma once

#include <vector>

#include "store/records.hpp"

namespace fendex::ingest {

/// Takes the games of which `known` is true out of the batch, with the errors in them, and counts
/// them as its duplicates. Returns whether the last game was one of them.
bool leave_out(const std::vector<bool>& known, store::NewGames& batch);

}  // namespace fendex::ingest
