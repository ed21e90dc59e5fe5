#include <iostream>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "cli/arguments.hpp"
#include "cli/filters.hpp"
#include "cli/game_columns.hpp"
#include "cli/questions.hpp"
#include "cli/verbs.hpp"
#include "emit/pgn_game.hpp"
#include "query/json.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

namespace {

/// All questions of a command line, in its order: FENs, files, moves, keys.
class Questions {
  public:
    explicit Questions(const Arguments& arguments)
        : records_({arguments.words().begin() + 1, arguments.words().end()},
                   arguments.find("fens")),
          match_(query::match_of(arguments.get("match"))) {
        for (const std::string& moves : arguments.all("moves")) {
            others_.push_back(
                query::Question::of(position_after(chess::Position(), "--moves", moves), match_));
        }
        for (const std::string& key : arguments.all("key")) {
            if (match_ != query::Match::kExact) {
                throw UsageError("--key has no board: --match asks for a FEN or --moves");
            }
            others_.push_back(query::Question::of_key(parse_key(key)));
        }
    }

    struct Item {
        std::optional<query::Question> question;  // empty: the error says why
        std::string error;
    };

    std::optional<Item> next() {
        if (const std::optional<FenRecord> record = records_.next()) {
            const chess::FenResult fen = chess::parse_fen(record->text);
            if (fen.position) return Item{query::Question::of(*fen.position, match_), {}};
            std::string where = record->where.empty() ? "'" + record->text + "'" : record->where;
            return Item{std::nullopt,
                        where + ": " + std::string(fen.error.field) + ": " + fen.error.reason};
        }
        if (next_other_ == others_.size()) return std::nullopt;
        return Item{others_[next_other_++], {}};
    }

  private:
    FenRecords records_;
    query::Match match_;
    std::vector<query::Question> others_;
    std::size_t next_other_ = 0;
};

class Finder {
  public:
    Finder(const Arguments& arguments, store::StoreReader& reader)
        : format_(format_of(arguments)),
          paging_(paging_of(arguments, format_)),
          count_(arguments.has("count")),
          verify_(arguments.has("verify")),
          order_(order_of(arguments)),
          reader_(reader),
          matcher_(reader, filter_of(arguments)),
          search_(reader, matcher_) {}

    int run(Questions& questions) {
        std::optional<Questions::Item> item = questions.next();
        if (!item) throw UsageError("which position? Give a FEN, --moves, --key or --fens");
        std::optional<Questions::Item> following = questions.next();
        several_ = following.has_value();
        bool found = false;
        bool failed = false;
        for (std::int64_t number = 1; item; ++number) {
            if (item->question) {
                found |= count_ ? answer_count(number, *item->question)
                                : answer(number, *item->question);
            } else {
                output_.flush();
                std::cerr << "fendex: " << printable(item->error) << '\n';
                failed = true;
            }
            item = std::move(following);
            if (item) following = questions.next();
        }
        if (printer_) printer_->finish();
        output_.flush();
        return failed ? kError : found ? kFound : kNothingFound;
    }

  private:
    bool answer_count(std::int64_t number, const query::Question& question) {
        const query::Count count = search_.count(question, verify_);
        if (!printer_) {
            std::vector<ColumnSpec> columns;
            if (several_) columns.push_back({"query"});
            columns.push_back({"games"});
            columns.push_back({"occurrences"});
            printer_.emplace(output_, format_, std::move(columns));
        }
        std::vector<Cell> cells;
        if (several_) cells.push_back(number);
        cells.push_back(static_cast<std::int64_t>(count.games));
        cells.push_back(static_cast<std::int64_t>(count.occurrences));
        printer_->row(cells);
        return count.games != 0;
    }

    bool answer(std::int64_t number, const query::Question& question) {
        if (format_ != Format::kPgn && !printer_) open_printer();
        const bool found = order_ == query::GameOrder::kId ? print_in_order(number, question)
                                                           : print_sorted(number, question);
        if (!found && several_ && format_ == Format::kJson) {
            query::JsonObject object(output_.buffer());
            object.number("query", number);
            object.number("games", 0);
            object.end();
            output_.buffer() += '\n';
        }
        return found;
    }

    bool print_in_order(std::int64_t number, const query::Question& question) {
        std::uint64_t seen = 0;
        bool more = false;
        search_.find(question, [&](const query::Hit& hit) {
            if (seen >= paging_.offset && seen - paging_.offset >= paging_.limit) {
                more = true;
                return false;
            }
            if (seen++ >= paging_.offset) print(number, hit);
            return true;
        });
        if (more) say_how_many_more(search_.count(question, verify_).games, seen);
        return seen != 0 || more;
    }

    bool print_sorted(std::int64_t number, const query::Question& question) {
        std::vector<store::GameId> games;
        search_.find(question, [&](const query::Hit& hit) {
            games.push_back(hit.game);
            return true;
        });
        query::sort_games(reader_, order_, games);
        const std::size_t begin = std::min<std::size_t>(paging_.offset, games.size());
        const std::size_t end = begin + std::min<std::size_t>(paging_.limit, games.size() - begin);
        for (std::size_t i = begin; i < end; ++i) {
            query::Hit hit;
            search_.find_in(question, games[i], hit);
            print(number, hit);
        }
        if (end < games.size()) say_how_many_more(games.size(), end);
        return !games.empty();
    }

    void open_printer() {
        std::vector<ColumnSpec> columns;
        if (several_) columns.push_back({"query"});
        for (const char* name : {"game_id", "ply"}) columns.push_back({name});
        columns.push_back({"plies", false});
        append_game_columns(columns);
        columns.push_back({"san"});
        columns.push_back({"uci", false});
        printer_.emplace(output_, format_, std::move(columns));
    }

    void print(std::int64_t number, const query::Hit& hit) {
        if (format_ == Format::kPgn) {
            store::StoredGame game;
            reader_.game(hit.game, game);
            emit::append_pgn(hit.game, game, output_.buffer());
            output_.maybe_flush();
            return;
        }
        store::GameHeader header;
        reader_.header(hit.game, header);
        cells_.clear();
        if (several_) cells_.push_back(number);
        cells_.push_back(static_cast<std::int64_t>(hit.game));
        cells_.push_back(std::int64_t{hit.plies.front()});
        cells_.push_back(&hit.plies);
        append_game_cells(header, cells_);
        san_.clear();
        uci_.clear();
        if (hit.next) {
            chess::append_san(hit.position, *hit.next, san_);
            chess::append_uci(hit.position, *hit.next, hit.variant, uci_);
            cells_.push_back(std::string_view(san_));
            cells_.push_back(std::string_view(uci_));
        } else {
            cells_.push_back(Null{});
            cells_.push_back(Null{});
        }
        printer_->row(cells_);
    }

    void say_how_many_more(std::uint64_t games, std::uint64_t shown_up_to) {
        if (format_ != Format::kTable) return;
        printer_->finish();
        output_.buffer() += "... and " + grouped(games - std::min(games, shown_up_to)) +
                            " more games (--limit N, --offset N)\n";
    }

    Format format_;
    Paging paging_;
    bool count_;
    bool verify_;
    query::GameOrder order_;
    store::StoreReader& reader_;
    query::GameMatcher matcher_;
    query::PositionSearch search_;
    Output output_;
    bool several_ = false;
    std::optional<RowPrinter> printer_;
    std::vector<Cell> cells_;
    std::string san_;
    std::string uci_;
};

int run_find(const Arguments& arguments) {
    const std::string& database = arguments.database();
    Questions questions(arguments);
    const std::unique_ptr<store::StoreReader> reader = store::open_reader(database);
    return Finder(arguments, *reader).run(questions);
}

}  // namespace

Verb find_verb() {
    return {
        "find",
        "DB FEN...",
        "Which games reached this position?\n"
        "FENs in every dialect, EPD, with _ or %20 for blanks. Every game named has been replayed "
        "and compared.",
        "fendex find my.db \"r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23\"",
        joined({{repeatable("moves", "MOVES",
                            "the position after these moves from the start, as in "
                            "\"1.e4 c5 2.Nf3\""),
                 repeatable("key", "HEX", "the position with this Zobrist key"),
                 valued("fens", "FILE", "a file of FEN or EPD records, one a line; - for stdin"),
                 flag("count", "only how many games and occurrences"),
                 flag("verify",
                      "with --count: replay and compare every game, not only those with "
                      "one posting"),
                 match_option(), format_option({"table", "json", "csv", "pgn"}), sort_option()},
                paging_options(),
                filter_options()}),
        run_find};
}

}  // namespace fendex::cli
