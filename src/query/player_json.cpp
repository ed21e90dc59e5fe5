#include "query/player_json.hpp"

#include <cmath>
#include <string>

namespace fendex::query {

namespace {

/// Writes yyyymm as "2004-05".
std::string month_text(std::uint32_t month) {
    std::string text = std::to_string(1'000'000 + month).substr(1);
    text.insert(4, 1, '-');
    return text;
}

double score_percent(const PlayerScore& score) { return std::round(10 * score.percent()) / 10; }

void add_player_score(const PlayerScore& score, json::Object& object) {
    add_player_results(score, object);
    if (score.decided() == 0) {
        object.add_null("score");
    } else {
        object.add("score", score_percent(score));
    }
}

void add_spelling(const PlayerCount& player, json::Object& object) {
    object.add("name", player.name);
    object.add("games", player.games);
}

}  // namespace

void add_player_report(const ReportedPlayers& players, const PlayerReport& report,
                       json::Object& object) {
    const auto score = [](json::Object& member, const auto& each) {
        add_player_score(each.score, member);
    };
    object.add_objects("names", players.named,
                       [](json::Object& member, const auto& each) { add_spelling(each, member); });
    object.add_objects("alike", players.alike,
                       [](json::Object& member, const auto& each) { add_spelling(each, member); });
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
    object.add_objects("opponents", report.opponents, [&](json::Object& member, const auto& each) {
        if (each.low == 0) {
            member.add_null("from");
        } else {
            member.add("from", each.low);
        }
        score(member, each);
    });
    object.add_objects("ratings", report.ratings, [](json::Object& member, const auto& each) {
        member.add("month", month_text(each.month));
        member.add("rating", each.rating);
        member.add("games", each.games);
    });
    object.add_objects("openings", report.openings, [&](json::Object& member, const auto& each) {
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
}

}  // namespace fendex::query
