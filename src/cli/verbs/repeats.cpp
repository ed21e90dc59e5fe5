#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>
#include <variant>

#include "ask/sources.hpp"
#include "base/hex.hpp"
#include "chess/san.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/pasted.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/game_columns.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/repeats_summary.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/numbered_move.hpp"
#include "emit/repetition_rows.hpp"
#include "query/repetition_analysis.hpp"
#include "store/kept_headers.hpp"

namespace fendex::cli {

namespace {

store::GameId game_of(const query::RepeatedPosition& row) { return row.repetition.game; }
store::GameId game_of(const query::ClockRun& row) { return row.game; }

/// Rows whose games are read at once.
constexpr std::size_t kRowsAtOnce = 256;

class Lister {
  public:
    Lister(const Arguments& arguments, ask::Sources& databases)
        : format_(format_of(arguments)),
          paging_(paging_of(arguments, format_)),
          order_(order_of(arguments)),
          dialect_(dialect_of(arguments)),
          databases_(databases),
          output_(arguments) {
        for (ask::Source& each : databases) analyses_.emplace_back(*each.reader, each.matcher);
    }

    /// Answers a question. Can be called for several questions, with labels.
    bool positions(const query::RepetitionQuery& query, QuestionLabel label = {}) {
        begin(std::move(label));
        claims_ = query.looks_for_announced();
        perpetual_ = query.perpetual;
        open_printer({{"count"},
                      {"plies", !on_terminal()},
                      {"third_ply", !on_terminal()},
                      {"fifth_ply", !on_terminal()}},
                     true);
        const bool found = list<query::RepeatedPosition>(
            [&](auto& analysis, const auto& visit) { analysis.for_each(query, visit); },
            "position");
        if (!found && label_.is_of_several()) label_.print_no_games(format_, *printer_, output_);
        return found;
    }

    bool runs(const query::ClockQuery& query) {
        claims_ = query.looks_for_announced();
        open_printer(
            {{"ply", !on_terminal()}, {"ply50", false}, {"ply75", !on_terminal()}, {"longest"}},
            false);
        return list<query::ClockRun>(
            [&](auto& analysis, const auto& visit) { analysis.for_each_run(query, visit); }, "run");
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

    /// A row and the index of its database.
    template <typename Row>
    struct Located {
        Row row;
        std::size_t database = 0;
        std::uint32_t rank = 0;  // of the game, unless the order is that of the games
    };

    /// Prints a page of rows; returns whether there are any. for_each() visits the rows of a
    /// database in the order of its games. For another order, all rows are collected first.
    template <typename Row, typename ForEach>
    bool list(ForEach for_each, const char* what) {
        std::uint64_t rows = 0;
        printed_ = 0;
        const auto on_page = [&] {
            return rows >= paging_.offset && rows - paging_.offset < paging_.limit;
        };
        // Only tables say how many more rows there are.
        const auto is_done = [&] {
            return format_ != Format::kTable && rows >= paging_.offset &&
                   rows - paging_.offset >= paging_.limit;
        };
        if (order_ == query::GameOrder::kId) {
            for (std::size_t i = 0; i < analyses_.size() && (rows == 0 || !is_done()); ++i) {
                for_each(analyses_[i], [&](const Row& row) {
                    if (on_page()) hold(row, i);
                    ++rows;
                    return !is_done();
                });
            }
        } else {
            const std::vector<Located<Row>> all = sorted<Row>(for_each);
            rows = all.size();
            const std::size_t first = std::min<std::size_t>(paging_.offset, rows);
            hold_all<Row>(
                std::span(all).subspan(first, std::min<std::size_t>(paging_.limit, rows - first)));
        }
        print_held();
        printer_->finish();
        const std::uint64_t shown = std::min(rows, paging_.offset) + printed_;
        if (format_ == Format::kTable && shown < rows) {
            output_.buffer() += more_line(rows - shown, what);
        }
        output_.maybe_flush();
        return rows != 0;
    }

    /// Reads the moves of many games at once.
    template <typename Row>
    void hold_all(std::span<const Located<Row>> rows) {
        while (!rows.empty()) {
            const auto some = rows.first(std::min(rows.size(), kRowsAtOnce));
            rows = rows.subspan(some.size());
            for (std::size_t i = 0; i < analyses_.size(); ++i) {
                std::vector<store::GameId> games;
                for (const Located<Row>& each : some) {
                    if (each.database == i) games.push_back(game_of(each.row));
                }
                analyses_[i].expect(games);
            }
            for (const Located<Row>& each : some) hold(each.row, each.database);
        }
    }

    /// Returns all rows in the order of --sort. Among equal ranks, rows of databases that were
    /// named earlier come first.
    template <typename Row, typename ForEach>
    std::vector<Located<Row>> sorted(ForEach for_each) {
        std::vector<Located<Row>> rows;
        for (std::size_t i = 0; i < analyses_.size(); ++i) {
            const std::size_t first = rows.size();
            std::vector<store::GameId> games;
            for_each(analyses_[i], [&](const Row& row) {
                if (games.empty() || games.back() != game_of(row)) games.push_back(game_of(row));
                rows.push_back({row, i});
                return true;
            });
            std::unordered_map<store::GameId, std::uint32_t> ranks;
            for (const auto& each : query::rank_games(*databases_[i].reader, order_, games)) {
                ranks.emplace(each.game, each.rank);
            }
            for (std::size_t k = first; k < rows.size(); ++k) {
                rows[k].rank = ranks.at(game_of(rows[k].row));
            }
        }
        std::stable_sort(rows.begin(), rows.end(),
                         [](const auto& a, const auto& b) { return a.rank > b.rank; });
        return rows;
    }

    /// Returns whether a table goes to a terminal. There it shows a position and the move that led
    /// to it, elsewhere plies.
    bool on_terminal() const { return format_ == Format::kTable && output_.screen().width != 0; }

    void open_printer(const std::vector<ColumnSpec>& what, bool has_checks) {
        if (printer_) return;
        std::vector<ColumnSpec> columns;
        label_.append_columns(columns);
        if (databases_.several()) columns.push_back(database_column());
        columns.push_back(game_id_column());
        columns.push_back({"key", false});
        columns.push_back({.name = "fen",
                           .in_table = on_terminal(),
                           .max_width = kWholeFen,
                           .cut = Cut::kNever,
                           .below = true});
        if (on_terminal()) columns.push_back({.name = "move", .cut = Cut::kNever});
        columns.insert(columns.end(), what.begin(), what.end());
        columns.push_back({.name = "played_on", .title = "more", .spare = 3});
        columns.push_back({"result"});
        std::vector<ColumnSpec> of_game;
        append_game_columns(of_game);
        for (ColumnSpec& column : of_game) {
            // The players leave little room for other columns.
            column.in_table =
                column.name == "white" || column.name == "black" || column.name == "date";
            if (column.name == "date") column.spare = 2;
            if (column.name != "result") columns.push_back(column);
        }
        columns.push_back({.name = "claimant", .title = "claim", .cut = Cut::kNever, .spare = 1});
        columns.push_back({"ended", false});
        if (has_checks) columns.push_back({.name = "checks", .in_table = perpetual_});
        if (claims_) {
            columns.push_back({.name = "announcer", .title = "announced", .cut = Cut::kNever});
            columns.push_back({.name = "announced_ply", .title = "at", .spare = 4});
            columns.push_back({.name = "announced_move", .title = "with", .cut = Cut::kNever});
            if (has_checks) columns.push_back({"announced_plies", false});
        }
        printer_.emplace(output_, format_, std::move(columns));
    }

    /// A row that is to be printed, with the key and FEN of its position and, on a terminal, the
    /// move that led there.
    struct Held {
        std::variant<query::RepeatedPosition, query::ClockRun> row;
        std::size_t database = 0;
        store::GameId game = 0;
        std::string key;
        std::string fen;
        std::string move;  // on a terminal
    };

    void hold(const query::RepeatedPosition& row, std::size_t database) {
        const auto& plies = row.repetition.plies;
        hold(row, database, plies.front(), row.third_ply.value_or(plies.back()));
    }
    void hold(const query::ClockRun& row, std::size_t database) {
        hold(row, database, row.shown_ply(), row.shown_ply());
    }

    template <typename Row>
    void hold(const Row& row, std::size_t database, std::uint32_t ply, std::uint32_t by_ply) {
        ++printed_;
        Held& held = held_.emplace_back();
        held.row = row;
        held.database = database;
        held.game = game_of(row);
        if (format_ != Format::kTable || on_terminal()) {  // else there is no room for a position
            const chess::AnyPosition position = analyses_[database].position(held.game, ply);
            held.key = base::hex_key(position.key());
            held.fen = chess::to_fen(position, dialect_);
        }
        if (on_terminal()) held.move = move_before(database, held.game, by_ply);
        if (held_.size() == kRowsAtOnce) print_held();
    }

    void print_held() {
        std::vector<store::KeptHeadersOfSeveral::Place> games;
        for (const Held& held : held_) games.emplace_back(held.database, held.game);
        const store::KeptHeadersOfSeveral headers(databases_.readers(), games);
        for (const Held& held : held_) {
            const store::GameHeader* const header = headers.find({held.database, held.game});
            const store::GameHeader none;
            std::visit(
                [&](const auto& row) { print(row, held, header == nullptr ? none : *header); },
                held.row);
        }
        held_.clear();
    }

    void print(const query::RepeatedPosition& row, const Held& held,
               const store::GameHeader& header) {
        begin_row(held);
        emit::append_repetition_cells(row, header, claims_, cells_);
        printer_->row(cells_);
    }

    void print(const query::ClockRun& row, const Held& held, const store::GameHeader& header) {
        begin_row(held);
        emit::append_run_cells(row, header, claims_, cells_);
        printer_->row(cells_);
    }

    void begin_row(const Held& held) {
        cells_.clear();
        label_.append_cells(cells_);
        if (databases_.several()) {
            cells_.push_back(std::string_view(databases_[held.database].name));
        }
        cells_.push_back(static_cast<std::int64_t>(held.game));
        cells_.push_back(std::string_view(held.key));
        cells_.push_back(std::string_view(held.fen));
        if (on_terminal()) cells_.push_back(std::string_view(held.move));
    }

    /// Returns the move that led to this ply, with its number; empty for the start.
    std::string move_before(std::size_t database, store::GameId game, std::uint32_t ply) {
        if (ply == 0) return {};
        const auto [position, move] = analyses_[database].move_before(game, ply);
        return emit::numbered(position, chess::to_san(position, move));
    }

    Format format_;
    Paging paging_;
    query::GameOrder order_;
    bool claims_ = false;
    bool perpetual_ = false;
    chess::FenDialect dialect_;
    ask::Sources& databases_;
    std::deque<query::RepetitionAnalysis> analyses_;  // one for each database
    Output output_;
    QuestionLabel label_;  // of the current question
    std::optional<RowPrinter> printer_;
    std::uint64_t printed_ = 0;  // rows of this answer
    std::vector<Cell> cells_;
    std::vector<Held> held_;
};

void refuse_together(const Arguments& arguments, const char* option,
                     std::initializer_list<const char*> others) {
    if (!arguments.has(option)) return;
    for (const char* const other : others) {
        if (arguments.has(other)) {
            throw UsageError(std::string("--") + option + " and --" + other +
                             " do not go together");
        }
    }
}

std::uint32_t min_count_of(const Arguments& arguments) {
    const std::uint64_t least = arguments.has("fivefold") ? 5 : 2;
    const std::uint64_t count = arguments.number("min").value_or(std::max<std::uint64_t>(3, least));
    if (count < 2 || count > codec::Posting::kMaxPly) {
        throw UsageError("--min takes how often a position came, 2 or more");
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
                throw UsageError("'" + word + "' and --" + other + " do not go together");
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
        const bool found = lister.positions(query, label);
        if (!found) {
            Sought question{.position = asked.position, .wanted = "repeated it like that"};
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
        throw UsageError("--game is a game of one database: name only that");
    }

    const query::GameFilter filter = filter_of(arguments);
    ask::Sources databases(open_databases(arguments), filter);
    if (arguments.has("summary")) {
        Output output(arguments);
        return print_repetition_summary(
            databases, min_count, format_of(arguments, {Format::kTable, Format::kJson}), output);
    }
    if (store::GameHeader header; game && !databases[0].reader->header(*game, header)) {
        throw std::runtime_error("there is no game " + std::to_string(*game) + " in " +
                                 databases[0].name);
    }
    Lister lister(arguments, databases);
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
        status = lister.runs({rule, game, query.missed, query.announced}) ? kFound : kNothingFound;
    } else if (!records.given()) {
        status = lister.positions(query) ? kFound : kNothingFound;
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
