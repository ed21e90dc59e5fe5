// What a spelling file says of the names of a database.
#pragma once

#include <stop_token>
#include <vector>

#include "ingest/name_file.hpp"
#include "ingest/spelling_file.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

/// Returns the names of players, events and sites that the file spells otherwise, each joined to
/// its right spelling. A spelling that is not in the file, but made by its rules, counts if it
/// makes names of the database one. A player whom the file does not know by name is found by the
/// FIDE number of his or her games, if that player's name fits (base/name_fit.hpp); for this the
/// tags of all games are read. Throws base::Stopped after a stop was requested.
[[nodiscard]] std::vector<ingest::NamedJoin> joins_of_spellings(store::LocalReader& reader,
                                                                const ingest::SpellingFile& file,
                                                                const std::stop_token& stop = {});

}  // namespace fendex::query
