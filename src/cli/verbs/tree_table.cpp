#include "cli/verbs/tree_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/display_width.hpp"
#include "cli/output/table_layout.hpp"
#include "store/kept_headers.hpp"

namespace fendex::cli {

namespace {

constexpr std::size_t kBarWidth = 20;

struct Shares {
    double white = 0;
    double draws = 0;
    double black = 0;
};

/// Returns the shares of the results; empty if no game has one.
std::optional<Shares> shares_of(const codec::Tally& tally) {
    const auto all = static_cast<double>(tally.results.decided());
    if (all == 0) return std::nullopt;
    return Shares{static_cast<double>(tally.results.white()) / all,
                  static_cast<double>(tally.results.draws()) / all,
                  static_cast<double>(tally.results.black()) / all};
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    while (times-- > 0) out += text;
    return out;
}

/// Draws the shares as a bar of white, grey and black; without colours, of three shades.
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

/// Prints the lines of a tree as an aligned table, fitted to the width of a terminal. Replies are
/// indented under their moves. The first lines are held back until the column widths are known.
class TreeTable {
  public:
    TreeTable(bool reached, Output& output) : reached_(reached), output_(output) {
        rows_.push_back({{"move", "games", "share", "", "white", "draw", "black", "rating", "perf",
                          "last", "reached", "eval", "opening"},
                         std::nullopt});
    }

    void add(const query::Tree& tree, std::size_t level, query::TreeDescent& descent) {
        for (const query::TreeMove& move : tree.moves) {
            Row row = numbers(move.tally, tree.total.games);
            row.texts.front() = std::string(2 * level, ' ') + numbered(tree, move);
            row.texts[kRating] = number_or_nothing(move.mean_rating());
            row.texts[kPerformance] = number_or_nothing(move.performance());
            if (move.tally.last_date != 0) {
                row.texts[kLast] = std::to_string(move.tally.last_date.year());
            }
            if (move.verdict) row.texts[kEval] = query::score_text(move.verdict->score);
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
    static constexpr std::size_t kColumns = 13;
    static constexpr std::size_t kBar = 3;
    static constexpr std::size_t kRating = 7;
    static constexpr std::size_t kPerformance = 8;
    static constexpr std::size_t kLast = 9;
    static constexpr std::size_t kReached = 10;
    static constexpr std::size_t kEval = 11;
    static constexpr std::size_t kOpening = 12;
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

    /// Returns a row with the columns that moves and ended games share.
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
        if (empty[kEval]) widths[kEval] = 0;
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

/// Reads the headers of the games that a tree names, at once.
store::KeptHeadersOfSeveral headers_of(const query::Tree& tree, ask::Sources& databases) {
    std::vector<store::KeptHeadersOfSeveral::Place> places;
    for (const auto* const games : {&tree.top_games, &tree.recent_games}) {
        for (const query::NamedGame& each : *games) places.emplace_back(each.database, each.game);
    }
    return {databases.readers(), places};
}

/// Prints games of one or several databases under a heading.
void print_named_games(std::string_view heading, const std::vector<query::NamedGame>& games,
                       const store::KeptHeadersOfSeveral& headers, ask::Sources& databases,
                       Output& output) {
    std::string& out = output.buffer();
    if (games.empty()) return;
    out += fmt::format("\n{}\n", heading);
    std::size_t widest = 0;  // of the names of databases
    for (const query::NamedGame& named : games) {
        widest = std::max(widest, base::display_width(printable(databases[named.database].name)));
    }
    const auto player = [](const std::optional<std::string_view>& name,
                           const std::optional<std::int64_t>& elo) {
        return printable(name.value_or("?")) + (elo ? fmt::format(" ({})", *elo) : "");
    };
    for (const query::NamedGame& named : games) {
        const store::GameHeader* const game = headers.find({named.database, named.game});
        if (game == nullptr) continue;
        std::string line;
        if (databases.several()) {
            line = printable(databases[named.database].name);
            line.append(widest - base::display_width(line), ' ');
        }
        line += fmt::format(
            "{:>9}  {} - {}  {}  {}  {}", game->id, player(game->white, game->white_elo),
            player(game->black, game->black_elo), codec::result_text(game->result),
            printable(game->date.value_or("")), printable(game->event.value_or("")));
        out += output.fitting(line) + '\n';
    }
}

}  // namespace

void print_tree_table(const query::Tree& tree, query::TreeDescent& descent, bool reached,
                      chess::FenDialect dialect, ask::Sources& databases, Output& output) {
    std::string& out = output.buffer();
    out += chess::to_fen(tree.position, dialect) + '\n';
    if (tree.opening) out += fmt::format("{} {}\n", tree.opening->eco, tree.opening->name);
    out += counted(tree.total.games, "game") + "\n\n";
    if (tree.total.games == 0) return;
    TreeTable table(reached, output);
    table.add(tree, 0, descent);
    table.print();
    const store::KeptHeadersOfSeveral headers = headers_of(tree, databases);
    print_named_games("Best rated games", tree.top_games, headers, databases, output);
    print_named_games("Latest games", tree.recent_games, headers, databases, output);
}

}  // namespace fendex::cli
