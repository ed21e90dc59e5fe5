// GET /api/cloud-eval: the evaluation of a position, for clients of lichess.org's address of this
// name: the same parameters, members and 404.
#include <algorithm>
#include <span>

#include "chess/fen.hpp"
#include "query/evaluations.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/explorer/parameters.hpp"

namespace fendex::serve::api {

namespace {

constexpr std::size_t kMostPvs = 5;

/// Returns the best search with as many PVs as are wanted; null if there is none.
const codec::Evaluation* best_with(const codec::PositionRecord& record, std::size_t pvs) {
    for (const codec::Evaluation* const each : query::searches_of(record)) {
        if (each->pvs.size() >= pvs) return each;
    }
    return nullptr;
}

Answer answer_cloud_eval(const Databases& databases, const Call& call) {
    const chess::AnyPosition position = explorer::position_of(call).position;
    const std::size_t wanted = std::clamp<std::size_t>(
        std::min(explorer::number_of(call, "multiPv", 1), chess::count_legal_moves(position)), 1,
        kMostPvs);
    std::vector<ask::OpenDatabase> open = databases.open();
    std::vector<store::StoreReader*> readers;
    for (const ask::OpenDatabase& each : open) readers.push_back(each.reader.get());
    const codec::PositionRecord record = query::Evaluations(readers).record(position);
    const codec::Evaluation* const search = best_with(record, wanted);
    Answer answer;
    if (search == nullptr) {
        answer.status = 404;
        answer.body = "{\"error\":\"No cloud evaluation available for that position\"}";
        return answer;
    }
    json::append_object(answer.body, [&](json::Object& object) {
        const std::string* const fen = call.find("fen");
        object.add("fen", fen == nullptr ? chess::to_fen(position) : *fen);
        object.add("knodes", search->nodes / 1000);
        object.add("depth", search->depth);
        object.add_objects("pvs", std::span(search->pvs).first(wanted),
                           [&](json::Object& pv, const codec::Variation& each) {
                               pv.add("moves", query::uci_line(position, each.moves));
                               query::add_score(each.score, pv);
                           });
    });
    return answer;
}

}  // namespace

Route cloud_eval_route(Databases& databases) {
    Route route;
    route.path = "/api/cloud-eval";
    route.summary = "The evaluation of a position.";
    route.strictness = Strictness::kLenient;
    route.plan = [&databases](const Call& call) {
        Task task;
        task.version = databases.version();
        task.run = [&databases, call](const std::stop_token&) {
            return answer_cloud_eval(databases, call);
        };
        return task;
    };
    return route;
}

}  // namespace fendex::serve::api
