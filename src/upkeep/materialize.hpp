// Writes rows for every ply after the import, the same as --ply-rows yes would have stored.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/store_reader.hpp"

namespace fendex::upkeep {

/// Estimates how many bytes the rows will take, from the rows of games spread over the database.
/// While they are written, SQLite's log beside the database takes as much again.
std::uint64_t ply_rows_bytes(store::StoreReader& reader);

/// Writes all rows in one transaction and returns their number; 0 if the database has them already.
/// progress() is called from time to time with the number written.
std::uint64_t materialize(const std::string& database,
                          const std::function<void(std::uint64_t rows)>& progress = {});

/// Removes the rows. Returns false if there were none.
bool drop_ply_rows(const std::string& database);

}  // namespace fendex::upkeep
