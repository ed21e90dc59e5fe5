// The checksum of all names, meta.names_sum: the sum of the checksums of the rows of the tables of
// names. Writers keep it up to date, `check` compares it. Databases of earlier programs lack it
// until they are written. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <string_view>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/seals.hpp"

namespace fendex::store {

struct NameTableId {
    std::string_view table;
    Sealed what;
};
inline constexpr NameTableId kPlayers{"player", Sealed::kPlayer};
inline constexpr NameTableId kEvents{"event", Sealed::kEvent};
inline constexpr NameTableId kSites{"site", Sealed::kSite};
inline constexpr NameTableId kTagValues{"tag_value", Sealed::kTagValue};
inline constexpr NameTableId kTagShapes{"tag_shape", Sealed::kTagShape};
inline constexpr NameTableId kOpenings{"opening", Sealed::kOpening};

inline std::uint64_t name_sum(const NameTableId& table, std::int64_t id, std::string_view name) {
    return base::checksum(name, row_seed(table.what, id));
}

/// Reads all names. Throws StoreError.
std::uint64_t sum_of_names(const Connection& connection);
/// Reads the names of one table.
std::uint64_t sum_of_names(const Connection& connection, const NameTableId& table);

}  // namespace fendex::store
