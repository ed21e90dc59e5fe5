#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "ask/alike.hpp"
#include "ask/questions.hpp"
#include "ask/rows.hpp"
#include "cli/options/databases.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/say.hpp"
#include "cli/options/store_at.hpp"
#include "cli/output/lister.hpp"
#include "cli/verbs/left_out.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/tree_depth.hpp"
#include "cli/verbs/tree_table.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/verdict_cells.hpp"
#include "query/opening_tree.hpp"
#include "query/tree_json.hpp"

namespace fendex::cli {

namespace {

/// Adds a tree to a JSON object, with the replies to each move inside it. Writes out the text piece
/// by piece.
void add_deep_tree(const query::Tree& tree, query::TreeDescent& descent, chess::FenDialect dialect,
                   const std::vector<query::TreeDatabase>& databases, Output& output,
                   json::Object& object) {
    query::add_tree(
        tree, dialect, databases, object, [&](const query::TreeMove& move, json::Object& of_move) {
            descent.replies(move, [&](const query::Tree& replies) {
                of_move.add_object("tree", [&](json::Object& of_tree) {
                    add_deep_tree(replies, descent, dialect, databases, output, of_tree);
                });
                output.maybe_flush();
            });
        });
}

void print_rows(const query::Tree& tree, bool is_of_several, Lister& lister) {
    static const std::vector<std::string> columns = [] {
        std::vector<std::string> names{
            "uci",         "san",       "games",   "white", "draws",  "black", "average_rating",
            "performance", "last_year", "reached", "eco",   "opening"};
        names.insert(names.end(), emit::kVerdictColumns.begin(), emit::kVerdictColumns.end());
        return names;
    }();
    const auto number = [](std::uint64_t n) { return Cell{static_cast<std::int64_t>(n)}; };
    const auto row_of = [&](Cell uci, Cell san, const codec::Tally& tally) {
        return std::vector<Cell>{uci,
                                 san,
                                 number(tally.games),
                                 number(tally.results.white()),
                                 number(tally.results.draws()),
                                 number(tally.results.black())};
    };
    lister.open(columns);
    for (const query::TreeMove& move : tree.moves) {
        std::vector<Cell> cells =
            row_of(std::string_view(move.uci), std::string_view(move.san), move.tally);
        cells.push_back(cell(move.mean_rating()));
        cells.push_back(cell(move.performance()));
        cells.push_back(move.tally.last_date == 0 ? Cell{Null{}}
                                                  : number(move.tally.last_date.year()));
        cells.push_back(cell(move.reached));
        cells.push_back(move.opening ? Cell{move.opening->eco} : Cell{Null{}});
        cells.push_back(move.opening ? Cell{move.opening->name} : Cell{Null{}});
        emit::append_verdict_cells(move.verdict, cells);
        lister.row(cells);
    }
    // Each of several questions has a row, even without games.
    if (tree.ended.games != 0 || (tree.total.games == 0 && is_of_several)) {
        std::vector<Cell> cells = row_of(Null{}, Null{}, tree.ended);
        cells.resize(columns.size());
        lister.row(cells);
    }
}

/// Returns the positions after --moves, or --play, its older name.
PositionRequests positions_of(const Arguments& arguments) {
    if (arguments.has("play") && arguments.has("moves")) {
        throw UsageError("--play is another name of --moves: give one of them");
    }
    const std::string option = arguments.has("moves") ? "moves" : "play";
    return {arguments, "--" + option, arguments.all(option), true};
}

/// The value of --min-games. Trees deeper than kWholeDepth have another default.
class LeastGames {
  public:
    LeastGames(const Arguments& arguments, unsigned depth)
        : given_(arguments.number("min-games")), depth_(depth), quiet_(arguments.has("quiet")) {}

    /// Returns the number for a question. If it chooses the number itself, it says so on stderr.
    std::uint64_t in(ask::Sources& databases, const query::Question& question) const {
        if (given_ || depth_ <= kWholeDepth) return given_.value_or(1);
        std::uint64_t games = 0;
        for (ask::Source& each : databases) games += each.positions.count(question, false).games;
        const std::uint64_t least = query::min_games_of_deep_tree(games);
        if (games != 0 && !quiet_) {
            say(
                fmt::format("--depth {} leaves out moves of fewer than {} games; --min-games N "
                            "sets that number",
                            depth_, grouped(least)));
        }
        return least;
    }

  private:
    static constexpr unsigned kWholeDepth = 10;

    std::optional<std::uint64_t> given_;
    unsigned depth_;
    bool quiet_;
};

Option least_games_option() {
    Option option = options_of(ask::question_named("tree").fields, {"min-games"}).front();
    option.help += " (default: 1; beyond depth 10 a thousandth of the games, but at least 2)";
    return option;
}

int run_tree(const Arguments& arguments) {
    const Format format = format_of(arguments);
    refuse_dialect_unless(format != Format::kCsv, arguments, "--format table or json");
    const chess::FenDialect dialect = dialect_of(arguments);
    const unsigned depth = tree_depth(arguments, 1);
    const LeastGames least_games(arguments, depth);
    if (depth > 1 && format == Format::kCsv) {
        throw UsageError("csv cannot show --depth: choose table or json");
    }
    PositionRequests positions = positions_of(arguments);
    const query::GameFilter filter = filter_for_position(arguments);
    ask::Sources databases(open_databases(arguments), filter);
    const std::vector<query::TreeSource> sources = databases.of_trees();
    const std::vector<query::TreeDatabase> named = ask::named_for_trees(databases);
    query::TreeOptions options;
    options.match = query::match_of(arguments.get("match"));
    options.variations = arguments.has("variations");
    if (options.variations && options.match != query::Match::kExact) {
        throw UsageError("--variations goes with the exact position, without --match");
    }
    options.transpositions = !arguments.has("no-transpositions");
    options.order =
        arguments.get("sort") == "eval" ? query::MoveOrder::kEval : query::MoveOrder::kGames;
    options.lists = format == Format::kJson    ? query::GameLists::kOfTreeAndMoves
                    : format == Format::kTable ? query::GameLists::kOfTree
                                               : query::GameLists::kNone;
    std::vector<query::AlikeName> alike;
    if (format == Format::kJson) alike = ask::alike_names(databases);
    Lister lister(arguments, format, List::kMoves);
    Output& output = lister.output();
    std::string& out = output.buffer();
    bool first = true;
    Unanswered unanswered;
    const auto answer = [&](const PositionRequest& asked, const QuestionLabel& label) {
        options.min_games =
            least_games.in(databases, query::Question::of(*asked.position, options.match));
        query::TreeDescent descent(sources, options, depth);
        bool found = false;
        descent.from(*asked.position, [&](const query::Tree& tree) {
            found = tree.total.games != 0;
            if (format == Format::kJson) {
                json::append_line(out, [&](json::Object& object) {
                    label.add_members(object);
                    add_deep_tree(tree, descent, dialect, named, output, object);
                    ask::add_alike(alike, object);
                });
            } else if (format == Format::kCsv) {
                lister.begin(label);
                print_rows(tree, label.is_of_several(), lister);
            } else {
                label.append_heading(std::exchange(first, false), out);
                print_tree_table(tree, descent, options.transpositions, dialect, databases, output);
            }
        });
        if (!found) {
            unanswered.add({asked.position, options.match, options.variations,
                            label.is_of_several() ? asked.where : std::string()});
        }
        return found;
    };
    const int status =
        answer_each([&] { return positions.next(); }, answer, output, format, kNoneInFile);
    lister.flush();
    unanswered.explain(arguments, databases.readers(), filter);
    say_left_out(arguments, databases.readers(), filter);
    return status;
}

}  // namespace

Verb tree_verb() {
    return {
        "tree",
        "DB... [FEN|FILE...]",
        "Shows the moves played from a position, with results.\n"
        "Without a FEN, the position is the start (of --variant). Files that end with .fen\n"
        "or .epd have a position on each line. 'games' played the move here; 'reached' got\n"
        "to the resulting position by any order of moves. The numbers are of all databases\n"
        "together.",
        "fendex tree my.db --play \"1.e4 e5 2.Nf3 Nc6 3.Bb5\"",
        joined(
            {{valued("moves", "MOVES",
                     "the position after these moves, SAN or UCI, from the FEN, or from the start"),
              valued("play", "MOVES", "another name of --moves"), fen_option(), fens_option(),
              valued(
                  "depth", "N",
                  "go N plies deep (default: 1); a line that comes back to a position ends there"),
              least_games_option(),
              flag("no-transpositions", "leave out 'reached', which takes a look-up for each move"),
              options_of(ask::question_named("tree").fields, {"sort"}).front(),
              options_of(ask::question_named("tree").fields, {"variations"}).front(),
              option_of(ask::match_field()), option_of(ask::dialect_field()),
              format_option({"table", "json", "csv"}), password_file_option()},
             filter_options()}),
        run_tree,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
