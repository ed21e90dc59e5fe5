// Reads the values that filters compare, for many games at once, and the names of their codes. Uses
// the connection of a reader, in its thread and snapshot.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "store/game_column.hpp"
#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/row_codes.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

class ColumnReader {
  public:
    /// `facts` belongs to the same reader, and must outlive this object.
    ColumnReader(Connection& connection, FactReader& facts);

    void column(GameColumn which, GameId first, std::span<std::uint32_t> out);
    std::optional<std::string> name(NameKind kind, std::int64_t id);
    void for_each_name(NameKind kind,
                       const std::function<void(std::int64_t, std::string_view)>& visit);
    /// Switches to another snapshot with these shared caches.
    void use(const SnapshotCaches& caches);

  private:
    void elo_sums(GameId first, std::span<std::uint32_t> out);
    void column_of_rows(GameColumn which, GameId first, std::span<std::uint32_t> out);
    void require_openings() const;
    void require_id(std::int64_t id, std::int64_t most, std::string_view what) const;

    Connection* connection_;
    FactReader* facts_;
    std::optional<PlayerCodeReader> players_;  // empty before version 6, which has no such tables
    std::optional<NameCodeReader> names_;
    std::optional<OpeningCodeReader> openings_;  // empty before version 7
    std::optional<RowCodes> row_codes_;          // only before version 6
    std::optional<RowFacts> row_facts_;
};

}  // namespace fendex::store
