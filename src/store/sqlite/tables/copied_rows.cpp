#include "store/sqlite/tables/copied_rows.hpp"

#include <algorithm>

namespace fendex::store {

namespace {

using namespace game_columns;

constexpr std::size_t kBytesOfText = std::size_t{1} << 16;

}  // namespace

void CopiedRows::add(const Statement& row, const StoredMoves& moves) {
    for (int column = kId; column < kMoves; ++column) {
        RowValue& value = values_.emplace_back(row.value(column));
        if (!value.bytes.empty()) value.bytes = keep(value.bytes);
    }
    values_.push_back(RowValue::of_blob(keep(moves.moves)));
    games_.push_back({static_cast<GameId>(row.integer(kId)), moves.facts,
                      values_[values_.size() - kValues + kFen].bytes, values_.back().bytes});
}

std::string_view CopiedRows::keep(std::string_view bytes) {
    if (texts_.empty() || texts_.back().capacity() - texts_.back().size() < bytes.size()) {
        texts_.emplace_back().reserve(std::max(kBytesOfText, bytes.size()));
    }
    std::string& text = texts_.back();
    text += bytes;
    return std::string_view(text).substr(text.size() - bytes.size());
}

}  // namespace fendex::store
