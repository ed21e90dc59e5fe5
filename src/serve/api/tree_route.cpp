// GET /api/v1/tree: the moves that were played from a position, in all databases together.
#include <utility>

#include "query/opening_tree.hpp"
#include "query/tree_json.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/requests.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

void answer_tree(Databases& databases, const Call& call, json::Object& object,
                 const std::stop_token& stop) {
    const query::Match match = match_of(call);
    const LineRequest line = line_of(call, match);
    Sources sources(databases, filter_of(call).for_position(), stop);
    std::vector<query::TreeSource> asked;
    std::vector<query::TreeDatabase> named;
    for (Source& source : sources) {
        asked.push_back({&*source.reader, &source.positions});
        named.push_back({&*source.reader, sources.several() ? std::string_view(source.name) : "",
                         ref_prefix(source.index)});
    }
    query::TreeOptions options;
    options.match = match;
    options.min_games = number_of(call, "min-games").value_or(1);
    query::Tree tree = query::opening_tree(asked, line.end, options, stop);
    if (const auto limit = number_of(call, "limit"); limit && *limit < tree.moves.size()) {
        tree.moves.erase(tree.moves.begin() + static_cast<std::ptrdiff_t>(*limit),
                         tree.moves.end());
    }
    query::add_tree(tree, dialect_of(call), named, object,
                    [&](const query::TreeMove& move, json::Object& of_move) {
                        // With match=board a move can be one of the other side.
                        of_move.add("played", move.mover == line.end.side_to_move()
                                                  ? chess::to_uci(line.end, move.move, line.variant)
                                                  : move.uci);
                    });
}

}  // namespace

Route tree_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/tree";
    route.summary = "The moves that were played from a position, with results.";
    route.parameters = joined(
        {position_parameters(),
         {match_parameter(), number_parameter("min-games", "leave out moves of fewer games", 1),
          number_parameter("limit", "at most so many moves"), dialect_parameter()},
         filter_parameters()});
    route.answer = "Tree";
    route.plan = [&databases](const Call& call) {
        const bool all = static_cast<const store::GameFilter&>(filter_of(call).for_position()) ==
                         store::GameFilter{};
        const bool exact = match_of(call) == query::Match::kExact;
        return object_task(all && exact ? Cost::kLookUp : Cost::kSums,
                           [&databases, call](json::Object& object, const std::stop_token& stop) {
                               answer_tree(databases, call, object, stop);
                           });
    };
    return route;
}

}  // namespace fendex::serve::api
