// Takes games that are known already out of a batch that has been read.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/posting.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// Takes the games of which `known` is true out of the batch, with their errors, and numbers those
/// that stay from `first` on; the same with their postings, which are all of the batch.
void leave_out(const std::vector<bool>& known, store::GameId first, store::NewGames& batch,
               std::vector<codec::Posting>& postings);

}  // namespace fendex::ingest
