#include "emit/ply_columns.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/joined.hpp"

namespace fendex::emit {

std::string_view name_of(PlyColumn column) {
    return kPlyColumnNames[static_cast<std::size_t>(column)];
}

std::string ply_column_names() { return base::joined(", ", kPlyColumnNames); }

bool is_of_game(PlyColumn column) {
    return column == PlyColumn::kGameId || column >= PlyColumn::kWhite;
}

std::vector<PlyColumn> default_ply_columns() {
    using enum PlyColumn;
    return {kGameId, kPly, kSan, kUci, kKey, kFen, kEpd, kOccurrence};
}

std::vector<PlyColumn> shown_ply_columns() {
    using enum PlyColumn;
    return {kPly, kSan, kUci, kKey, kFen, kEpd, kOccurrence, kEval, kMate, kDepth};
}

std::vector<PlyColumn> ply_columns_of(std::string_view names) {
    std::vector<PlyColumn> columns;
    for (std::size_t begin = 0; begin <= names.size();) {
        const std::size_t end = std::min(names.find(',', begin), names.size());
        const std::string name(names.substr(begin, end - begin));
        begin = end + 1;
        const auto* const found = std::ranges::find(kPlyColumnNames, name);
        if (found == kPlyColumnNames.end()) {
            throw std::invalid_argument("there is no column '" + name +
                                        "'; the columns are: " + ply_column_names());
        }
        const auto column = static_cast<PlyColumn>(found - kPlyColumnNames.begin());
        if (std::ranges::find(columns, column) != columns.end()) {
            throw std::invalid_argument("column '" + name + "' is named twice");
        }
        columns.push_back(column);
    }
    return columns;
}

}  // namespace fendex::emit
