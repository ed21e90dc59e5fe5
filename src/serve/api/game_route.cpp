// GET /api/v1/games/{ref}: one game, with every ply, as JSON and as PGN.
#include <utility>

#include "ask/fields.hpp"
#include "ask/novelty_documents.hpp"
#include "base/stop_check.hpp"
#include "emit/annotated_game.hpp"
#include "emit/game_json.hpp"
#include "emit/game_rows.hpp"
#include "emit/pgn_game.hpp"
#include "replay/stored_walk.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

namespace {

/// The game of a request, and the databases.
class GameRequest {
  public:
    /// Throws Refusal if there is no such game.
    GameRequest(Databases& databases, const std::string& ref, const std::stop_token& stop)
        : ref_(game_ref_of(ref, databases)), sources_(databases.open(), {}, stop) {
        // The header is read last: it has views that are valid until the next call of the reader.
        if (!reader().game(ref_.game, game_) || !reader().header(ref_.game, header_)) {
            throw Refusal{404, "no_such_game", "there is no game " + ref};
        }
    }

    store::GameId id() const { return ref_.game; }
    Sources& sources() { return sources_; }
    Source& source() { return sources_[ref_.database]; }
    store::StoreReader& reader() { return *source().reader; }
    /// Valid until the reader is used.
    const store::GameHeader& header() const { return header_; }
    const store::StoredGame& game() const { return game_; }

  private:
    GameRef ref_;
    Sources sources_;
    store::GameHeader header_;
    store::StoredGame game_;
};

/// Adds the errors of the game's import.
void add_errors(GameRequest& asked, const std::stop_token& stop, json::Object& object) {
    std::vector<store::ImportError> errors;
    base::StopCheck check(stop);
    asked.reader().for_each_error([&](const store::StoredError& each) {
        check();
        if (each.game == asked.id()) errors.push_back(each.error);
        return true;
    });
    object.add_objects("errors", errors,
                       [](json::Object& of_error, const store::ImportError& error) {
                           ask::add_import_error(error, of_error);
                       });
}

/// Returns how many games of all databases reached the position after each ply.
std::vector<std::uint64_t> games_that_reached(GameRequest& asked, const std::stop_token& stop) {
    std::vector<query::Question> questions;
    for (replay::AnyWalk walk(asked.id(), asked.game().moves); !walk.at_end();) {
        walk.advance();
        questions.push_back(query::Question::of(walk.position()));
    }
    std::vector<std::uint64_t> games(questions.size());
    for (Source& source : asked.sources()) {
        const auto of_source = source.positions.count_games(questions, stop);
        for (std::size_t i = 0; i < games.size(); ++i) games[i] += of_source[i];
    }
    return games;
}

void add_line(GameRequest& asked, bool reached, chess::FenDialect dialect,
              const std::stop_token& stop, json::Object& object) {
    const store::StoredMoves& moves = asked.game().moves;
    if (!replay::has_positions(moves)) {
        for (const char* const name : {"comment", "line"}) object.add_null(name);
        return;
    }
    std::string annotation;
    asked.reader().annotation(asked.id(), annotation);
    const emit::AnnotatedLine line = emit::annotated_game(asked.id(), moves, annotation, dialect);
    const store::Occurrences occurrences(asked.reader().repetitions(asked.id()));
    std::vector<std::uint64_t> games;
    if (reached) games = games_that_reached(asked, stop);
    emit::add_line(
        line,
        [&](std::size_t index, json::Object& of_move) {
            of_move.add("occurrence", occurrences.at(static_cast<std::uint32_t>(index) + 1));
            if (reached) of_move.add("reached", games.at(index));
        },
        object);
}

void answer_game(Databases& databases, const Call& call, json::Object& object,
                 const std::stop_token& stop) {
    GameRequest asked(databases, call.named.front(), stop);
    if (asked.sources().several()) object.add("database", asked.source().name);
    query::Evaluations evaluations(asked.sources().readers());
    emit::add_game(asked.id(), asked.game(), asked.header(), call.given.dialect(), {}, evaluations,
                   object);
    object.add("ref", ask::ref_prefix(asked.source().index) + std::to_string(asked.id()));
    add_line(asked, call.given.flag("reached"), call.given.dialect(), stop, object);
    if (call.given.flag("errors")) add_errors(asked, stop, object);
}

}  // namespace

Route game_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/games/{ref}";
    route.named = {{"ref", {}, "the game: 17; 2:17 for game 17 of the second database"}};
    route.summary = "A game with its tags and every ply, with annotations and variations.";
    route.parameters = {
        ask::flag_field("reached", "for each ply, how many games reached its position"),
        ask::flag_field("errors", "what could not be read when the game was imported"),
        ask::dialect_field()};
    route.answer = "Game";
    route.plan = [&databases](const Call& call) {
        const bool scan = call.given.flag("reached") || call.given.flag("errors");
        return object_task(scan ? Cost::kScan : Cost::kLookUp,
                           [&databases, call](json::Object& object, const std::stop_token& stop) {
                               answer_game(databases, call, object, stop);
                           });
    };
    return route;
}

Route game_pgn_route(Databases& databases) {
    Route route;
    route.path = "/api/v1/games/{ref}.pgn";
    route.named = {{"ref", {}, "the game: 17; 2:17 for game 17 of the second database"}};
    route.summary = "A game as PGN.";
    route.answer = "PGN";
    route.plan = [&databases](const Call& call) {
        Task task;
        task.run = [&databases, ref = call.named.front()](const std::stop_token& stop) {
            GameRequest asked(databases, ref, stop);
            Answer answer;
            answer.type = kPgn;
            emit::append_pgn(asked.reader(), asked.id(), answer.body);
            return answer;
        };
        return task;
    };
    return route;
}

}  // namespace fendex::serve::api
