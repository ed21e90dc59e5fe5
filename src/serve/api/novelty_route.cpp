// POST /api/v1/novelty: where each game of a PGN text left the games of the databases.
#include <utility>

#include "ask/filter_fields.hpp"
#include "ask/novelty_documents.hpp"
#include "ask/questions.hpp"
#include "pgn/byte_source.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

/// Appends the lines of the next batch of games. Returns false after the last batch.
bool append_piece(ask::NoveltyDocuments& games, std::string& out) {
    return games.read([&](const auto& add) { json::append_line(out, add); });
}

Answer answer_novelty(Databases& databases, const Call& call, const std::stop_token& stop) {
    try {
        auto sources = std::make_unique<Sources>(databases.open(),
                                                 ask::for_position(call.given.filter()), stop);
        auto games = std::make_shared<ask::NoveltyDocuments>(std::move(sources), call.request->body,
                                                             "the request", call.given,
                                                             ask::RowStyle{.refs = true}, stop);
        Answer answer;
        answer.type = kJsonLines;
        if (append_piece(*games, answer.body)) {
            answer.more = [games = std::move(games)](std::string& out) mutable {
                if (append_piece(*games, out)) return true;
                games.reset();  // returns the readers
                return false;
            };
        }
        return answer;
    } catch (const pgn::SourceError& error) {
        throw Refusal{400, "bad_pgn", error.what()};
    }
}

}  // namespace

Route novelty_route(Databases& databases) {
    Route route;
    route.method = Method::kPost;
    route.path = "/api/v1/novelty";
    route.summary =
        "For each game of a PGN, the last position that earlier games reached, and the move that "
        "was new there.";
    route.parameters = ask::joined({{ask::dialect_field()}, ask::fields_of_filter()});
    route.answer = "NoveltyRow";
    route.is_lines = true;
    route.body = "PGN";
    route.plan = [&databases](const Call& call) {
        Task task;
        task.cost = Cost::kScan;
        task.run = [&databases, call](const std::stop_token& stop) {
            return answer_novelty(databases, call, stop);
        };
        return task;
    };
    return route;
}

}  // namespace fendex::serve::api
