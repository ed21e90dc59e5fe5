// GET /api/v1/find: the games that reached a position, a pattern or material.
#include <utility>

#include "ask/questions.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

Task count_task(Databases& databases, const Call& call, Cost cost) {
    return object_task(cost, [&databases, call](json::Object& object, const std::stop_token& stop) {
        const ask::HitsQuestion question = ask::hits_question(call.given);
        Sources sources(databases.open(), question.filter, stop);
        const query::Count count = ask::count_hits(sources, question, false, stop);
        object.add("games", count.games);
        object.add("occurrences", count.occurrences);
    });
}

}  // namespace

Route find_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/find";
    route.summary = "Lists games that reached a position, a pattern or material.";
    route.parameters = ask::joined(
        {ask::hits_fields(),
         {ask::sort_field(),
          ask::flag_field("count", "answer only how many games and occurrences there are")},
         page_fields(),
         ask::fields_of_filter()});
    route.answer = "Hit";
    route.is_list = true;
    route.count = "HitCount";
    route.plan = [&databases](const Call& call) {
        const bool scans = ask::has_pattern(call.given) || call.given.flag("variations");
        const Cost cost = scans ? Cost::kScan : Cost::kSums;
        if (call.given.flag("count")) return count_task(databases, call, cost);
        return list_task(
            call, cost, [&databases, call](const ask::Page& page, const std::stop_token& stop) {
                ask::HitsQuestion question = ask::hits_question(call.given);
                auto sources = std::make_unique<Sources>(databases.open(), question.filter, stop);
                return ask::hit_rows(std::move(sources), std::move(question), page, {.refs = true},
                                     stop);
            });
    };
    return route;
}

}  // namespace fendex::serve::api
