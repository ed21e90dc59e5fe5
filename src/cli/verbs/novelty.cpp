#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include "ask/fields.hpp"
#include "ask/questions.hpp"
#include "ask/sources.hpp"
#include "base/ordered_pipeline.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/resources.hpp"
#include "cli/options/say.hpp"
#include "cli/options/store_at.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/novelty_printer.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "ingest/pgn_input.hpp"
#include "pgn/inputs.hpp"
#include "pgn/lexer.hpp"

namespace fendex::cli {

namespace {

/// A batch of games and its place in the whole input.
struct BatchRequest {
    ingest::PgnInputBatch batch;
    std::uint64_t games_before = 0;
};

/// The games of a batch that the page shows, and what could not be read.
struct AnsweredBatch {
    AnsweredGames answered;
    std::uint64_t first_game = 1;
    std::vector<store::NewError> errors;
};

/// Reads batches and looks for novelties. Each thread has its own.
class NoveltyWorker {
  public:
    NoveltyWorker(const Arguments& arguments, const query::GameFilter& filter, const Paging& page,
                  bool annotates)
        : databases_(open_databases(arguments), filter), page_(page), annotates_(annotates) {
        for (ask::Source& each : databases_) {
            finders_.emplace_back(*each.reader, each.matcher, arguments.has("variations"));
        }
        evaluations_.emplace(databases_.readers());
    }

    std::vector<store::StoreReader*> readers() { return databases_.readers(); }
    /// Returns the names of the databases, in the order in which answers count them.
    std::vector<std::string> names() {
        std::vector<std::string> out;
        for (const ask::Source& each : databases_) out.push_back(each.name);
        return out;
    }

    AnsweredBatch answer(const BatchRequest& asked) {
        const pgn::Batch& text = asked.batch.task.batch;
        store::NewGames read = ingest::read_batch(asked.batch.task, replay_);
        AnsweredBatch out;
        out.answered.file = asked.batch.input;
        out.first_game = asked.batch.first_game;
        std::vector<store::KeptHeadersOfSeveral::Place> last;
        std::size_t i = 0;
        for (const pgn::Extent& extent : text.extents) {
            if (extent.kind == pgn::Extent::Kind::kJunk) continue;
            const store::NewGame& game = read.games[i];
            if (is_shown(asked.games_before + i)) {
                GameRequest& shown = out.answered.games.emplace_back();
                shown.number = asked.batch.first_game + i;
                shown.game = ingest::stored_game(read, game);
                shown.is_dated = game.facts.date.year() != 0;
                shown.novelty = novelty_of(shown.game, game.facts.date);
                if (const auto& known = shown.novelty.known) {
                    last.emplace_back(known->database, known->last);
                }
                if (annotates_ && has_error(read, i)) {
                    shown.broken = pgn::clean_text(
                        std::string_view(text.text).substr(extent.offset, extent.size));
                } else if (annotates_) {
                    shown.annotation = game.annotation.of(read.annotations);
                }
            }
            ++i;
        }
        out.answered.headers.emplace(databases_.readers(), last);
        out.errors = std::move(read.errors);
        return out;
    }

  private:
    query::Novelty novelty_of(const store::StoredGame& game, codec::Date date) {
        std::vector<query::Novelty> answers;
        for (query::NoveltyFinder& each : finders_) answers.push_back(each.find(game, date));
        query::Novelty novelty = query::joined_novelty(answers);
        query::add_verdicts(*evaluations_, novelty);
        return novelty;
    }
    bool is_shown(std::uint64_t place) const {
        return place >= page_.offset && place - page_.offset < page_.limit;
    }
    static bool has_error(const store::NewGames& read, std::size_t game) {
        return std::any_of(read.errors.begin(), read.errors.end(), [&](const auto& each) {
            return each.game == game && !each.error.warning;
        });
    }

    ask::Sources databases_;
    std::deque<query::NoveltyFinder> finders_;
    std::optional<query::Evaluations> evaluations_;
    Paging page_;
    bool annotates_;
    ingest::GameReplay replay_;
};

/// Prints what could not be read: the first errors, and how many more there are.
class InputErrors {
  public:
    explicit InputErrors(const std::vector<std::string>& files) : files_(files) {}

    void add(const AnsweredBatch& batch) {
        for (const store::NewError& each : batch.errors) {
            if (each.error.warning || errors_++ >= kMostSaid) continue;
            const store::ImportError& error = each.error;
            std::string message = files_[batch.answered.file] + ": ";
            if (each.game) message += fmt::format("game {}, ", batch.first_game + *each.game);
            message += fmt::format("line {}: {}", error.line, error.reason);
            if (!error.text.empty()) message += " (" + error.text + ")";
            say(message);
        }
    }
    void finish() const {
        if (errors_ > kMostSaid) say("... and " + counted(errors_ - kMostSaid, "more error"));
    }

  private:
    static constexpr std::uint64_t kMostSaid = 10;

    const std::vector<std::string>& files_;
    std::uint64_t errors_ = 0;
};

int run_novelty(const Arguments& arguments) {
    const NamedDatabases named = databases_of(arguments);
    const bool annotates = arguments.has("annotate");
    const Format format = format_of(arguments);
    const Paging page = annotates ? paging_by_default(Format::kPgn) : paging_of(arguments, format);
    if (annotates &&
        (format != Format::kTable || arguments.has("limit") || arguments.has("offset"))) {
        throw UsageError(
            "--annotate writes all games as PGN, without --format, --limit or --offset");
    }
    refuse_dialect_unless(!annotates && format != Format::kTable, arguments,
                          "--format json or csv");
    const std::vector<std::string> files = pgn::expand_inputs(named.words);
    if (files.empty()) throw UsageError("which games? Give PGN files, or -");

    const query::GameFilter filter = filter_for_position(arguments);
    std::deque<NoveltyWorker> workers;
    for (unsigned i = 0; i < threads_of(arguments); ++i) {
        workers.emplace_back(arguments, filter, page, annotates);
    }
    ingest::PgnInput input(
        files, {.annotations = annotates,
                .variant = variant_asked(arguments).value_or(chess::Variant::kStandard)});
    const std::vector<std::string> databases = workers.front().names();
    NoveltyPrinter printer(arguments, files, databases);
    InputErrors errors(files);
    std::uint64_t games = 0;
    std::uint64_t shown = 0;
    try {
        base::run_ordered(
            static_cast<unsigned>(workers.size()), workers.size() + 2,
            [&]() -> std::optional<BatchRequest> {
                auto batch = input.next();
                if (!batch) return std::nullopt;
                const std::uint64_t before = games;
                games += batch->task.batch.games();
                return BatchRequest{std::move(*batch), before};
            },
            [&](unsigned thread, const BatchRequest& batch) {
                return workers[thread].answer(batch);
            },
            [&](const AnsweredBatch& batch) {
                errors.add(batch);
                shown += batch.answered.games.size();
                printer.print(batch.answered);
            });
    } catch (const BrokenPipe&) {
        throw;
    } catch (...) {
        printer.finish(0);
        throw;
    }
    printer.finish(games - std::min(games, page.offset + shown));
    errors.finish();
    if (!arguments.has("quiet")) printer.explain_unknown();
    say_left_out(arguments, workers.front().readers(), filter);
    return printer.any_known() ? kFound : kNothingFound;
}

}  // namespace

Verb novelty_verb() {
    return {
        "novelty",
        "DB... FILE...",
        "Finds where games left what was known.\n"
        "For each game of a file: its last position that games of the database had reached,\n"
        "in how many games, the latest of these, the move that was new, and what was played\n"
        "there before, with White's wins, draws and losses. Only games that are known to be\n"
        "earlier count: a game of 1999 is before one of January 2000, but not before one of\n"
        "May 1999, and games without a year do not count. If the game itself has no date,\n"
        "all do. The same moves by the same players are the game itself.\n"
        "FILE is as for import: .pgn, .pgn.zst, .pgn.gz, .pgn.bz2, .zip, .7z, a directory,\n"
        "or -.\n"
        "--annotate writes the games as PGN, with the glyph $146 and a comment at the move\n"
        "that was new. A game with errors is written as it stands.",
        "fendex novelty my.db samples/tournament.pgn.zst --format json\n"
        "fendex novelty my.db samples/classics.pgn --annotate > annotated.pgn",
        joined({{flag("annotate", "write the games as PGN, each with its novelty as a comment")},
                options_of(ask::question_named("novelty").fields, {"variations"}),
                {format_option({"table", "json", "csv"}), option_of(ask::dialect_field()),
                 threads_option(), password_file_option()},
                paging_options(),
                filter_options()}),
        run_novelty,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
