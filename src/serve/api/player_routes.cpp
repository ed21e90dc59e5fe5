// GET /api/v1/players, players/{name}, players/{name}/prepare, head-to-head, openings.
#include <algorithm>
#include <utility>

#include "ask/player_document.hpp"
#include "ask/questions.hpp"
#include "ask/sum_rows.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

Task report_task(Databases& databases, ask::PlayerQuestion question) {
    return object_task(Cost::kSums, [&databases, question = std::move(question)](
                                        json::Object& object, const std::stop_token& stop) {
        Sources sources(databases.open(), question.filter, stop);
        ask::add_player(sources, question, object, stop);
    });
}

void answer_preparation(Databases& databases, const ask::PlayerQuestion& question,
                        const ask::Given& given, json::Object& object,
                        const std::stop_token& stop) {
    Sources sources(databases.open(), question.filter, stop);
    const std::uint64_t wanted = given.number("database").value_or(1);
    if (wanted > databases.size()) {
        throw Refusal{400, "bad_parameter",
                      "database takes a number from 1 to " + std::to_string(databases.size()),
                      "database"};
    }
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&](const Source& each) { return each.index == wanted - 1; });
    if (found == sources.end()) {
        throw store::FilterError("source",
                                 "database " + std::to_string(wanted) + " has no such source");
    }
    const chess::Color color =
        given.text("color") == "white" ? chess::Color::kWhite : chess::Color::kBlack;
    ask::add_preparation(*found, question, color, true, object, stop);
}

ask::Fields player_name() {
    return {{"name", {}, "the player's name, or words that only one player has"}};
}

}  // namespace

Route players_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/players";
    route.summary = "Lists the players with their numbers of games, those with most games first.";
    route.parameters = ask::joined({{ask::prefix_field()}, page_fields(), ask::fields_of_filter()});
    route.answer = "PlayerRow";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = call.given.filter();
        return list_task(call, Cost::kSums,
                         [&databases, filter, prefix = call.given.text("prefix")](
                             const ask::Page& page, const std::stop_token& stop) {
                             Sources sources(databases.open(), filter, stop);
                             return ask::player_rows(sources, prefix, page, stop);
                         });
    };
    return route;
}

Route player_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/players/{name}";
    route.named = player_name();
    route.summary = "A player's score by colour, year and opponents, ratings and openings.";
    route.parameters = ask::joined({{ask::together_field()}, ask::fields_of_filter()});
    route.answer = "Player";
    route.plan = [&databases](const Call& call) {
        return report_task(databases, ask::player_question(call.given, call.named.front(), {}));
    };
    return route;
}

Route prepare_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/players/{name}/prepare";
    route.named = player_name();
    route.summary = "What a player plays with a colour, and where the results are worst.";
    route.parameters = ask::joined(
        {{ask::color_field(),
          ask::number_field("database", "which of the databases, counted from 1 (1)", 1),
          ask::together_field()},
         ask::fields_of_filter()});
    route.answer = "Preparation";
    route.plan = [&databases](const Call& call) {
        ask::PlayerQuestion question = ask::player_question(call.given, call.named.front(), {});
        if (databases.size() > 1 && call.find("database") == nullptr) {
            throw Refusal{400, "missing_parameter",
                          "several databases are served, and one player is prepared against in one "
                          "of them: give database, a number from 1 to " +
                              std::to_string(databases.size()),
                          "database"};
        }
        return object_task(Cost::kScan, [&databases, call, question = std::move(question)](
                                            json::Object& object, const std::stop_token& stop) {
            answer_preparation(databases, question, call.given, object, stop);
        });
    };
    return route;
}

Route head_to_head_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/head-to-head";
    route.summary = "A player's results against another.";
    ask::FieldText player{"a", {}, "the player's name"};
    ask::FieldText opponent{"b", {}, "the opponent's name"};
    player.required = opponent.required = true;
    route.parameters =
        ask::joined({{player, opponent, ask::together_field()}, ask::fields_of_filter()});
    std::erase_if(route.parameters, [](const auto& spec) { return spec.name == "player"; });
    route.answer = "Player";
    route.plan = [&databases](const Call& call) {
        return report_task(databases, ask::player_question(call.given, call.given.text("a"),
                                                           call.given.text("b")));
    };
    return route;
}

Route openings_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/openings";
    route.summary = "Lists the openings of games, by their moves, with results.";
    route.parameters =
        ask::joined({page_fields(), {ask::opening_order_field()}, ask::fields_of_filter()});
    route.answer = "OpeningRow";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        const query::GameFilter filter = call.given.filter();
        return list_task(call, Cost::kSums,
                         [&databases, filter, order = ask::opening_order(call.given)](
                             const ask::Page& page, const std::stop_token& stop) {
                             Sources sources(databases.open(), filter, stop);
                             return ask::opening_rows(sources, order, page, stop);
                         });
    };
    return route;
}

}  // namespace fendex::serve::api
