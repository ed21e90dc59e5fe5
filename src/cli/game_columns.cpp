#include "cli/game_columns.hpp"

namespace fendex::cli {

void append_game_columns(std::vector<ColumnSpec>& columns) {
    for (const std::string_view name : emit::kGameColumns) {
        columns.push_back({std::string(name), name != "site" && name != "round"});
    }
}

}  // namespace fendex::cli
