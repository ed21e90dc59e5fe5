// Prints what `fendex players DB NAME` says of one player.
#pragma once

#include "cli/output/output.hpp"
#include "query/player_json.hpp"

namespace fendex::cli {

/// Prints the report as text for people, with at most `openings` openings of each colour.
void print_player_report(const query::ReportedPlayers& players, const query::PlayerReport& report,
                         std::size_t openings, Output& output);

}  // namespace fendex::cli
