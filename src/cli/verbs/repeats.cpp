#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "ask/repetition_rows.hpp"
#include "ask/sources.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/pasted.hpp"
#include "cli/output/game_columns.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/repeats_summary.hpp"
#include "cli/verbs/verbs.hpp"
#include "codec/posting.hpp"

namespace fendex::cli {

namespace {

/// Returns how a table shows a column. On a terminal it shows a position and the move that led to
/// it, elsewhere plies.
ColumnSpec column_of(const std::string& name, bool on_terminal, bool perpetual) {
    if (name == "database") return database_column();
    if (name == "game_id") return game_id_column();
    std::vector<ColumnSpec> columns{
        {"key", false},
        {.name = "fen",
         .in_table = on_terminal,
         .max_width = kWholeFen,
         .cut = Cut::kNever,
         .below = true},
        {.name = "move", .cut = Cut::kNever},
        {"plies", !on_terminal},
        {"third_ply", !on_terminal},
        {"fifth_ply", !on_terminal},
        {"ply", !on_terminal},
        {"ply50", false},
        {"ply75", !on_terminal},
        {.name = "played_on", .title = "more", .spare = 3},
        {"result"},
        {.name = "claimant", .title = "claim", .cut = Cut::kNever, .spare = 1},
        {"ended", false},
        {.name = "checks", .in_table = perpetual},
        {.name = "announcer", .title = "announced", .cut = Cut::kNever},
        {.name = "announced_ply", .title = "at", .spare = 4},
        {.name = "announced_move", .title = "with", .cut = Cut::kNever},
        {"announced_plies", false}};
    const std::size_t own = columns.size();
    append_game_columns(columns);
    for (std::size_t i = own; i < columns.size(); ++i) {
        // The players leave little room for other columns.
        const std::string& each = columns[i].name;
        columns[i].in_table = each == "white" || each == "black" || each == "date";
        if (each == "date") columns[i].spare = 2;
    }
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const ColumnSpec& each) { return each.name == name; });
    return found == columns.end() ? ColumnSpec{name} : *found;
}

class Lister {
  public:
    Lister(const Arguments& arguments, std::shared_ptr<ask::Sources> databases)
        : format_(format_of(arguments)),
          paging_(paging_of(arguments, format_)),
          order_(order_of(arguments)),
          dialect_(dialect_of(arguments)),
          databases_(std::move(databases)),
          output_(arguments) {}

    /// Answers a question. Can be called for several questions, with labels.
    bool list(ask::RepeatsQuestion question, QuestionLabel label = {}) {
        begin(std::move(label));
        const auto* const positions = std::get_if<query::RepetitionQuery>(&question.what);
        const bool perpetual = positions != nullptr && positions->perpetual;
        const char* const what = positions == nullptr ? "run" : "position";
        question.order = order_;
        const ask::PositionStyle style{.dialect = dialect_,
                                       // Else there is no room for a position.
                                       .shown = format_ != Format::kTable || on_terminal(),
                                       .with_move = on_terminal()};
        const auto rows = ask::repetition_rows(databases_, std::move(question), {}, {}, style);
        if (!printer_) {
            std::vector<ColumnSpec> columns;
            label_.append_columns(columns);
            for (const std::string& name : rows->columns()) {
                columns.push_back(column_of(name, on_terminal(), perpetual));
            }
            printer_.emplace(output_, format_, std::move(columns));
        }
        return print_page(*rows, what);
    }

    Format format() const { return format_; }
    Output& output() { return output_; }

  private:
    void begin(QuestionLabel label) {
        const bool other_columns = label_.has_operations() || label.has_operations();
        label_ = std::move(label);
        const bool first = !printer_;
        if (!other_columns || format_ == Format::kCsv) return;
        printer_.reset();
        if (format_ == Format::kTable) label_.append_heading(first, output_.buffer());
    }

    /// Prints a page of the rows; returns whether there are any.
    bool print_page(ask::Rows& rows, const char* what) {
        const std::uint64_t skipped = rows.skip(paging_.offset);
        std::uint64_t printed = 0;
        const auto print = [&](const std::vector<Cell>& cells) {
            cells_.clear();
            label_.append_cells(cells_);
            cells_.insert(cells_.end(), cells.begin(), cells.end());
            printer_->row(cells_);
            ++printed;
        };
        while (printed < paging_.limit && rows.read(paging_.limit - printed, print)) {
        }
        // Only tables say how many more rows there are.
        const std::uint64_t more = format_ == Format::kTable ? rows.skip(ask::kAllRows) : 0;
        const bool any =
            skipped + printed + more != 0 || (printed == paging_.limit && rows.skip(1) != 0);
        if (!any && label_.is_of_several()) label_.print_no_games(format_, *printer_, output_);
        printer_->finish();
        if (more != 0) output_.buffer() += more_line(more, what);
        output_.maybe_flush();
        return any;
    }

    bool on_terminal() const { return format_ == Format::kTable && output_.screen().width != 0; }

    Format format_;
    Paging paging_;
    query::GameOrder order_;
    chess::FenDialect dialect_;
    std::shared_ptr<ask::Sources> databases_;
    Output output_;
    QuestionLabel label_;  // of the current question
    std::optional<RowPrinter> printer_;
    std::vector<Cell> cells_;
};

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

std::uint32_t min_count_of(const Arguments& arguments) {
    const std::uint64_t least = arguments.has("fivefold") ? 5 : 2;
    const std::uint64_t count = arguments.number("min").value_or(std::max<std::uint64_t>(3, least));
    if (count < 2 || count > codec::Posting::kMaxPly) {
        throw UsageError("--min takes a number of occurrences, 2 or more");
    }
    return static_cast<std::uint32_t>(std::max(count, least));
}

/// Returns the positions to which the search is restricted, if any.
FenRecords records_of(const Arguments& arguments) {
    std::vector<std::string> words;
    if (const auto fen = arguments.find("fen")) words.push_back(*fen);
    for (const std::string& word : databases_of(arguments).words) {
        if (!is_record_file(word)) {
            throw UsageError("unexpected argument '" + word + "' (a FEN: --fen \"...\")");
        }
        for (const char* const other : {"summary", "rule50", "rule75"}) {
            if (arguments.has(other)) {
                throw UsageError("'" + word + "' and --" + other + " cannot be combined");
            }
        }
        words.push_back(word);
    }
    return {words, arguments.find("fens")};
}

int answer_positions(FenRecords& records, std::optional<chess::Variant> variant,
                     query::RepetitionQuery query, Lister& lister, Unanswered& unanswered) {
    const auto answer = [&](const PositionRequest& asked, const QuestionLabel& label) {
        query.position = asked.position;
        const bool found = lister.list({.what = query}, label);
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
    const std::uint32_t min_count = min_count_of(arguments);
    FenRecords records = records_of(arguments);
    const std::optional<store::GameId> game = arguments.number("game");
    if (game && databases_of(arguments).paths.size() > 1) {
        throw UsageError("--game needs exactly one database");
    }

    const query::GameFilter filter = filter_of(arguments);
    const auto opened = std::make_shared<ask::Sources>(open_databases(arguments), filter);
    ask::Sources& databases = *opened;
    if (arguments.has("summary")) {
        Output output(arguments);
        return print_repetition_summary(
            databases, min_count, format_of(arguments, {Format::kTable, Format::kJson}), output);
    }
    if (store::GameHeader header; game && !databases[0].reader->header(*game, header)) {
        throw std::runtime_error("there is no game " + std::to_string(*game) + " in " +
                                 databases[0].name);
    }
    Lister lister(arguments, opened);
    query::RepetitionQuery query{.min_count = min_count,
                                 .game = game,
                                 .missed = arguments.has("missed"),
                                 .announced = arguments.has("claims"),
                                 .perpetual = arguments.has("perpetual"),
                                 .checks = lister.format() != Format::kTable};
    Unanswered unanswered;
    int status = kFound;
    if (arguments.has("rule50") || arguments.has("rule75")) {
        using Rule = query::ClockQuery::Rule;
        const Rule rule = arguments.has("rule50") ? Rule::kFiftyMoves : Rule::kSeventyFiveMoves;
        const query::ClockQuery runs{rule, game, query.missed, query.announced};
        status = lister.list({.what = runs}) ? kFound : kNothingFound;
    } else if (!records.given()) {
        status = lister.list({.what = query}) ? kFound : kNothingFound;
    } else {
        status = answer_positions(records, variant_asked(arguments), query, lister, unanswered);
    }
    if (status == kNothingFound && !records.given()) unanswered.add({});
    lister.output().flush();
    unanswered.explain(arguments, databases.readers(), filter);
    return status;
}

}  // namespace

Verb repeats_verb() {
    return {
        "repeats",
        "DB... [FILE...]",
        "Lists repeated positions, possible draw claims and missed claims.\n"
        "A position is listed if a game reached it three times or more, as FIDE 9.2 counts:\n"
        "castling rights and legal en passant captures matter, and the start counts. Files\n"
        "that end with .fen or .epd name the positions to look for. Rows of several databases\n"
        "name theirs.",
        "fendex repeats my.db --min 4 --claims",
        joined(
            {{valued("min", "N", "positions that a game reached N times or more (default: 3)"),
              valued("game", "N", "look only at this game"),
              valued("fen", "FEN", "games that repeated this position"), fens_option(),
              flag("missed", "only if the player who could have claimed a draw went on and lost"),
              flag("perpetual", "only if one side gave check with every move of the repetition"),
              flag("fivefold",
                   "positions reached five times: the game should have ended (FIDE 9.6.1)"),
              flag("rule50",
                   "fifty moves without capture and pawn move: a draw could be claimed (FIDE 9.3)"),
              flag("rule75", "seventy-five such moves: the game should have ended (FIDE 9.6.2)"),
              flag("claims", "also claims by announcing a move, played or not (FIDE 9.2.1, 9.3.1)"),
              flag("summary", "sum up all repetitions in a few numbers"), dialect_option(),
              format_option({"table", "json", "csv"}, "csv not with --summary"), sort_option(),
              password_file_option()},
             paging_options(),
             filter_options()}),
        run_repeats,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
