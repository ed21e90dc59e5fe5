#include "ask/novelty_documents.hpp"

#include <utility>
#include <vector>

#include "pgn/text_source.hpp"
#include "query/novelty_json.hpp"

namespace fendex::ask {

namespace {

/// Small, so that the first documents come soon.
constexpr std::size_t kBatchBytes = 8 * 1024;

ingest::PgnInputOptions options_of(const Given& given) {
    ingest::PgnInputOptions options;
    options.batch_bytes = kBatchBytes;
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

}  // namespace

void add_import_error(const store::ImportError& error, json::Object& object) {
    object.add("line", error.line);
    object.add("ply", error.ply);
    object.add("severity", error.warning ? "warning" : "error");
    object.add("reason", error.reason);
    object.add("text", error.text);
}

NoveltyDocuments::NoveltyDocuments(std::unique_ptr<Sources> sources, std::string text,
                                   std::string name, const Given& given, const RowStyle& style,
                                   std::stop_token stop)
    : sources_(std::move(sources)),
      input_(pgn::make_text_source(std::move(text)), std::move(name), options_of(given)),
      dialect_(given.dialect()),
      style_(style),
      stop_(std::move(stop)) {
    for (Source& source : *sources_) finders_.emplace_back(*source.reader, source.matcher);
}

bool NoveltyDocuments::read(
    const std::function<void(const std::function<void(json::Object&)>&)>& visit) {
    const auto batch = input_.next();
    if (!batch) return false;
    const store::NewGames read = ingest::read_batch(batch->task, replay_);
    for (std::size_t i = 0; i < read.games.size(); ++i) {
        visit([&](json::Object& object) { add(read, i, batch->first_game + i, object); });
    }
    return true;
}

void NoveltyDocuments::add(const store::NewGames& read, std::size_t i, std::uint64_t number,
                           json::Object& object) {
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
        Source& source = (*sources_)[known->database];
        if (!source.reader->header(known->last, last)) store::throw_no_game(known->last);
        if (sources_->several()) database = &source.name;
        ref = ref_prefix(source.index) + std::to_string(known->last);
    }
    query::add_asked_game(number, game, object);
    query::add_novelty(novelty, last, database, dialect_, object);
    if (style_.refs) ref.empty() ? object.add_null("last_ref") : object.add("last_ref", ref);
    add_errors(read, i, object);
}

}  // namespace fendex::ask
