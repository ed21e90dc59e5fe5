// POST /api/v1/novelty: where each game of a PGN text left the games of the databases.
#include <deque>
#include <utility>

#include "ingest/pgn_input.hpp"
#include "pgn/text_source.hpp"
#include "query/novelty.hpp"
#include "query/novelty_json.hpp"
#include "serve/api/list.hpp"
#include "serve/api/make_routes.hpp"
#include "serve/api/sources.hpp"
#include "store/kept_headers.hpp"

namespace fendex::serve::api {

namespace {

/// Small, so that the first rows come soon.
constexpr std::size_t kNoveltyBatchBytes = 8 * 1024;

/// The games of a text, each as one line, read batch by batch.
class NoveltyLines {
  public:
    NoveltyLines(Databases& databases, const Call& call, std::stop_token stop)
        : sources_(databases, filter_of(call).for_position(), stop),
          input_(pgn::make_text_source(call.request->body), "the request", options_of(call)),
          dialect_(dialect_of(call)),
          stop_(std::move(stop)) {
        for (Source& source : sources_) finders_.emplace_back(*source.reader, source.matcher);
    }

    /// Appends the lines of the next batch. Returns false after the last batch.
    bool append_piece(std::string& out) {
        const auto batch = input_.next();
        if (!batch) return false;
        const store::NewGames read = ingest::read_batch(batch->task, replay_);
        for (std::size_t i = 0; i < read.games.size(); ++i) {
            append(read, i, batch->first_game + i, out);
        }
        return true;
    }

  private:
    static ingest::PgnInputOptions options_of(const Call& call) {
        ingest::PgnInputOptions options;
        options.batch_bytes = kNoveltyBatchBytes;
        options.variant = variant_of(call).value_or(chess::Variant::kStandard);
        return options;
    }

    void append(const store::NewGames& read, std::size_t i, std::uint64_t number,
                std::string& out) {
        const store::StoredGame game = ingest::stored_game(read, read.games[i]);
        std::vector<query::Novelty> answers;
        for (query::NoveltyFinder& each : finders_) {
            answers.push_back(each.find(game, read.games[i].facts.date, stop_));
        }
        const query::Novelty novelty = query::joined_novelty(answers);
        store::GameHeader last;
        const std::string* database = nullptr;
        std::string ref;
        if (const auto& known = novelty.known) {
            Source& source = sources_[known->database];
            if (!source.reader->header(known->last, last)) {
                store::throw_no_game(known->last);
            }
            if (sources_.several()) database = &source.name;
            ref = ref_prefix(source.index) + std::to_string(known->last);
        }
        json::append_line(out, [&](json::Object& object) {
            query::add_asked_game(number, game, object);
            query::add_novelty(novelty, last, database, dialect_, object);
            ref.empty() ? object.add_null("last_ref") : object.add("last_ref", ref);
            add_errors(read, i, object);
        });
    }

    /// Adds the errors of a game that could not be read completely.
    static void add_errors(const store::NewGames& read, std::size_t game, json::Object& object) {
        std::vector<const store::ImportError*> errors;
        for (const store::NewError& each : read.errors) {
            if (each.game == game && !each.error.warning) errors.push_back(&each.error);
        }
        object.add_objects("errors", errors,
                           [](json::Object& of_error, const store::ImportError* error) {
                               add_import_error(*error, of_error);
                           });
    }

    Sources sources_;
    ingest::PgnInput input_;
    chess::FenDialect dialect_;
    std::stop_token stop_;
    std::deque<query::NoveltyFinder> finders_;  // one for each database
    ingest::GameReplay replay_;
};

Answer answer_novelty(Databases& databases, const Call& call, const std::stop_token& stop) {
    try {
        auto lines = std::make_shared<NoveltyLines>(databases, call, stop);
        Answer answer;
        answer.type = kJsonLines;
        if (lines->append_piece(answer.body)) {
            answer.more = [lines = std::move(lines)](std::string& out) mutable {
                if (lines->append_piece(out)) return true;
                lines.reset();  // returns the readers
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
    route.parameters = joined({{dialect_parameter()}, filter_parameters()});
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
