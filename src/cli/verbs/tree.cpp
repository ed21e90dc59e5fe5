#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/display_width.hpp"
#include "cli/options/dialect.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/pasted.hpp"
#include "cli/options/say.hpp"
#include "cli/output/output.hpp"
#include "cli/output/row_printer.hpp"
#include "cli/output/table_layout.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/opening_tree.hpp"
#include "query/tree_json.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

constexpr std::size_t kBarWidth = 20;
/// Bounds the recursion, not the tree: --min-games prunes that.
constexpr std::size_t kMostDepth = 1000;

struct Shares {
    double white = 0;
    double draws = 0;
    double black = 0;
};

/// Returns the shares of the results; empty if no game has one.
std::optional<Shares> shares_of(const codec::Tally& tally) {
    const auto of = [&](codec::Result result) {
        return static_cast<double>(tally.results[static_cast<std::size_t>(result)]);
    };
    Shares shares{of(codec::Result::kWhiteWins), of(codec::Result::kDraw),
                  of(codec::Result::kBlackWins)};
    const double all = shares.white + shares.draws + shares.black;
    if (all == 0) return std::nullopt;
    return Shares{shares.white / all, shares.draws / all, shares.black / all};
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    while (times-- > 0) out += text;
    return out;
}

/// White, grey and black in proportion: colours on a terminal that has them, shades elsewhere.
std::string bar(const Shares& shares, std::size_t width, bool colours) {
    const auto cells = [&](double share) {
        return static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
    };
    const std::size_t white = cells(shares.white);
    const std::size_t black = std::min(cells(shares.black), width - white);
    const std::size_t draws = width - white - black;
    if (colours) {
        return "\x1b[107m" + std::string(white, ' ') + "\x1b[100m" + std::string(draws, ' ') +
               "\x1b[40m" + std::string(black, ' ') + "\x1b[0m";
    }
    return repeated("\xE2\x96\x88", white) + repeated("\xE2\x96\x92", draws) +
           repeated("\xE2\x96\x91", black);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string number_or_nothing(const std::optional<unsigned>& number) {
    return number ? std::to_string(*number) : std::string();
}

/// The lines of a tree as an aligned table, in the width of a terminal if it is one; replies are
/// set in under their moves. Widths are those of the first lines, which are held back until then.
class TreeTable {
  public:
    TreeTable(bool reached, Output& output) : reached_(reached), output_(output) {
        rows_.push_back({{"move", "games", "share", "", "white", "draw", "black", "rating", "perf",
                          "last", "reached", "opening"},
                         std::nullopt});
    }

    void add(const query::Tree& tree, std::size_t level, query::TreeDescent& descent) {
        for (const query::TreeMove& move : tree.moves) {
            Row row = numbers(move.tally, tree.total.games);
            row.texts.front() = std::string(2 * level, ' ') + numbered(tree, move);
            row.texts[kRating] = number_or_nothing(move.mean_rating());
            row.texts[kPerformance] = number_or_nothing(move.performance());
            if (move.tally.last_date != 0) {
                row.texts[kLast] = std::to_string(move.tally.last_date / 10'000);
            }
            if (move.reached) row.texts[kReached] = grouped(*move.reached);
            if (move.opening) {
                row.texts[kOpening] = fmt::format("{} {}", move.opening->eco, move.opening->name);
            }
            add(std::move(row));
            descent.replies(move,
                            [&](const query::Tree& replies) { add(replies, level + 1, descent); });
        }
        if (tree.ended.games != 0) {
            Row row = numbers(tree.ended, tree.total.games);
            row.texts.front() = std::string(2 * level, ' ') + "(game ends here)";
            add(std::move(row));
        }
    }

    /// Prints the lines that are held back.
    void print() {
        const bool first = widths_.empty();
        if (first) widths_ = find_widths();
        const base::Screen& terminal = output_.screen();
        for (const Row& row : rows_) {
            if (first && &row == &rows_.front() && !output_.has_header()) continue;
            std::string line = fmt::format("{:<{}}", row.texts[0], widths_[0]);
            for (std::size_t i = 1; i < kColumns; ++i) {
                if (widths_[i] == 0) continue;
                if (i == kBar) {
                    line += "  " + (row.shares ? bar(*row.shares, widths_[i], terminal.colours)
                                               : std::string(widths_[i], ' '));
                } else if (i == kOpening) {
                    const std::string& name = row.texts[i];
                    line += "  " + (terminal.width == 0 ? name : base::cut_end(name, widths_[i]));
                } else {
                    line += fmt::format("  {:>{}}", row.texts[i], widths_[i]);
                }
            }
            line.erase(line.find_last_not_of(' ') + 1);
            output_.buffer() += line + '\n';
            output_.maybe_flush();
        }
        rows_.clear();
    }

  private:
    static constexpr std::size_t kHeldRows = 1000;
    static constexpr std::size_t kColumns = 12;
    static constexpr std::size_t kBar = 3;
    static constexpr std::size_t kRating = 7;
    static constexpr std::size_t kPerformance = 8;
    static constexpr std::size_t kLast = 9;
    static constexpr std::size_t kReached = 10;
    static constexpr std::size_t kOpening = 11;
    static constexpr std::size_t kLeastBar = 8;
    static constexpr std::size_t kLeastOpening = 14;

    struct Row {
        std::vector<std::string> texts;
        std::optional<Shares> shares;  // drawn as a bar
    };

    void add(Row row) {
        rows_.push_back(std::move(row));
        if (!widths_.empty() || rows_.size() >= kHeldRows) print();
    }

    /// Returns the columns that the row of ended games has, too.
    static Row numbers(const codec::Tally& tally, std::uint64_t all) {
        const double share =
            all == 0 ? 0 : static_cast<double>(tally.games) / static_cast<double>(all);
        Row row{std::vector<std::string>(kColumns), shares_of(tally)};
        row.texts[1] = grouped(tally.games);
        row.texts[2] = percent(share);
        if (row.shares) {
            row.texts[4] = percent(row.shares->white);
            row.texts[5] = percent(row.shares->draws);
            row.texts[6] = percent(row.shares->black);
        }
        return row;
    }

    static std::string numbered(const query::Tree& tree, const query::TreeMove& move) {
        const bool white = move.mover == chess::Color::kWhite;
        return std::to_string(tree.position.fullmove_number()) + (white ? "." : "...") + move.san;
    }

    /// Returns the widths of the columns that have values. A terminal that is too narrow leaves out
    /// the performance, then the last year, the ratings, and the games that reached the position by
    /// other moves.
    std::vector<std::size_t> find_widths() const {
        std::vector<std::size_t> widths(kColumns);
        std::vector<bool> empty(kColumns, true);
        for (const Row& row : rows_) {
            for (std::size_t i = 0; i < kColumns; ++i) {
                widths[i] = std::max(widths[i], base::display_width(row.texts[i]));
                if (&row != &rows_.front()) empty[i] = empty[i] && row.texts[i].empty();
            }
        }
        widths[kBar] = kBarWidth;
        if (!reached_) widths[kReached] = 0;
        const std::size_t width = output_.screen().width;
        if (width == 0) return widths;
        const auto spare = [](std::size_t i) -> unsigned {
            return i == kPerformance ? 5
                   : i == kLast      ? 4
                   : i == kRating    ? 3
                   : i == kReached   ? 2
                   : i == kOpening   ? 1
                                     : 0;
        };
        std::vector<ColumnNeed> needs;
        for (std::size_t i = 0; i < kColumns; ++i) {
            const std::size_t natural = empty[i] && i != kBar ? 0 : widths[i];
            const std::size_t least = i == kBar       ? kLeastBar
                                      : i == kOpening ? kLeastOpening
                                                      : natural;
            needs.push_back({natural, least, spare(i)});
        }
        return fit_columns(needs, width);
    }

    bool reached_;
    Output& output_;
    std::vector<Row> rows_;
    std::vector<std::size_t> widths_;  // empty: nothing has been printed yet
};

/// Adds a tree to a JSON object, with the replies to each move inside it. Writes out the text piece
/// by piece.
class TreeJson {
  public:
    TreeJson(query::TreeDescent& descent, chess::FenDialect dialect, store::StoreReader& reader,
             Output& output)
        : dialect_(dialect), reader_(reader), output_(output) {
        add_replies_ = [this, &descent](const query::TreeMove& move, json::Object& of_move) {
            descent.replies(move, [&](const query::Tree& replies) {
                of_move.add_object("tree", [&](json::Object& object) { add(replies, object); });
                output_.maybe_flush();
            });
        };
    }

    void add(const query::Tree& tree, json::Object& object) const {
        query::add_tree(tree, dialect_, reader_, object, add_replies_);
    }

  private:
    chess::FenDialect dialect_;
    store::StoreReader& reader_;
    Output& output_;
    query::AddReplies add_replies_;
};

void print_games(std::string_view heading, const std::vector<query::NamedGame>& games,
                 store::StoreReader& reader, Output& output) {
    std::string& out = output.buffer();
    if (games.empty()) return;
    out += fmt::format("\n{}\n", heading);
    std::vector<store::GameId> ids;
    for (const query::NamedGame& named : games) ids.push_back(named.game);
    reader.headers(ids, [&](const store::GameHeader& game) {
        const auto player = [](const std::optional<std::string_view>& name,
                               const std::optional<std::int64_t>& elo) {
            return printable(name.value_or("?")) + (elo ? fmt::format(" ({})", *elo) : "");
        };
        const std::string line =
            fmt::format("{:>9}  {} - {}  {}  {}  {}", game.id, player(game.white, game.white_elo),
                        player(game.black, game.black_elo), codec::result_text(game.result),
                        printable(game.date.value_or("")), printable(game.event.value_or("")));
        out += output.fitting(line) + '\n';
    });
}

std::vector<ColumnSpec> move_columns(const QuestionLabel& label) {
    std::vector<ColumnSpec> columns;
    label.append_columns(columns);
    for (const char* const name :
         {"uci", "san", "games", "white", "draws", "black", "average_rating", "performance",
          "last_year", "reached", "eco", "opening"}) {
        columns.push_back({name});
    }
    return columns;
}

void print_rows(const query::Tree& tree, const QuestionLabel& label, RowPrinter& printer) {
    const auto number = [](std::uint64_t n) { return Cell{static_cast<std::int64_t>(n)}; };
    const auto optional = [&](const auto& n) { return n ? number(*n) : Cell{Null{}}; };
    const auto results = [&](const codec::Tally& tally, std::vector<Cell>& cells) {
        cells.push_back(number(tally.games));
        for (const auto result :
             {codec::Result::kWhiteWins, codec::Result::kDraw, codec::Result::kBlackWins}) {
            cells.push_back(number(tally.results[static_cast<std::size_t>(result)]));
        }
    };
    for (const query::TreeMove& move : tree.moves) {
        std::vector<Cell> cells;
        label.append_cells(cells);
        cells.insert(cells.end(), {std::string_view(move.uci), std::string_view(move.san)});
        results(move.tally, cells);
        cells.push_back(optional(move.mean_rating()));
        cells.push_back(optional(move.performance()));
        cells.push_back(move.tally.last_date == 0 ? Cell{Null{}}
                                                  : number(move.tally.last_date / 10'000));
        cells.push_back(optional(move.reached));
        cells.push_back(move.opening ? Cell{move.opening->eco} : Cell{Null{}});
        cells.push_back(move.opening ? Cell{move.opening->name} : Cell{Null{}});
        printer.row(cells);
    }
    // Each of several questions has a row, even without games.
    if (tree.ended.games != 0 || (tree.total.games == 0 && label.is_of_several())) {
        std::vector<Cell> cells;
        label.append_cells(cells);
        const std::size_t columns = cells.size() + 12;
        cells.insert(cells.end(), {Null{}, Null{}});
        results(tree.ended, cells);
        cells.resize(columns);
        printer.row(cells);
    }
}

void print_table(const query::Tree& tree, query::TreeDescent& descent, bool reached,
                 chess::FenDialect dialect, store::StoreReader& reader, Output& output) {
    std::string& out = output.buffer();
    out += chess::to_fen(tree.position, dialect) + '\n';
    if (tree.opening) out += fmt::format("{} {}\n", tree.opening->eco, tree.opening->name);
    out += counted(tree.total.games, "game") + "\n\n";
    if (tree.total.games == 0) return;
    TreeTable table(reached, output);
    table.add(tree, 0, descent);
    table.print();
    print_games("Best rated games", tree.top_games, reader, output);
    print_games("Latest games", tree.recent_games, reader, output);
}

/// Returns the positions after --moves, or --play, its older name.
AskedPositions positions_of(const Arguments& arguments) {
    if (arguments.has("play") && arguments.has("moves")) {
        throw UsageError("--play is another name of --moves: give one of them");
    }
    const std::string option = arguments.has("moves") ? "moves" : "play";
    return {arguments, "--" + option, arguments.all(option), true};
}

unsigned depth_of(const Arguments& arguments) {
    const std::uint64_t depth = arguments.number("depth").value_or(1);
    if (depth < 1 || depth > kMostDepth) {
        throw UsageError("--depth takes a number from 1 to " + std::to_string(kMostDepth));
    }
    return static_cast<unsigned>(depth);
}

/// The value of --min-games. Without it a deep tree would have a line for every ply of every game.
/// So by default, beyond kWholeDepth a move must have been played by one game in kRareShare, and by
/// at least two.
class LeastGames {
  public:
    LeastGames(const Arguments& arguments, unsigned depth)
        : given_(arguments.number("min-games")), depth_(depth), quiet_(arguments.has("quiet")) {}

    /// Returns the number for a question. If it chooses the number itself it says so on stderr.
    std::uint64_t in(query::PositionSearch& search, const query::Question& question) const {
        if (given_ || depth_ <= kWholeDepth) return given_.value_or(1);
        const std::uint64_t games = search.count(question, false).games;
        const std::uint64_t least = std::max<std::uint64_t>(2, games / kRareShare);
        if (games != 0 && !quiet_) {
            say(fmt::format(
                "--depth {} leaves out moves of fewer than {} games; --min-games N says how many",
                depth_, grouped(least)));
        }
        return least;
    }

  private:
    static constexpr unsigned kWholeDepth = 10;
    static constexpr std::uint64_t kRareShare = 1000;

    std::optional<std::uint64_t> given_;
    unsigned depth_;
    bool quiet_;
};

int run_tree(const Arguments& arguments) {
    const std::string& database = arguments.database();
    const Format format = format_of(arguments);
    refuse_dialect_unless(format != Format::kCsv, arguments, "--format table or json");
    const chess::FenDialect dialect = dialect_of(arguments);
    const unsigned depth = depth_of(arguments);
    const LeastGames least_games(arguments, depth);
    if (depth > 1 && format == Format::kCsv) {
        throw UsageError("csv cannot show --depth: choose table or json");
    }
    AskedPositions positions = positions_of(arguments);
    const store::Reader reader = store::Store::at(database)->reader();
    const query::GameFilter filter = filter_beside_position(arguments);
    query::GameMatcher matcher(*reader, filter);
    query::PositionSearch search(*reader, matcher);
    query::TreeOptions options;
    options.match = query::match_of(arguments.get("match"));
    options.transpositions = !arguments.has("no-transpositions");
    options.lists = format == Format::kJson    ? query::GameLists::kOfTreeAndMoves
                    : format == Format::kTable ? query::GameLists::kOfTree
                                               : query::GameLists::kNone;
    Output output(arguments);
    std::string& out = output.buffer();
    std::optional<RowPrinter> printer;
    bool first = true;
    Unanswered unanswered;
    const auto answer = [&](const AskedPosition& asked, const QuestionLabel& label) {
        options.min_games =
            least_games.in(search, query::Question::of(*asked.position, options.match));
        query::TreeDescent descent(*reader, search, options, depth);
        bool found = false;
        descent.from(*asked.position, [&](const query::Tree& tree) {
            found = tree.total.games != 0;
            if (format == Format::kJson) {
                json::append_line(out, [&](json::Object& object) {
                    label.add_members(object);
                    TreeJson(descent, dialect, *reader, output).add(tree, object);
                });
            } else if (format == Format::kCsv) {
                if (!printer) printer.emplace(output, format, move_columns(label));
                print_rows(tree, label, *printer);
            } else {
                label.append_heading(std::exchange(first, false), out);
                print_table(tree, descent, options.transpositions, dialect, *reader, output);
            }
        });
        if (!found) {
            unanswered.add({asked.position, options.match, false,
                            label.is_of_several() ? asked.where : std::string()});
        }
        return found;
    };
    const int status =
        answer_each([&] { return positions.next(); }, answer, output, format, kNoneInFile);
    if (printer) printer->finish();
    output.flush();
    unanswered.explain(arguments, *reader, filter);
    return status;
}

}  // namespace

Verb tree_verb() {
    return {
        "tree",
        "DB [FEN|FILE...]",
        "Shows the moves played from a position, with results.\n"
        "Without a FEN, the position is the start (of --variant). Files that end with .fen\n"
        "or .epd have a position on each line. 'games' played the move here; 'reached' got\n"
        "to the resulting position by any order of moves.",
        "fendex tree my.db --play \"1.e4 e5 2.Nf3 Nc6 3.Bb5\"",
        joined(
            {{valued("moves", "MOVES",
                     "the position after these moves, SAN or UCI, from the FEN, or from the start"),
              valued("play", "MOVES", "another name of --moves"), fens_option(),
              valued(
                  "depth", "N",
                  "go N plies deep (default: 1); a line that comes back to a position ends there"),
              valued("min-games", "N",
                     "leave out moves that fewer games played (default: 1; beyond depth 10 a "
                     "thousandth of the games, but at least 2)"),
              flag("no-transpositions", "leave out 'reached', which takes a look-up for each move"),
              match_option(), dialect_option(), format_option({"table", "json", "csv"})},
             filter_options()}),
        run_tree,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
