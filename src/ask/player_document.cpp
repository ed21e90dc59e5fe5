#include "ask/player_document.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "ask/filter_fields.hpp"
#include "ask/questions.hpp"
#include "ask/rows.hpp"
#include "ask/sum_rows.hpp"
#include "base/joined.hpp"
#include "chess/setup.hpp"
#include "query/player_json.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"
#include "query/preparation_json.hpp"

namespace fendex::ask {

namespace {

constexpr std::size_t kMostListed = 10;

/// Which player: a name or words of one.
struct PlayerQuestion {
    std::string name;
    std::string against;    // only games against this player; empty: all
    bool together = false;  // all names that fit are one player
    store::GameFilter filter;
};

[[noreturn]] void refuse_absent(const std::string& name) {
    throw QuestionError("no_such_player", {}, "no game that fits has a player '" + name + "'");
}

/// Throws unless one player is meant.
void require_one(const query::PlayerChoice& choice, const PlayerQuestion& question) {
    if (choice.named.empty()) refuse_absent(question.name);
    if (choice.named.size() == 1 || question.together) return;
    const auto listed = std::span(choice.named).first(std::min(choice.named.size(), kMostListed));
    std::string names = base::joined("; ", listed, &query::PlayerCount::name);
    if (choice.named.size() > kMostListed) {
        names += "; and " + std::to_string(choice.named.size() - kMostListed) + " more";
    }
    throw QuestionError(
        "several_players", {},
        std::to_string(choice.named.size()) + " players fit '" + question.name +
            "': give one of them exactly, or together=true to count them as one player: " + names);
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
        std::vector<std::unique_ptr<store::Players>> players;
        for (Source& source : sources) {
            players.push_back(source.reader->engine().players(filter, stop));
        }
        if (query::choose_players(players, each, stop).named.empty()) refuse_absent(each);
    }
    throw QuestionError(
        "no_such_player", {},
        "no game that fits is between '" + question.name + "' and '" + question.against + "'");
}

/// `against` adds both names to the filter.
PlayerQuestion player_question(const Given& given) {
    PlayerQuestion question{given.text("name"), given.text("against"), given.flag("together"),
                            given.filter()};
    if (!question.against.empty()) {
        set_field(question.filter, "player", question.name);
        set_field(question.filter, "player", question.against);
    }
    return question;
}

/// Throws QuestionError if no player is meant, or several.
void add_player(Sources& sources, const PlayerQuestion& question, json::Object& object,
                const std::stop_token& stop) {
    const query::PlayerChoice choice = choose_players(sources, question.name, stop);
    if (!question.against.empty() && choice.named.empty()) refuse_meeting(sources, question, stop);
    require_one(choice, question);
    query::PlayerReporter reporter(names_of(choice.named));
    for (Source& source : sources) reporter.add(*source.reader, source.matcher, stop);
    query::add_player_report({choice.named, choice.alike, question.against}, reporter.report(),
                             object);
}

/// With refs also the names by which the server's addresses know the games.
void add_preparation(Source& source, const PlayerQuestion& question, chess::Color color, bool refs,
                     json::Object& object, const std::stop_token& stop) {
    const auto players = source.reader->engine().players(source.matcher.filter(), stop);
    const query::PlayerChoice choice = query::choose_players({&players, 1}, question.name, stop);
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
    query::add_alike(choice.alike, object);
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

/// Returns the database in which a player is prepared against. Throws QuestionError if there are
/// several.
Source& only_database(Sources& sources) {
    if (sources.size() == 1) return sources[0];
    throw QuestionError("missing_parameter", "database",
                        "several databases are served, and one player is prepared against in one "
                        "of them: give database, a number from 1 to " +
                            std::to_string(sources.opened()));
}

FieldText name_field() {
    FieldText field{"name", "NAME", "the player's name, or words that only one player has"};
    field.required = true;
    return field;
}

}  // namespace

query::PlayerChoice choose_players(Sources& sources, std::string_view typed,
                                   const std::stop_token& stop) {
    std::vector<std::unique_ptr<store::Players>> players;
    for (Source& source : sources) {
        players.push_back(source.reader->engine().players(source.matcher.filter(), stop));
    }
    return query::choose_players(players, typed, stop);
}

std::vector<std::string> names_of(std::span<const query::PlayerCount> players) {
    std::vector<std::string> names;
    for (const query::PlayerCount& each : players) names.push_back(each.name);
    return names;
}

FieldText together_field() {
    return flag_field("together", "count all names that fit as one player");
}

FieldText color_field() { return player_color_field("the colour that this player will have"); }

namespace {

Schemas schemas_of_player() {
    return {
        {"Player",
         {{"names", "[NameGames]", "the player"},
          {"alike", "[NameGames]", "not counted, but perhaps the same player"},
          {"against", "string?"},
          {"white", "Score"},
          {"black", "Score"},
          {"years", "[YearScore]"},
          {"opponents", "[OpponentsScore]", "by rating"},
          {"ratings", "[MonthRating]"},
          {"openings", "[OpeningScore]"}}},
        {"NameGames",
         {{"name", "string"},
          {"games", "integer"},
          {"spellings?", "[string]", "names that are joined to this one"}}},
        {"Score", score_members()},
        {"YearScore", all_members({{{"year", "integer?"}}, score_members()})},
        {"OpponentsScore", all_members({{{"from", "integer?"}}, score_members()})},
        {"MonthRating",
         {{"month", "string", "2004-05"}, {"rating", "integer"}, {"games", "integer"}}},
        {"OpeningScore",
         all_members({{{"colour", "'white'|'black'"}, {"eco", "string?"}, {"name", "string?"}},
                      score_members()})},
    };
}

Schemas schemas_of_preparation() {
    const Members weighted = all_members(
        {score_members(), {{"last_year", "integer?"}, {"eco", "string?"}, {"opening", "string?"}}});
    return {
        {"Preparation",
         all_members({{{"names", "[string]"}, {"color", "'white'|'black'"}},
                      score_members(),
                      {{"last_year", "integer?"},
                       {"repertoire", "[PreparedMove]"},
                       {"weak_spots", "[WeakSpot]"},
                       {"recent", "[integer]", "games"},
                       {"lost", "[integer]", "games"},
                       {"alike", "[NameGames]", "not counted, but perhaps the same player"},
                       {"recent_refs", "[string]"},
                       {"lost_refs", "[string]"}}})},
        {"PreparedMove", all_members({{{"depth", "integer"},
                                       {"san", "string"},
                                       {"own", "boolean"},
                                       {"share", "number", "in percent"}},
                                      weighted,
                                      {{"eval", "Verdict?", "of the position after it"}}})},
        {"WeakSpot",
         all_members({{{"line", "string"}, {"fen", "string"}},
                      weighted,
                      {{"eval", "Verdict?", "of the position"}, {"moves", "[OtherMove]"}}})},
        {"OtherMove", all_members({{{"san", "string"}},
                                   results_members(),
                                   {{"against", "PlayerResults"},
                                    {"eval", "Verdict?", "of the position after it"}}})},
        {"PlayerResults",
         {{"games", "integer"}, {"wins", "integer"}, {"draws", "integer"}, {"losses", "integer"}}},
    };
}

}  // namespace

QuestionKind player_kind() {
    return {.name = "player",
            .summary = "a player's score by colour, year and opponents, ratings and openings",
            .answer = "Player",
            .schemas = schemas_of_player(),
            .is_list = false,
            .fields = {name_field(),
                       {"against", "NAME", "only games against players of this name"},
                       together_field()},
            .plan = [](const Given& given) {
                PlayerQuestion question = player_question(given);
                Plan plan{question.filter};
                plan.document = [question = std::move(question)](const Context& context,
                                                                 json::Object& object) {
                    add_player(*context.sources, question, object, context.stop);
                };
                return plan;
            }};
}

QuestionKind prepare_kind() {
    return {.name = "prepare",
            .summary = "what a player plays with a colour, and where the results are worst",
            .answer = "Preparation",
            .schemas = schemas_of_preparation(),
            .is_list = false,
            .fields = {name_field(), color_field(), together_field()},
            .plan = [](const Given& given) {
                PlayerQuestion question = player_question(given);
                const auto color =
                    given.text("color") == "white" ? chess::Color::kWhite : chess::Color::kBlack;
                Plan plan{question.filter, Cost::kScan};
                plan.document = [question = std::move(question), color](const Context& context,
                                                                        json::Object& object) {
                    add_preparation(only_database(*context.sources), question, color,
                                    context.style.refs, object, context.stop);
                };
                return plan;
            }};
}

}  // namespace fendex::ask
