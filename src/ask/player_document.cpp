#include "ask/player_document.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "ask/filter_fields.hpp"
#include "ask/rows.hpp"
#include "ask/sum_rows.hpp"
#include "chess/setup.hpp"
#include "query/player_json.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"
#include "query/preparation_json.hpp"

namespace fendex::ask {

namespace {

constexpr std::size_t kMostListed = 10;

[[noreturn]] void refuse_absent(const std::string& name) {
    throw QuestionError("no_such_player", {}, "no game that fits has a player '" + name + "'");
}

/// Throws unless one player is meant.
void require_one(const query::PlayerChoice& choice, const PlayerQuestion& question) {
    if (choice.named.empty()) refuse_absent(question.name);
    if (choice.named.size() == 1 || question.together) return;
    std::string names;
    for (std::size_t i = 0; i < std::min(choice.named.size(), kMostListed); ++i) {
        names += (i == 0 ? "" : "; ") + choice.named[i].name;
    }
    if (choice.named.size() > kMostListed) {
        names += "; and " + std::to_string(choice.named.size() - kMostListed) + " more";
    }
    throw QuestionError(
        "several_players", {},
        std::to_string(choice.named.size()) + " players fit '" + question.name +
            "': give one of them exactly, or together=true to count them as one player: " + names);
}

std::vector<std::string> names_of(std::span<const query::PlayerCount> players) {
    std::vector<std::string> names;
    for (const query::PlayerCount& each : players) names.push_back(each.name);
    return names;
}

/// Says which of two players has no games, or that they did not meet. Looks at the databases again
/// without the condition that both play.
[[noreturn]] void refuse_meeting(Sources& sources, const PlayerQuestion& question,
                                 const std::stop_token& stop) {
    for (const std::string& each : {question.name, question.against}) {
        store::GameFilter filter = question.filter;
        filter.player.clear();
        filter.opponent.clear();
        set_field(filter, "player", each);
        std::vector<std::vector<query::PlayerCount>> lists;
        for (Source& source : sources) {
            query::GameMatcher matcher(*source.reader, filter, stop);
            lists.push_back(query::PlayerCounts(*source.reader, matcher, stop).all());
        }
        if (query::choose_players(query::joined_players(std::move(lists)), each).named.empty()) {
            refuse_absent(each);
        }
    }
    throw QuestionError(
        "no_such_player", {},
        "no game that fits is between '" + question.name + "' and '" + question.against + "'");
}

}  // namespace

FieldText together_field() {
    return flag_field("together", "count all names that fit as one player");
}

FieldText color_field() {
    FieldText field =
        choice_field("color", {"white", "black"}, "the colour that this player will have");
    field.value = "COLOR";
    field.required = true;
    field.first_by_default = false;
    return field;
}

PlayerQuestion player_question(const Given& given, std::string name, std::string against) {
    PlayerQuestion question{std::move(name), std::move(against), given.flag("together"),
                            given.filter()};
    if (!question.against.empty()) {
        set_field(question.filter, "player", question.name);
        set_field(question.filter, "player", question.against);
    }
    return question;
}

void add_player(Sources& sources, const PlayerQuestion& question, json::Object& object,
                const std::stop_token& stop) {
    const query::PlayerChoice choice =
        query::choose_players(players_of(sources, stop), question.name);
    if (!question.against.empty() && choice.named.empty()) refuse_meeting(sources, question, stop);
    require_one(choice, question);
    query::PlayerReporter reporter(names_of(choice.named));
    for (Source& source : sources) reporter.add(*source.reader, source.matcher, stop);
    query::add_player_report({choice.named, choice.alike, question.against}, reporter.report(),
                             object);
}

void add_preparation(Source& source, const PlayerQuestion& question, chess::Color color, bool refs,
                     json::Object& object, const std::stop_token& stop) {
    const query::PlayerChoice choice = query::choose_players(
        query::PlayerCounts(*source.reader, source.matcher, stop).all(), question.name);
    require_one(choice, question);
    const std::vector<std::string> names = names_of(choice.named);
    const query::Preparation preparation =
        query::prepare(*source.reader, source.matcher, names, color, stop);
    if (preparation.total.score.games == 0) {
        throw QuestionError(
            "no_such_game", "color",
            "there are no games in which this player has " + std::string(chess::name_of(color)));
    }
    query::add_preparation(names, color, preparation, object);
    if (!refs) return;
    const auto add_refs = [&](std::string_view name, const std::vector<store::GameId>& games) {
        std::vector<std::string> out;
        out.reserve(games.size());
        for (const store::GameId game : games) {
            out.push_back(ref_prefix(source.index) + std::to_string(game));
        }
        object.add(name, out);
    };
    add_refs("recent_refs", preparation.recent);
    add_refs("lost_refs", preparation.lost);
}

}  // namespace fendex::ask
