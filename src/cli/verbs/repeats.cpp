#include <memory>
#include <utility>
#include <variant>

#include "ask/repeats_question.hpp"
#include "ask/repetition_rows.hpp"
#include "ask/sources.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/pasted.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/repeats_summary.hpp"
#include "cli/verbs/verbs.hpp"
#include "codec/posting.hpp"

namespace fendex::cli {

namespace {

/// Lists the answer to a question; returns whether there are rows.
bool list(const ask::RepeatsQuestion& question, const std::shared_ptr<ask::Sources>& databases,
          const Arguments& arguments, Lister& lister) {
    const bool run = std::holds_alternative<query::ClockQuery>(question.what);
    const bool table = lister.format() == Format::kTable;
    const ask::PositionStyle style{.dialect = dialect_of(arguments),
                                   // Else there is no room for a position.
                                   .shown = !table || lister.on_terminal(),
                                   .with_move = lister.on_terminal()};
    const auto rows = ask::repetition_rows({databases}, question, style);
    const bool any = lister.print(*rows, run ? "run" : "position").any;
    lister.finish();
    return any;
}

void refuse_together(const Arguments& arguments, const char* option,
                     std::initializer_list<const char*> others) {
    if (!arguments.has(option)) return;
    for (const char* const other : others) {
        if (arguments.has(other)) {
            throw UsageError(std::string("--") + option + " and --" + other +
                             " cannot be combined");
        }
    }
}

void check_min_count(const Arguments& arguments) {
    const std::uint64_t count = arguments.number("min").value_or(3);
    if (count < 2 || count > codec::Posting::kMaxPly) {
        throw UsageError("--min takes a number of occurrences, 2 or more");
    }
}

/// Returns the positions to which the search is restricted, if any.
FenRecords records_of(const Arguments& arguments) {
    const std::vector<std::string> words = position_words(arguments);
    for (const char* const other : {"summary", "rule50", "rule75"}) {
        if (!words.empty() && arguments.has(other)) {
            throw UsageError("'" + words[0] + "' and --" + other + " cannot be combined");
        }
    }
    return {words, arguments.find("fens")};
}

int answer_positions(FenRecords& records, ask::RepeatsQuestion repeats,
                     const std::shared_ptr<ask::Sources>& databases, const Arguments& arguments,
                     Lister& lister, Unanswered& unanswered) {
    const std::optional<chess::Variant> variant = variant_asked(arguments);
    const auto answer = [&](const PositionRequest& asked, const QuestionLabel& label) {
        std::get<query::RepetitionQuery>(repeats.what).position = asked.position;
        lister.begin(label);
        const bool found = list(repeats, databases, arguments, lister);
        if (!found) {
            Sought question{.position = asked.position, .wanted = "repeated it as wanted"};
            if (label.is_of_several()) question.where = asked.where;
            unanswered.add(std::move(question));
        }
        return found;
    };
    return answer_each([&] { return next_position(records, variant); }, answer, lister.output(),
                       lister.format(), kNoneInFile);
}

int run_repeats(const Arguments& arguments) {
    refuse_together(arguments, "summary",
                    {"game", "fen", "fens", "missed", "fivefold", "perpetual", "rule50", "rule75",
                     "claims", "limit", "offset"});
    refuse_together(arguments, "rule50", {"min", "fen", "fens", "fivefold", "perpetual", "rule75"});
    refuse_together(arguments, "rule75", {"min", "fen", "fens", "fivefold", "perpetual"});
    refuse_dialect_unless(!arguments.has("summary") && format_of(arguments) != Format::kTable,
                          arguments, "--format json or csv, without --summary");
    check_min_count(arguments);
    FenRecords records = records_of(arguments);
    const std::optional<store::GameId> game = arguments.number("game");
    if (game && databases_of(arguments).paths.size() > 1) {
        throw UsageError("--game needs exactly one database");
    }

    ask::RepeatsQuestion question = ask::repeats_question(arguments.fields("fen"));
    auto* const query = std::get_if<query::RepetitionQuery>(&question.what);
    const auto databases =
        std::make_shared<ask::Sources>(open_databases(arguments), question.filter);
    if (arguments.has("summary")) {
        say_left_out(arguments, databases->readers(), question.filter);
        Output output(arguments);
        return print_repetition_summary(*databases, query->min_count,
                                        format_of(arguments, {Format::kTable, Format::kJson}),
                                        output);
    }
    if (store::GameHeader header; game && !(*databases)[0].reader->header(*game, header)) {
        throw std::runtime_error("there is no game " + std::to_string(*game) + " in " +
                                 (*databases)[0].name);
    }
    Lister lister(arguments, format_of(arguments), List::kRepetitions);
    if (!arguments.has("perpetual")) lister.leave_out("checks");
    if (query != nullptr) query->checks = lister.format() != Format::kTable;
    Unanswered unanswered;
    int status = kFound;
    if (records.given()) {
        status = answer_positions(records, question, databases, arguments, lister, unanswered);
    } else if (!list(question, databases, arguments, lister)) {
        status = kNothingFound;
        unanswered.add({});
    }
    lister.output().flush();
    unanswered.explain(arguments, databases->readers(), question.filter);
    say_left_out(arguments, databases->readers(), question.filter);
    return status;
}

}  // namespace

Verb repeats_verb() {
    return {
        "repeats",
        "DB... [FEN|FILE...]",
        "Lists repeated positions, possible draw claims and missed claims.\n"
        "A position is listed if a game reached it three times or more, as FIDE 9.2 counts:\n"
        "castling rights and legal en passant captures matter, and the start counts. FENs,\n"
        "and files that end with .fen or .epd, name the positions to look for. Rows of several\n"
        "databases name theirs.",
        "fendex repeats my.db --min 4 --claims",
        joined({options_of(ask::repeats_fields(), {"min", "game"}),
                {fen_option(), fens_option()},
                options_of(ask::repeats_fields(),
                           {"missed", "perpetual", "fivefold", "rule50", "rule75", "claims"}),
                {flag("summary", "sum up all repetitions in a few numbers"),
                 option_of(ask::dialect_field()),
                 format_option({"table", "json", "csv"}, "csv not with --summary"),
                 option_of(ask::sort_field()), password_file_option()},
                paging_options(),
                filter_options()}),
        run_repeats,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
