#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "base/ordered_pipeline.hpp"
#include "cli/options/arguments.hpp"
#include "cli/options/filters.hpp"
#include "cli/options/pasted.hpp"
#include "cli/output/game_columns.hpp"
#include "cli/verbs/hit_row.hpp"
#include "cli/verbs/nothing_found.hpp"
#include "cli/verbs/questions.hpp"
#include "cli/verbs/verbs.hpp"
#include "emit/pgn_game.hpp"
#include "query/pattern_scan.hpp"
#include "query/pattern_text.hpp"
#include "query/position_search.hpp"
#include "store/store.hpp"

namespace fendex::cli {

namespace {

/// All questions of a command line: FENs, files and moves in their order, then keys.
class Questions {
  public:
    explicit Questions(const Arguments& arguments)
        : match_(query::match_of(arguments.get("match"))),
          positions_(arguments, "--moves", arguments.all("moves"), false) {
        for (const std::string& key : arguments.all("key")) {
            if (match_ != query::Match::kExact) {
                throw UsageError("--key has no board: --match asks for a FEN or --moves");
            }
            keys_.push_back(query::Question::of_key(parse_key(key)));
        }
    }

    struct Item {
        std::optional<query::Question> question;  // empty: the error says why
        std::string error;
        CarriedOperations operations;
        std::string where;  // like AskedPosition::where
    };

    std::optional<Item> next() {
        if (std::optional<AskedPosition> asked = positions_.next()) {
            Item item{std::nullopt, std::move(asked->error), std::move(asked->operations),
                      std::move(asked->where)};
            if (item.error.empty()) item.question = query::Question::of(*asked->position, match_);
            return item;
        }
        if (next_key_ == keys_.size()) return std::nullopt;
        return Item{keys_[next_key_++], {}, {}, {}};
    }
    bool has_records() const { return positions_.has_records(); }

  private:
    query::Match match_;
    AskedPositions positions_;
    std::vector<query::Question> keys_;
    std::size_t next_key_ = 0;
};

using OnHit = std::function<bool(const query::Hit&)>;

/// How the games for a question are found, for any kind of question.
struct Search {
    std::function<void(const OnHit&)> find;
    std::function<bool(store::GameId, query::Hit&)> find_in;
    std::function<query::Count()> count;
};

class Finder {
  public:
    Finder(const Arguments& arguments, store::Store& store, store::StoreReader& reader)
        : arguments_(arguments),
          store_(store),
          format_(arguments.has("count")
                      ? format_of(arguments, {Format::kTable, Format::kJson, Format::kCsv})
                      : format_of(arguments)),
          paging_(paging_of(arguments, format_)),
          count_(arguments.has("count")),
          verify_(arguments.has("verify")),
          variations_(arguments.has("variations")),
          order_(order_of(arguments)),
          reader_(reader),
          // A key does not tell the variant of its position.
          filter_(arguments.has("key") ? filter_of(arguments) : filter_beside_position(arguments)),
          matcher_(reader, filter_),
          positions_(reader, matcher_),
          match_(query::match_of(arguments.get("match"))),
          output_(arguments) {}

    int run(Questions& questions) {
        Unanswered unanswered;
        const int status = answer_each(
            [&] { return questions.next(); },
            [&](const Questions::Item& item, QuestionLabel label) {
                const std::string where = label.is_of_several() ? item.where : std::string();
                begin(std::move(label));
                const bool found = answer(search_of(*item.question));
                if (!found) {
                    unanswered.add(
                        {item.question->targets.front().position, match_, variations_, where});
                }
                return found;
            },
            output_, format_,
            questions.has_records()
                ? kNoneInFile
                : "which position? Give a FEN, --moves, --key, --fens, --pattern or --material");
        finish();
        unanswered.explain(arguments_, reader_, filter_);
        return status;
    }

    /// Answers a search for a pattern or material.
    int run(const Search& search) {
        const bool found = answer(search);
        finish();
        if (!found) explain_nothing(arguments_, reader_, filter_);
        return found ? kFound : kNothingFound;
    }

  private:
    /// The first batches are smaller, so that the first rows come soon.
    static constexpr std::size_t kMostHeadersAtOnce = 64;
    /// More hits than these are printed by several threads.
    static constexpr std::uint64_t kHitsOfOneThread = 4096;
    static constexpr unsigned kThreads = 2;
    static constexpr std::size_t kHitsAtOnce = 1024;

    void finish() {
        if (printer_) printer_->finish();
        output_.flush();
    }

    /// Begins the answers to another question.
    void begin(QuestionLabel label) {
        const bool other_columns = label_.has_operations() || label.has_operations();
        label_ = std::move(label);
        ++asked_;
        if (!other_columns || format_ == Format::kCsv) return;
        if (printer_) printer_->finish();
        printer_.reset();
        if (format_ == Format::kTable) label_.append_heading(asked_ == 1, output_.buffer());
    }

    Search search_of(const query::Question& question) {
        if (variations_) return search_with_variations_of(question);
        return {[this, &question](const OnHit& visit) {
                    query::Hit hit;
                    hits_in_order_.emplace(positions_, question);
                    while (hits_in_order_->next(hit) && visit(hit)) {
                    }
                },
                [this, &question](store::GameId game, query::Hit& hit) {
                    return positions_.find_in(question, game, hit);
                },
                [this, &question] { return positions_.count(question, verify_); }};
    }

    /// Hits come only in the order of games, because a game may have several.
    Search search_with_variations_of(const query::Question& question) {
        return {[this, &question](const OnHit& visit) {
                    positions_.find_with_variations(question, visit);
                },
                {},
                [this, &question] {
                    query::Count count;
                    store::GameId last = 0;
                    positions_.find_with_variations(question, [&](const query::Hit& hit) {
                        count.games += hit.game != last ? 1 : 0;
                        count.occurrences += hit.plies.size();
                        last = hit.game;
                        return true;
                    });
                    return count;
                }};
    }

    bool answer(const Search& search) {
        return count_ ? answer_count(search) : answer_games(search);
    }

    bool answer_count(const Search& search) {
        const query::Count count = search.count();
        if (!printer_) {
            std::vector<ColumnSpec> columns;
            label_.append_columns(columns);
            columns.push_back({"games"});
            columns.push_back({"occurrences"});
            printer_.emplace(output_, format_, std::move(columns));
        }
        std::vector<Cell> cells;
        label_.append_cells(cells);
        cells.push_back(static_cast<std::int64_t>(count.games));
        cells.push_back(static_cast<std::int64_t>(count.occurrences));
        printer_->row(cells);
        return count.games != 0;
    }

    bool answer_games(const Search& search) {
        if (format_ != Format::kPgn && !printer_) open_printer();
        const bool found =
            order_ == query::GameOrder::kId ? print_in_order(search) : print_sorted(search);
        if (!found && label_.is_of_several() && printer_) {
            label_.print_no_games(format_, *printer_, output_);
        }
        return found;
    }

    bool print_in_order(const Search& search) {
        std::uint64_t seen = 0;
        std::uint64_t printed = 0;
        bool more = false;
        bool many = false;
        try {
            search.find([&](const query::Hit& hit) {
                if (seen >= paging_.offset && printed == paging_.limit) {
                    more = true;
                    return false;
                }
                if (seen++ < paging_.offset) return true;
                print(hit);
                many = ++printed == kHitsOfOneThread && printed != paging_.limit &&
                       hits_in_order_ && printer_ && printer_->has_lines();
                return !many;
            });
        } catch (...) {
            print_waiting();
            throw;
        }
        print_waiting();
        if (many) print_rest(paging_.limit - printed);
        if (more && format_ == Format::kTable) say_how_many_more(search.count().games, seen);
        return seen != 0 || more;
    }

    bool print_sorted(const Search& search) {
        std::vector<store::GameId> games;
        search.find([&](const query::Hit& hit) {
            games.push_back(hit.game);
            return true;
        });
        query::sort_games(reader_, order_, games);
        const std::size_t begin = std::min<std::size_t>(paging_.offset, games.size());
        const std::size_t end = begin + std::min<std::size_t>(paging_.limit, games.size() - begin);
        for (std::size_t i = begin; i < end; ++i) {
            query::Hit hit;
            search.find_in(games[i], hit);
            print(hit);
        }
        print_waiting();
        if (end < games.size() && format_ == Format::kTable) {
            say_how_many_more(games.size(), end);
        }
        return !games.empty();
    }

    void open_printer() {
        std::vector<ColumnSpec> columns;
        label_.append_columns(columns);
        columns.push_back(game_id_column());
        columns.push_back({.name = "ply", .spare = 4});  // the move shows it, too
        columns.push_back({"plies", false});
        append_game_columns(columns);
        columns.push_back({.name = "san", .title = "move", .cut = Cut::kNever});
        columns.push_back({"uci", false});
        if (variations_) {
            columns.push_back({"variation", false});
            columns.push_back({"line"});
        }
        printer_.emplace(output_, format_, std::move(columns));
    }

    void print(const query::Hit& hit) {
        if (format_ == Format::kPgn) {
            if (hit.game == printed_ && asked_ == printed_for_) return;
            printed_ = hit.game;
            printed_for_ = asked_;
            emit::append_pgn(reader_, hit.game, output_.buffer());
            output_.maybe_flush();
            return;
        }
        if (waiting_ == hits_.size()) hits_.emplace_back();
        hits_[waiting_++] = hit;
        if (waiting_ < batch_) return;
        batch_ = std::min(2 * batch_, kMostHeadersAtOnce);
        print_waiting();
    }

    /// Reads the headers of the games at once.
    void print_waiting() {
        const std::span<const query::Hit> hits(hits_.data(), std::exchange(waiting_, 0));
        for_each_header(hits, reader_, [&](const query::Hit& hit, const store::GameHeader& header) {
            printer_->row(cells(hit, header, row_));
        });
    }

    /// Prints as many as `left` more of hits_in_order_. One thread at a time searches; the threads
    /// read headers and write lines at the same time.
    void print_rest(std::uint64_t left) {
        std::vector<store::Reader> readers;
        std::vector<HitRow> rows(kThreads);
        while (readers.size() < kThreads) readers.push_back(store_.reader());
        base::run_ordered(
            kThreads, 4 * kThreads,
            [&]() -> std::optional<std::vector<query::Hit>> {
                std::vector<query::Hit> hits;
                try {
                    query::Hit hit;
                    for (; left != 0 && hits.size() < kHitsAtOnce && hits_in_order_->next(hit);
                         --left) {
                        hits.push_back(std::move(hit));
                    }
                } catch (...) {
                    // The next call throws again.
                    if (hits.empty()) throw;
                }
                if (hits.empty()) return std::nullopt;
                return hits;
            },
            [&](unsigned thread, const std::vector<query::Hit>& hits) {
                std::string lines;
                for_each_header(hits, *readers[thread],
                                [&](const query::Hit& hit, const store::GameHeader& header) {
                                    printer_->append_line(cells(hit, header, rows[thread]), lines);
                                });
                return lines;
            },
            [&](const std::string& lines) { printer_->print_lines(lines); });
    }

    const std::vector<Cell>& cells(const query::Hit& hit, const store::GameHeader& header,
                                   HitRow& row) const {
        const bool numbered = format_ == Format::kTable && output_.screen().width != 0;
        return row.cells(label_, hit, header, {numbered, variations_});
    }

    void say_how_many_more(std::uint64_t games, std::uint64_t shown_up_to) {
        printer_->finish();
        output_.buffer() += more_line(games - std::min(games, shown_up_to), "game");
    }

    const Arguments& arguments_;
    store::Store& store_;
    Format format_;
    Paging paging_;
    bool count_;
    bool verify_;
    bool variations_;
    query::GameOrder order_;
    store::StoreReader& reader_;
    query::GameFilter filter_;
    query::GameMatcher matcher_;
    query::PositionSearch positions_;
    query::Match match_;
    Output output_;
    QuestionLabel label_;     // of the current question
    std::int64_t asked_ = 0;  // number of questions so far
    std::optional<RowPrinter> printer_;
    std::vector<query::Hit> hits_;  // the first `waiting_` of them are to be printed
    std::size_t waiting_ = 0;
    std::size_t batch_ = 1;  // hits to print at once
    HitRow row_;
    std::optional<query::HitCursor> hits_in_order_;  // of the search that began last
    store::GameId printed_ = 0;  // the last game printed as PGN, and for which question
    std::int64_t printed_for_ = 0;
};

/// Returns the pattern of --pattern and --material; empty without them.
std::optional<query::PositionPattern> pattern_of(const Arguments& arguments) {
    const std::optional<std::string> board = arguments.find("pattern");
    const std::optional<std::string> material = arguments.find("material");
    const bool either_side = arguments.has("either-side");
    if (!board && !material) {
        if (either_side) throw UsageError("--either-side goes with --pattern or --material");
        return std::nullopt;
    }
    if (arguments.has("variations")) {
        throw UsageError("--variations goes with positions, not with --pattern or --material");
    }
    if (arguments.words().size() > 1 || arguments.has("moves") || arguments.has("key") ||
        arguments.has("fens")) {
        throw UsageError("ask for positions, or for --pattern and --material, not for both");
    }
    const auto variant = filter_of(arguments).variant.value_or(chess::Variant::kStandard);
    query::PatternResult result = query::parse_pattern({board, material, either_side, variant});
    if (!result.pattern) {
        throw UsageError("--" + std::string(result.field) + ": " + result.error);
    }
    return std::move(result.pattern);
}

int run_find(const Arguments& arguments) {
    const std::string& database = arguments.database();
    if (const std::optional<query::PositionPattern> pattern = pattern_of(arguments)) {
        const std::shared_ptr<store::Store> store = store::Store::at(database);
        const store::Reader reader = store->reader();
        query::ScanOptions options;
        options.filter = filter_of(arguments);
        return Finder(arguments, *store, *reader)
            .run(
                {[&](const OnHit& visit) { query::find_pattern(*store, *pattern, options, visit); },
                 [&](store::GameId game, query::Hit& hit) {
                     return query::find_pattern_in(*reader, *pattern, game, hit);
                 },
                 [&] { return query::count_pattern(*store, *pattern, options); }});
    }
    if (arguments.has("variations") && order_of(arguments) != query::GameOrder::kId) {
        throw UsageError("--variations goes with the order of games, without --sort");
    }
    Questions questions(arguments);
    const std::shared_ptr<store::Store> store = store::Store::at(database);
    const store::Reader reader = store->reader();
    return Finder(arguments, *store, *reader).run(questions);
}

}  // namespace

Verb find_verb() {
    return {
        "find",
        "DB FEN|FILE...",
        "Lists games that reached a position, a pattern or material.\n"
        "FENs may be in any dialect, or EPD, with _ or %20 for blanks. Files that end with\n"
        ".fen or .epd have a position on each line. Every game in the answer has been\n"
        "replayed and compared. san and uci are the move that was played next, from the\n"
        "position.",
        "fendex find my.db \"r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23\"\n"
        "fendex find my.db samples/positions.fen --count",
        joined(
            {{repeatable("moves", "MOVES",
                         "the position after these moves, as in \"1.e4 c5 2.Nf3\", from each FEN, "
                         "or from the start if there is no FEN"),
              repeatable("key", "HEX", "the position with this Zobrist key"),
              valued("pattern", "BOARD",
                     "positions that look like this, ranks 8 to 1 as in a FEN: ? any square, ! any "
                     "piece, A or a any white or black piece, [Qq] one of these, [^Pp] none of "
                     "these, * the other squares of the rank"),
              valued("material", "PIECES",
                     "positions with exactly these pieces, KRPvKR, or with so many of some, \"Q=1 "
                     "R>=1 q=0\" (capitals are White's). --pattern and --material look at standard "
                     "chess and Chess960, or at --variant"),
              flag("either-side", "find the pattern or material with colours exchanged, too"),
              fens_option(), flag("count", "print only how many games and occurrences there are"),
              flag("verify",
                   "with --count: replay and compare every game, instead of relying on equal keys"),
              flag("variations",
                   "look in variations, too, if they were imported with --variations: a row for "
                   "each place"),
              match_option(), format_option({"table", "json", "csv", "pgn"}), sort_option()},
             paging_options(),
             filter_options()}),
        run_find,
        DefaultDatabase::kOfEnvironment};
}

}  // namespace fendex::cli
