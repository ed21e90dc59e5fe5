// Rows for every ply, written after the import: what --ply-rows yes would have stored.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::ingest {

/// All rows in one transaction. Returns how many; 0 where the database has them already.
std::uint64_t materialize(const std::string& database);

/// False where there were none.
bool drop_ply_rows(const std::string& database);

}  // namespace fendex::ingest
