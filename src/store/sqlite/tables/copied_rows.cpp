#include "store/sqlite/tables/copied_rows.hpp"

namespace fendex::store {

using namespace game_columns;

void CopiedRows::add(const Statement& row, const StoredMoves& moves) {
    for (int column = kId; column < kMoves; ++column) {
        RowValue& value = values_.emplace_back(row.value(column));
        if (!value.bytes.empty()) value.bytes = texts_.keep(value.bytes);
    }
    values_.push_back(RowValue::of_blob(texts_.keep(moves.moves)));
    games_.push_back({static_cast<GameId>(row.integer(kId)), moves.facts,
                      values_[values_.size() - kValues + kFen].bytes, values_.back().bytes});
}

}  // namespace fendex::store
