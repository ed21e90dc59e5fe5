#include "emit/repetition_rows.hpp"

#include "chess/setup.hpp"
#include "emit/game_rows.hpp"

namespace fendex::emit {

namespace {

Cell number_cell(const std::optional<std::uint32_t>& value) {
    return value ? Cell{std::int64_t{*value}} : Cell{Null{}};
}

/// Appends the result, the other columns of the game, and who could have claimed a draw.
void append_claim_cells(const store::GameHeader& header, const std::optional<query::Claim>& claim,
                        const std::optional<query::Claim>& announced, Cell ended, bool claims,
                        std::vector<Cell>& cells) {
    cells.emplace_back(codec::result_text(header.result));
    std::vector<Cell> of_game;
    append_game_cells(header, of_game);
    for (std::size_t i = 0; i < of_game.size(); ++i) {
        if (kGameColumns[i] != "result") cells.push_back(of_game[i]);
    }
    const auto claimant = [](const std::optional<query::Claim>& each) {
        return each ? Cell{chess::name_of(each->by)} : Cell{Null{}};
    };
    cells.push_back(claimant(claim));
    cells.push_back(ended);
    if (!claims) return;
    cells.push_back(claimant(announced));
    cells.push_back(announced ? Cell{std::int64_t{announced->ply}} : Cell{Null{}});
}

}  // namespace

std::vector<std::string> repetition_columns(bool claims) {
    std::vector<std::string> columns{"count",     "plies",     "third_ply",
                                     "fifth_ply", "played_on", "result"};
    for (const std::string_view name : kGameColumns) {
        if (name != "result") columns.emplace_back(name);
    }
    columns.insert(columns.end(), {"claimant", "ended"});
    if (claims) columns.insert(columns.end(), {"announcer", "announced_ply"});
    return columns;
}

void append_repetition_cells(const query::RepeatedPosition& row, const store::GameHeader& header,
                             bool claims, std::vector<Cell>& cells) {
    const store::Repetition& repetition = row.repetition;
    cells.emplace_back(static_cast<std::int64_t>(repetition.plies.size()));
    cells.emplace_back(&repetition.plies);
    for (const auto& ply : {row.third_ply, row.fifth_ply, row.played_on}) {
        cells.push_back(number_cell(ply));
    }
    append_claim_cells(header, row.claim, row.announced_claim,
                       row.played_on ? Cell{*row.played_on == 0} : Cell{Null{}}, claims, cells);
}

void append_run_cells(const query::ClockRun& row, const store::GameHeader& header, bool claims,
                      std::vector<Cell>& cells) {
    for (const std::uint32_t ply : {row.ply, row.run.ply50}) {
        cells.emplace_back(std::int64_t{ply});
    }
    cells.push_back(number_cell(row.run.ply75));
    cells.emplace_back(std::int64_t{row.run.longest});
    cells.emplace_back(std::int64_t{row.played_on});
    append_claim_cells(header, row.claim, row.announced_claim, Cell{row.played_on == 0}, claims,
                       cells);
}

}  // namespace fendex::emit
