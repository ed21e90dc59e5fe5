#include "cli/verbs/player_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/joined.hpp"
#include "cli/output/rating_chart.hpp"

namespace fendex::cli {

namespace {

using query::PlayerReport;
using query::PlayerScore;

constexpr std::size_t kChartWidth = 80;
constexpr std::size_t kChartHeight = 8;

std::string score_line(std::string_view what, const PlayerScore& score) {
    return fmt::format("{:<12} {:>9} {:>9} {:>9} {:>9} {:>8}\n", what, grouped(score.games),
                       grouped(score.wins), grouped(score.draws), grouped(score.losses),
                       score.decided() == 0 ? std::string() : score_text(score.percent()));
}

std::string heading(std::string_view what) {
    return fmt::format("\n{:<12} {:>9} {:>9} {:>9} {:>9} {:>8}\n", what, "games", "wins", "draws",
                       "losses", "score");
}

void append_names(const query::ReportedPlayers& players, std::string& out) {
    for (const query::PlayerCount& each : players.named) {
        out += fmt::format("{}: {}", printable(each.name), counted(each.games, "game"));
        if (each.first_year != 0) out += fmt::format(", {}-{}", each.first_year, each.last_year);
        out += '\n';
        if (each.spellings.empty()) continue;
        out += "also: " + printable(base::joined("; ", each.spellings)) + '\n';
    }
    if (!players.against.empty()) {
        out += fmt::format("against {}\n", printable(players.against));
    }
}

void append_openings(const PlayerReport& report, bool white, std::size_t most, Output& output) {
    std::string& out = output.buffer();
    out += heading(white ? "as White" : "as Black");
    std::size_t shown = 0;
    std::size_t left = 0;
    for (const PlayerReport::Opening& each : report.openings) {
        if (each.white != white) continue;
        if (shown == most) {
            ++left;
            continue;
        }
        ++shown;
        std::string line = score_line(each.eco.empty() ? "-" : each.eco, each.score);
        line.pop_back();
        out += output.fitting(line + "  " + each.name) + '\n';
    }
    if (left != 0) out += fmt::format("... and {}\n", counted(left, "more opening"));
}

}  // namespace

void print_player_report(const query::ReportedPlayers& players, const PlayerReport& report,
                         std::size_t openings, Output& output) {
    std::string& out = output.buffer();
    append_names(players, out);
    PlayerScore all = report.white;
    all.add(report.black);
    out += heading("colour");
    out += score_line("White", report.white);
    out += score_line("Black", report.black);
    out += score_line("both", all);
    out += heading("year");
    for (const PlayerReport::Year& each : report.years) {
        out += score_line(each.year == 0 ? "unknown" : std::to_string(each.year), each.score);
    }
    out += heading("opponents");
    for (const PlayerReport::Opponents& each : report.opponents) {
        out += score_line(each.low == 0 ? "unrated"
                                        : fmt::format("{}-{}", each.low,
                                                      each.low + store::Engine::kRatingStep - 1),
                          each.score);
    }
    std::vector<MonthRating> months;
    for (const PlayerReport::Rating& each : report.ratings) {
        months.emplace_back(each.month, each.rating);
    }
    const std::size_t screen = output.screen().width;
    const std::vector<std::string> chart =
        rating_chart(months, screen == 0 ? kChartWidth : screen - 1, kChartHeight);
    if (!chart.empty()) out += "\nrating\n";
    for (const std::string& line : chart) out += line + '\n';
    append_openings(report, true, openings, output);
    append_openings(report, false, openings, output);
}

}  // namespace fendex::cli
