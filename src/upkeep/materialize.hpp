// Rows for every ply, written after the import: what --ply-rows yes would have stored.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/store_reader.hpp"

namespace fendex::upkeep {

/// About how many bytes the rows of a database will take: measured on rows of games spread over all
/// of it. While they are written, SQLite's log beside the database takes as much again.
std::uint64_t ply_rows_bytes(store::StoreReader& reader);

/// All rows in one transaction. Returns how many; 0 where the database has them already. progress()
/// is told now and then how many are written.
std::uint64_t materialize(const std::string& database,
                          const std::function<void(std::uint64_t rows)>& progress = {});

/// False where there were none.
bool drop_ply_rows(const std::string& database);

}  // namespace fendex::upkeep
