// GET /api/v1/tree: the moves that were played from a position, in all databases together.
#include <utility>

#include "ask/tree_document.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

Route tree_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/tree";
    route.summary = "The moves that were played from a position, with results.";
    route.parameters = ask::joined({ask::tree_fields(), ask::fields_of_filter()});
    route.answer = "Tree";
    route.plan = [&databases](const Call& call) {
        ask::TreeQuestion question = ask::tree_question(call.given);
        const bool is_look_up = question.filter == store::GameFilter{} &&
                                question.options.match == query::Match::kExact;
        return object_task(is_look_up ? Cost::kLookUp : Cost::kSums,
                           [&databases, question = std::move(question)](
                               json::Object& object, const std::stop_token& stop) {
                               Sources sources(databases.open(), question.filter, stop);
                               ask::add_tree(sources, question, {.refs = true}, object, stop);
                           });
    };
    return route;
}

}  // namespace fendex::serve::api
