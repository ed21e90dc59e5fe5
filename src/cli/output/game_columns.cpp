#include "cli/output/game_columns.hpp"

namespace fendex::cli {

namespace {

/// If a terminal is too narrow, the opening is left out first, then the ratings, then the event.
struct Narrow {
    std::string_view name;
    const char* title;
    unsigned spare;
};
constexpr Narrow kNarrow[] = {
    {"event", "event", 1}, {"white_elo", "elo", 2}, {"black_elo", "elo", 2}, {"eco", "eco", 3}};

std::vector<ColumnSpec> list_columns() {
    std::vector<ColumnSpec> columns{game_id_column()};
    append_game_columns(columns);
    columns.push_back({.name = "plies", .spare = 4});
    return columns;
}

}  // namespace

ColumnSpec database_column() { return {.name = "database", .cut = Cut::kStart}; }

ColumnSpec game_id_column() { return {.name = "game_id", .title = "game"}; }

void append_game_columns(std::vector<ColumnSpec>& columns) {
    for (const auto& [name, type, help, cell] : emit::game_columns()) {
        ColumnSpec& column = columns.emplace_back();
        column.name = name;
        column.in_table = name != "site" && name != "round";
        for (const Narrow& narrow : kNarrow) {
            if (narrow.name != name) continue;
            column.title = narrow.title;
            column.spare = narrow.spare;
        }
    }
}

GameLister::GameLister(store::StoreReader& reader, Output& output, Format format)
    : reader_(reader), printer_(output, format, list_columns()) {}

void GameLister::print(std::span<const store::GameId> games) {
    reader_.headers(games, [&](const store::GameHeader& header) {
        cells_.assign(1, static_cast<std::int64_t>(header.id));
        append_game_cells(header, cells_);
        cells_.push_back(std::int64_t{header.plies});
        printer_.row(cells_);
    });
}

}  // namespace fendex::cli
