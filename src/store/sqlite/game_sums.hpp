// The checksums of a row of table `game`: one of its moves and what it takes to replay them, which
// look-ups read, one of all other columns. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/seals.hpp"

namespace fendex::store {

/// Columns of a row of kTagColumns, and the moves behind them.
namespace game_columns {
enum : int {
    kId,
    kWhite,
    kBlack,
    kEvent,
    kSite,
    kDate,
    kRound,
    kResult,
    kWhiteElo,
    kBlackElo,
    kEco,
    kPlies,
    kVariant,
    kFen,
    kShape,
    kTags,
    kMoves,
};
}  // namespace game_columns
/// All but the moves, of which tags_sum is.
inline constexpr char kTagColumns[] =
    "id, white, black, event, site, date, round, result, white_elo, black_elo, eco, plies, variant,"
    " fen, shape, tags";

/// The values that a checksum is of, one after the other.
class RowDigest {
  public:
    void add(std::nullptr_t);
    void add(std::int64_t value);
    void add(ValueType type, std::string_view bytes);
    void add(const Statement& row, int column);
    /// Bytes as they are.
    void append(std::string_view bytes) { bytes_ += bytes; }
    /// The checksum, as columns hold it; what follows is another row.
    std::int64_t take(Sealed what, std::int64_t game);

  private:
    std::string bytes_;
};

/// tags_sum of a row that begins with kTagColumns.
std::int64_t tags_sum(const Statement& row, RowDigest& digest);
/// moves_sum; `fen` and the others are columns of the row.
struct MoveColumns {
    int plies = game_columns::kPlies;
    int variant = game_columns::kVariant;
    int result = game_columns::kResult;
    int fen = game_columns::kFen;
    int moves = game_columns::kMoves;
};
std::int64_t moves_sum(const Statement& row, const MoveColumns& columns, RowDigest& digest);

/// The name of a column of checksums in a SELECT; NULL in version 4, which has none.
std::string sum_column(const Connection& connection, const char* name);
/// Throws StoreError if the column is not that checksum. Version 4 has none.
void require_sum(const Connection& connection, const Statement& row, int column, std::int64_t sum);

}  // namespace fendex::store
