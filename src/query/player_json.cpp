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
    object.add("score", score.decided() == 0 ? std::nullopt : std::optional(score_percent(score)));
}

void add_name(json::Object& object, const PlayerCount& player) {
    object.add("name", player.name);
    object.add("games", player.games);
    if (!player.spellings.empty()) object.add("spellings", player.spellings);
}

}  // namespace

void add_alike(std::span<const PlayerCount> alike, json::Object& object) {
    object.add_objects("alike", alike, add_name);
}

void add_player_report(const ReportedPlayers& players, const PlayerReport& report,
                       json::Object& object) {
    const auto score = [](json::Object& member, const auto& each) {
        add_player_score(each.score, member);
    };
    object.add_objects("names", players.named, add_name);
    add_alike(players.alike, object);
    object.add("against", json::known(players.against));

    object.add_object("white",
                      [&](json::Object& member) { add_player_score(report.white, member); });
    object.add_object("black",
                      [&](json::Object& member) { add_player_score(report.black, member); });
    object.add_objects("years", report.years, [&](json::Object& member, const auto& each) {
        member.add("year", json::known(each.year));

        score(member, each);
    });
    object.add_objects("opponents", report.opponents, [&](json::Object& member, const auto& each) {
        member.add("from", json::known(each.low));

        score(member, each);
    });
    object.add_objects("ratings", report.ratings, [](json::Object& member, const auto& each) {
        member.add("month", month_text(each.month));
        member.add("rating", each.rating);
        member.add("games", each.games);
    });
    object.add_objects("openings", report.openings, [&](json::Object& member, const auto& each) {
        member.add("colour", each.white ? "white" : "black");
        member.add("eco", json::known(each.eco));
        member.add("name", json::known(each.name));

        score(member, each);
    });
}

}  // namespace fendex::query
