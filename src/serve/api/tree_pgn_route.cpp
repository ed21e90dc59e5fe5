// GET /api/v1/tree.pgn: a tree of several plies as PGN, which is written while the answer is sent.
#include <memory>
#include <utility>

#include "ask/filter_fields.hpp"
#include "ask/tree_pgn_question.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

/// The open databases and the tree in them.
struct OpenTree {
    OpenTree(const AskedDatabases& asked, const ask::TreePgnQuestion& question,
             const std::stop_token& stop)
        : sources(asked.open(question.filter, stop)),
          pgn(ask::tree_pgn(*sources, question, {}, stop)) {}

    std::shared_ptr<Sources> sources;
    std::unique_ptr<emit::TreePgn> pgn;
};

}  // namespace

Route tree_pgn_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/tree.pgn";
    route.summary =
        "What was played from a position, several moves deep, as one game of PGN with variations.";
    route.parameters = ask::joined({ask::position_fields(),
                                    {ask::tree_depth_field(), ask::tree_games_field()},
                                    ask::fields_of_filter(),
                                    {database_field()}});
    route.answer = "PGN";
    route.plan = [&databases](const Call& call) {
        Task task;
        task.cost = Cost::kScan;
        task.run = [asked = asked_databases(call.given, databases),
                    question = ask::tree_pgn_question(call.given)](const std::stop_token& stop) {
            auto tree = std::make_shared<OpenTree>(asked, question, stop);
            Answer answer = streamed(kPgn, [tree = std::move(tree)](std::string& out) {
                return tree->pgn->append_piece(out);
            });
            answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"tree.pgn\"");
            return answer;
        };
        return task;
    };
    return route;
}

}  // namespace fendex::serve::api
