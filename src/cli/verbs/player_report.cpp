#include "cli/verbs/player_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "cli/output/rating_chart.hpp"
#include "query/player_json.hpp"

namespace fendex::cli {

namespace {

using query::PlayerReport;
using query::PlayerScore;

constexpr std::size_t kChartWidth = 80;
constexpr std::size_t kChartHeight = 8;
constexpr std::size_t kMostAlike = 10;

double score_percent(const PlayerScore& score) { return std::round(10 * score.percent()) / 10; }

void add_player_score(const PlayerScore& score, json::Object& object) {
    query::add_player_results(score, object);
    if (score.decided() == 0) {
        object.add_null("score");
    } else {
        object.add("score", score_percent(score));
    }
}

void add_spelling(const query::PlayerCount& player, json::Object& object) {
    object.add("name", player.name);
    object.add("games", player.games);
}

std::string score_line(std::string_view what, const PlayerScore& score) {
    return fmt::format(
        "{:<12} {:>9} {:>9} {:>9} {:>9} {:>8}\n", what, grouped(score.games), grouped(score.wins),
        grouped(score.draws), grouped(score.losses),
        score.decided() == 0 ? std::string() : fmt::format("{:.1f} %", score.percent()));
}

std::string heading(std::string_view what) {
    return fmt::format("\n{:<12} {:>9} {:>9} {:>9} {:>9} {:>8}\n", what, "games", "won", "drawn",
                       "lost", "score");
}

void append_names(const ReportedPlayers& players, std::string& out) {
    for (const query::PlayerCount& each : players.named) {
        out += fmt::format("{}: {}", printable(each.name), counted(each.games, "game"));
        if (each.first_year != 0) out += fmt::format(", {}-{}", each.first_year, each.last_year);
        out += '\n';
    }
    if (!players.against.empty()) {
        out += fmt::format("against {}\n", printable(players.against));
    }
    if (players.alike.empty()) return;
    out += "not counted, but perhaps the same player:\n";
    for (const query::PlayerCount& each :
         players.alike.first(std::min(players.alike.size(), kMostAlike))) {
        out += fmt::format("  {}: {}\n", printable(each.name), counted(each.games, "game"));
    }
    if (players.alike.size() > kMostAlike) {
        out += fmt::format("  ... and {} more\n", players.alike.size() - kMostAlike);
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

void print_player_report_json(const ReportedPlayers& players, const PlayerReport& report,
                              Output& output) {
    json::append_line(output.buffer(), [&](json::Object& object) {
        const auto score = [](json::Object& member, const auto& each) {
            add_player_score(each.score, member);
        };
        object.add_objects("names", players.named, [](json::Object& member, const auto& each) {
            add_spelling(each, member);
        });
        object.add_objects("alike", players.alike, [](json::Object& member, const auto& each) {
            add_spelling(each, member);
        });
        if (players.against.empty()) {
            object.add_null("against");
        } else {
            object.add("against", players.against);
        }
        object.add_object("white",
                          [&](json::Object& member) { add_player_score(report.white, member); });
        object.add_object("black",
                          [&](json::Object& member) { add_player_score(report.black, member); });
        object.add_objects("years", report.years, [&](json::Object& member, const auto& each) {
            if (each.year == 0) {
                member.add_null("year");
            } else {
                member.add("year", each.year);
            }
            score(member, each);
        });
        object.add_objects("opponents", report.opponents,
                           [&](json::Object& member, const auto& each) {
                               if (each.low == 0) {
                                   member.add_null("from");
                               } else {
                                   member.add("from", each.low);
                               }
                               score(member, each);
                           });
        object.add_objects("ratings", report.ratings, [](json::Object& member, const auto& each) {
            member.add("month", fmt::format("{:04}-{:02}", each.month / 100, each.month % 100));
            member.add("rating", each.rating);
            member.add("games", each.games);
        });
        object.add_objects("openings", report.openings,
                           [&](json::Object& member, const auto& each) {
                               member.add("colour", each.white ? "white" : "black");
                               if (each.eco.empty()) {
                                   member.add_null("eco");
                                   member.add_null("name");
                               } else {
                                   member.add("eco", each.eco);
                                   member.add("name", each.name);
                               }
                               score(member, each);
                           });
    });
}

void print_player_report(const ReportedPlayers& players, const PlayerReport& report,
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
        out += score_line(each.low == 0
                              ? "unrated"
                              : fmt::format("{}-{}", each.low, each.low + query::kRatingStep - 1),
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
