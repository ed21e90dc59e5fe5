#include "emit/repetition_rows.hpp"

#include "chess/setup.hpp"
#include "emit/game_rows.hpp"

namespace fendex::emit {

namespace {

Cell number_cell(const std::optional<std::uint32_t>& value) {
    return value ? Cell{std::int64_t{*value}} : Cell{Null{}};
}

Cell side_cell(const std::optional<query::Claim>& claim) {
    return claim ? Cell{chess::name_of(claim->by)} : Cell{Null{}};
}

void append_claim_columns(std::vector<std::string>& columns) {
    columns.emplace_back("result");
    for (const GameColumn& column : game_columns()) {
        if (column.name != "result") columns.emplace_back(column.name);
    }
    columns.insert(columns.end(), {"claimant", "ended"});
}

/// Appends the result, the other columns of the game, who could have claimed a draw, and whether
/// the game ended then.
void append_claim_cells(const store::GameHeader& header, const std::optional<query::Claim>& claim,
                        const std::optional<std::uint32_t>& played_on, std::vector<Cell>& cells) {
    cells.emplace_back(codec::result_text(header.result));
    for (const GameColumn& column : game_columns()) {
        if (column.name != "result") cells.push_back(column.cell(header));
    }
    cells.push_back(side_cell(claim));
    cells.push_back(played_on ? Cell{*played_on == 0} : Cell{Null{}});
}

/// Appends who could have announced which move, and when.
void append_announced_cells(const std::optional<query::AnnouncedClaim>& claim,
                            std::vector<Cell>& cells) {
    if (!claim) {
        cells.insert(cells.end(), 3, Null{});
        return;
    }
    cells.push_back(side_cell(*claim));
    cells.emplace_back(std::int64_t{claim->ply});
    cells.emplace_back(std::string_view{claim->move});
}

}  // namespace

std::optional<std::string_view> checks_text(bool white, bool black) {
    if (white && black) return "both";
    if (!white && !black) return std::nullopt;
    return chess::name_of(white ? chess::Color::kWhite : chess::Color::kBlack);
}

std::vector<std::string> repetition_columns(bool claims) {
    std::vector<std::string> columns{"count", "plies", "third_ply", "fifth_ply", "played_on"};
    append_claim_columns(columns);
    columns.emplace_back("checks");
    if (claims) {
        columns.insert(columns.end(),
                       {"announcer", "announced_ply", "announced_move", "announced_plies"});
    }
    return columns;
}

std::vector<std::string> run_columns(bool claims) {
    std::vector<std::string> columns{"ply", "ply50", "ply75", "longest", "played_on"};
    append_claim_columns(columns);
    if (claims) {
        columns.insert(columns.end(), {"announcer", "announced_ply", "announced_move"});
    }
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
    append_claim_cells(header, row.claim, row.played_on, cells);
    cells.push_back(cell(checks_text(row.white_checks, row.black_checks)));
    if (!claims) return;
    append_announced_cells(row.announced_claim, cells);
    cells.push_back(row.announced_claim ? Cell{&row.announced_claim->plies} : Cell{Null{}});
}

void append_run_cells(const query::ClockRun& row, const store::GameHeader& header, bool claims,
                      std::vector<Cell>& cells) {
    for (const auto& ply : {row.ply, row.ply50, row.ply75}) cells.push_back(number_cell(ply));
    cells.emplace_back(std::int64_t{row.longest});
    cells.push_back(number_cell(row.played_on));
    append_claim_cells(header, row.claim, row.played_on, cells);
    if (claims) append_announced_cells(row.announced_claim, cells);
}

}  // namespace fendex::emit
