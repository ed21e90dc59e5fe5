// GET /api/v1/stats: the content of the databases.
#include "query/database_summary.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

void answer_stats(Databases& databases, json::Object& object, const std::stop_token& stop) {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    object.add_objects("databases", databases.open(),
                       [&](json::Object& of, const OpenDatabase& open) {
                           const query::DatabaseSummary summary(*open.reader, stop);
                           of.add("name", open.name);
                           query::add_summary(summary, of);
                           games += summary.games();
                           plies += summary.plies();
                       });
    object.add("games", games);
    object.add("plies", plies);
    object.add("version", databases.version());
}

}  // namespace

Route stats_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/stats";
    route.summary = "What is in the databases.";
    route.answer = "Stats";
    route.plan = [&databases](const Call&) {
        return object_task(Cost::kSums,
                           [&databases](json::Object& object, const std::stop_token& stop) {
                               answer_stats(databases, object, stop);
                           });
    };
    return route;
}

}  // namespace fendex::serve::api
