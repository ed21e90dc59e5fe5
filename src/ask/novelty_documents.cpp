#include "ask/novelty_documents.hpp"

#include <deque>
#include <utility>
#include <vector>

#include "ask/filter_fields.hpp"
#include "ask/questions.hpp"
#include "ingest/pgn_input.hpp"
#include "pgn/text_source.hpp"
#include "query/novelty.hpp"
#include "query/novelty_json.hpp"

namespace fendex::ask {

namespace {

ingest::PgnInputOptions options_of(const Given& given) {
    ingest::PgnInputOptions options;
    options.variant = given.variant().value_or(chess::Variant::kStandard);
    return options;
}

/// Adds the errors of a game that could not be read completely.
void add_errors(const store::NewGames& read, std::size_t game, json::Object& object) {
    std::vector<const store::ImportError*> errors;
    for (const store::NewError& each : read.errors) {
        if (each.game == game && !each.error.warning) errors.push_back(&each.error);
    }
    object.add_objects("errors", errors,
                       [](json::Object& of_error, const store::ImportError* error) {
                           add_import_error(*error, of_error);
                       });
}

/// The documents of the games of a text, read batch by batch.
class NoveltyDocuments {
  public:
    /// Throws pgn::SourceError.
    NoveltyDocuments(Context context, const Given& given)
        : context_(std::move(context)),
          input_(pgn::make_text_source(given.text("pgn")), "the PGN", options_of(given)),
          dialect_(given.dialect()) {
        for (Source& source : *context_.sources)
            finders_.emplace_back(*source.reader, source.matcher, given.flag("variations"));
        evaluations_.emplace(context_.sources->readers());
    }

    /// Reads the next batch. Returns false after the last one. Throws pgn::SourceError.
    bool read(const std::function<void(const Fill&)>& visit) {
        const auto batch = input_.next();
        if (!batch) return false;
        const store::NewGames read = ingest::read_batch(batch->task, replay_);
        for (std::size_t i = 0; i < read.games.size(); ++i) {
            visit([&](json::Object& object) { add(read, i, batch->first_game + i, object); });
        }
        return true;
    }

  private:
    void add(const store::NewGames& read, std::size_t i, std::uint64_t number,
             json::Object& object);

    Context context_;
    ingest::PgnInput input_;
    chess::FenDialect dialect_;
    std::deque<query::NoveltyFinder> finders_;  // one for each database
    std::optional<query::Evaluations> evaluations_;
    ingest::GameReplay replay_;
};

/// Calls act() and throws QuestionError if the PGN cannot be read.
template <typename Act>
auto reading_pgn(Act act) {
    try {
        return act();
    } catch (const pgn::SourceError& error) {
        throw QuestionError("bad_pgn", "pgn", error.what());
    }
}

void NoveltyDocuments::add(const store::NewGames& read, std::size_t i, std::uint64_t number,
                           json::Object& object) {
    const store::StoredGame game = ingest::stored_game(read, read.games[i]);
    std::vector<query::Novelty> answers;
    for (query::NoveltyFinder& each : finders_) {
        answers.push_back(each.find(game, read.games[i].facts.date, context_.stop));
    }
    query::Novelty novelty = query::joined_novelty(answers);
    query::add_verdicts(*evaluations_, novelty);
    store::GameHeader last;
    const std::string* database = nullptr;
    std::string ref;
    if (const auto& known = novelty.known) {
        Source& source = (*context_.sources)[known->database];
        if (!source.reader->header(known->last, last)) store::throw_no_game(known->last);
        if (context_.sources->several()) database = &source.name;
        ref = ref_prefix(source.index) + std::to_string(known->last);
    }
    query::add_asked_game(number, game, object);
    query::add_novelty(novelty, last, database, dialect_, object);
    if (context_.style.refs) object.add("last_ref", json::known(ref));
    add_errors(read, i, object);
}

}  // namespace

void add_import_error(const store::ImportError& error, json::Object& object) {
    object.add("line", error.line);
    object.add("ply", error.ply);
    object.add("severity", error.warning ? "warning" : "error");
    object.add("reason", error.reason);
    object.add("text", error.text);
}

QuestionKind novelty_kind() {
    FieldText games{"pgn", "PGN", "games as PGN"};
    games.required = true;
    return {.name = "novelty",
            .summary =
                "for each game of a PGN text, the last position that earlier games reached, and "
                "the move that was new there",
            .answer = "NoveltyRow",
            .schemas = {{"NoveltyRow", all_members({{{"game", "integer", "its number in the PGN"}},
                                                    {{"white", "string?"}, {"black", "string?"}},
                                                    {{"date", "string?"}},
                                                    result_members(),
                                                    {{"ply", "integer?"},
                                                     {"fen", "string?"},
                                                     {"key", "string?"},
                                                     {"games", "integer"},
                                                     {"last", "LastGame?"},
                                                     {"novelty", "NewMove?"},
                                                     {"played", "[MoveResults]"},
                                                     {"ended", "integer"},
                                                     {"eval", "Verdict?", "of the position"},
                                                     {"last_ref", "string?", "of the latest game"},
                                                     {"errors", "[ImportError]"}}})},
                        {"LastGame", all_members({{{"database?", "string"}, {"game_id", "integer"}},
                                                  game_column_members()})},
                        {"NewMove",
                         {{"ply", "integer"},
                          {"san", "string"},
                          {"uci", "string"},
                          {"eval", "Verdict?", "of the position after it"}}},
                        {"MoveResults",
                         all_members({{{"san", "string"}, {"uci", "string"}},
                                      results_members(),
                                      {{"eval", "Verdict?", "of the position after it"}}})}},
            .fields = {games,
                       flag_field("variations",
                                  "positions and moves of variations are known, too, if they were "
                                  "imported with --variations"),
                       dialect_field()},
            .plan = [](const Given& given) {
                Plan plan{for_position(given.filter()), Cost::kScan};
                plan.documents = [given](const Context& context) {
                    return reading_pgn([&]() -> NextDocuments {
                        auto documents = std::make_shared<NoveltyDocuments>(context, given);
                        return [documents](const std::function<void(const Fill&)>& visit) {
                            return reading_pgn([&] { return documents->read(visit); });
                        };
                    });
                };
                return plan;
            }};
}

}  // namespace fendex::ask
