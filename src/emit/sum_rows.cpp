#include "emit/sum_rows.hpp"

#include "emit/score_cells.hpp"

namespace fendex::emit {

std::vector<Cell> player_cells(const query::PlayerCount& player) {
    const auto year = [](std::uint32_t each) {
        return each == 0 ? Cell(Null{}) : Cell(std::int64_t{each});
    };
    return {std::string_view(player.name), count_cell(player.games), count_cell(player.white),
            count_cell(player.black),      year(player.first_year),  year(player.last_year)};
}

std::vector<Cell> opening_cells(const query::OpeningSum& opening) {
    const codec::Tally& tally = opening.tally;
    const auto text = [](const std::string& value) {
        return value.empty() ? Cell(Null{}) : Cell(std::string_view(value));
    };
    return {text(opening.eco),
            text(opening.name),
            count_cell(tally.games),
            count_cell(tally.results.white()),
            count_cell(tally.results.draws()),
            count_cell(tally.results.black()),
            score_cell(tally),
            rating_cell(tally),
            year_cell(tally.first_date),
            year_cell(tally.last_date)};
}

std::vector<Cell> event_cells(const query::Event& event) {
    const query::EventSums& sums = event.sums;
    return {std::string_view(event.name),
            count_cell(sums.games),
            count_cell(sums.players),
            count_cell(sums.sites),
            sums.elo_count == 0 ? Cell(Null{}) : count_cell(rating_of(sums)),
            year_cell(sums.first_date),
            year_cell(sums.last_date)};
}

}  // namespace fendex::emit
