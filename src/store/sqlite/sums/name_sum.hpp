// The checksum of all names, meta.names_sum: the sum of the checksums of all rows in the tables of
// names. Writers keep it up to date, and `check` compares it. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/located_sum.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

inline constexpr SealedTable kPlayers{"player", Sealed::kPlayer};
inline constexpr SealedTable kEvents{"event", Sealed::kEvent};
inline constexpr SealedTable kSites{"site", Sealed::kSite};
inline constexpr SealedTable kTagValues{"tag_value", Sealed::kTagValue};
inline constexpr SealedTable kTagShapes{"tag_shape", Sealed::kTagShape};
inline constexpr SealedTable kOpenings{"opening", Sealed::kOpening};

/// Returns the number of a row in the sum. It consists of id and table, because all tables share
/// one sum.
constexpr std::uint64_t name_row(const SealedTable& table, std::int64_t id) {
    return static_cast<std::uint64_t>(id) << 5 | static_cast<std::uint64_t>(table.what);
}
inline LocatedSum name_sum(const SealedTable& table, std::int64_t id, std::string_view name) {
    return LocatedSum::of_row(name_row(table, id), base::checksum(name, row_seed(table.what, id)));
}

/// Reads all names. Throws StoreError.
LocatedSum sum_of_names(const Connection& connection);
/// Reads the names of one table.
LocatedSum sum_of_names(const Connection& connection, const SealedTable& table);
/// Describes the row with this number, and the name that it has now: "player 2, now 'Lasker'".
/// Empty if there is no such table.
std::string describe_name(const Connection& connection, std::uint64_t row);

}  // namespace fendex::store
