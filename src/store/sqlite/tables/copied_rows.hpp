// Rows of table `game` in memory, to be written to another database (RowTranslator).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/text_arena.hpp"
#include "store/game_rows.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/game_sums.hpp"

namespace fendex::store {

class CopiedRows final : public GameRows {
  public:
    /// Adds a row that begins with kTagColumns.
    void add(const Statement& row, const StoredMoves& moves);
    /// Returns the values of a row by game_columns, with the moves.
    [[nodiscard]] std::span<const RowValue> row(std::size_t index) const {
        return std::span(values_).subspan(index * kValues, kValues);
    }

  private:
    static constexpr std::size_t kValues = game_columns::kMoves + 1;

    std::vector<RowValue> values_;
    base::TextArena texts_;
};

}  // namespace fendex::store
