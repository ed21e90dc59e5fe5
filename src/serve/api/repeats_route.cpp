// GET /api/v1/repeats: repeated positions, and the draws that could have been claimed.
#include <utility>

#include "ask/questions.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

Route repeats_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/repeats";
    route.summary = "Lists repeated positions, possible draw claims and missed claims.";
    route.parameters = ask::joined({ask::position_fields(),
                                    ask::repeats_fields(),
                                    {ask::dialect_field(), ask::sort_field()},
                                    page_fields(),
                                    ask::fields_of_filter()});
    route.answer = "Repetition";
    route.is_list = true;
    route.plan = [&databases](const Call& call) {
        ask::RepeatsQuestion question = ask::repeats_question(call.given);
        return list_task(
            call, Cost::kScan,
            [&databases, question = std::move(question), dialect = call.given.dialect()](
                const ask::Page& page, const std::stop_token& stop) {
                return ask::repetition_rows(
                    std::make_unique<Sources>(databases.open(), question.filter, stop), question,
                    page, {.refs = true}, {.dialect = dialect}, stop);
            });
    };
    return route;
}

}  // namespace fendex::serve::api
