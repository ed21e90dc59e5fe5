// Prints what `fendex players DB NAME` says of one player.
#pragma once

#include <span>

#include "cli/output/output.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"

namespace fendex::cli {

/// The players that a report is of, and others who may be the same person.
struct ReportedPlayers {
    std::span<const query::PlayerCount> named;
    std::span<const query::PlayerCount> alike;
    std::string_view against;  // the opponent's name as typed; empty: all opponents
};

void print_player_report_json(const ReportedPlayers& players, const query::PlayerReport& report,
                              Output& output);
/// As text for people, with at most `openings` openings of each colour.
void print_player_report(const ReportedPlayers& players, const query::PlayerReport& report,
                         std::size_t openings, Output& output);

}  // namespace fendex::cli
