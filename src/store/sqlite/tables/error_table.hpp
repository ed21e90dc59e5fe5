// Writes table import_error and keeps the checksum of its rows. Belongs to the writer's connection
// and thread.
#pragma once

#include <cstdint>
#include <optional>

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/sums/row_sums.hpp"

namespace fendex::store {

class ErrorTable {
  public:
    /// `sum` is the checksum of the rows. It must outlive the table.
    ErrorTable(Connection& connection, RowSum& sum);

    void insert(std::int64_t source, std::optional<GameId> game, const ImportError& error);
    /// Removes the errors that will be reported again when reading continues at the checkpoint:
    /// those after it, and those of the whole source. Returns their number.
    std::uint64_t remove(std::int64_t source, std::uint64_t resume_byte);

  private:
    Connection* connection_;
    RowSum& sum_;
    Statement insert_;
    RowDigest digest_;
};

}  // namespace fendex::store
