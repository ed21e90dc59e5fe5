// The two checksums of a row of table `game`. moves_sum covers the columns that replaying needs,
// which are all that look-ups read. tags_sum covers all columns except the moves. Do not change: on
// disk (schema/FORMAT.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

/// The numbers of the columns of kTagColumns, and of the moves after them.
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
/// The columns that tags_sum covers: all except the moves.
inline constexpr char kTagColumns[] =
    "id, white, black, event, site, date, round, result, white_elo, black_elo, eco, plies, variant,"
    " fen, shape, tags";

/// Computes a checksum over values, one after the other.
class RowDigest {
  public:
    /// Begins a row. Drops the values of the row before, of which only some may have been added for
    /// lack of memory.
    void begin() { size_ = 0; }
    void add(const RowValue& value);
    /// Appends bytes unchanged.
    void append(std::string_view bytes) {
        std::ranges::copy(bytes, room_for(bytes.size()));
        size_ += bytes.size();
    }
    /// Returns the checksum for its column.
    [[nodiscard]] std::int64_t sum(Sealed what, std::int64_t game) const;

  private:
    /// Returns the end of the bytes, where there is room for so many.
    char* room_for(std::size_t bytes) {
        if (bytes_.size() - size_ < bytes) bytes_.resize(2 * (size_ + bytes));
        return bytes_.data() + size_;
    }
    void put(char tag, std::uint64_t number);

    std::string bytes_;
    std::size_t size_ = 0;  // what is used of them
};

/// Returns the value of tags_sum for a row that begins with kTagColumns.
std::int64_t tags_sum(const Statement& row, RowDigest& digest);
/// Numbers of the columns that moves_sum covers.
struct MoveColumns {
    int plies = game_columns::kPlies;
    int variant = game_columns::kVariant;
    int result = game_columns::kResult;
    int fen = game_columns::kFen;
    int moves = game_columns::kMoves;
};
std::int64_t moves_sum(const Statement& row, const MoveColumns& columns, RowDigest& digest);

/// Returns the name of a checksum column for a SELECT; NULL in version 4, which has none.
std::string sum_column(const Connection& connection, const char* name);
/// Throws StoreError if the column does not hold that checksum. In version 4 it does nothing.
void require_sum(const Connection& connection, const Statement& row, int column, std::int64_t sum);

}  // namespace fendex::store
