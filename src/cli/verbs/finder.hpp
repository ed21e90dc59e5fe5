// Prints the games that were found for questions in one or several databases: the rows of `find`,
// their numbers, or the games as PGN.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ask/hit_rows.hpp"
#include "ask/sources.hpp"
#include "cli/output/output.hpp"
#include "cli/output/question_label.hpp"
#include "query/game_filter.hpp"
#include "query/hit_cursor.hpp"

namespace fendex::cli {

using OnHit = std::function<bool(const query::Hit&)>;

/// Functions that find the games for one question, of any kind, in one database.
struct GameSearch {
    std::function<void(const OnHit&)> find;
    /// Searches these games in their order.
    std::function<void(std::span<const store::GameId>,
                       const std::function<void(const query::Hit&)>&)>
        find_in;
    std::function<query::Count()> count;
    /// Returns the first games in an order; if it is empty, find() must collect all of them.
    std::function<std::vector<query::RankedGame>(query::GameOrder, std::size_t most)> ranked = {};
};

class Finder {
  public:
    /// The databases must outlive it.
    Finder(const Arguments& arguments, ask::Sources& databases);

    /// Answers a question about a position; returns whether any game was found.
    bool answer(const query::Question& question, QuestionLabel label);
    /// Answers another kind of question, with a search for each database.
    bool answer(const std::function<GameSearch(ask::Source&)>& search_in);
    /// Prints what is left after the last question.
    void finish();

    Format format() const { return format_; }
    Output& output() { return output_; }

  private:
    /// A game that was found, with the index of its database.
    struct Found {
        query::RankedGame game;
        std::size_t database = 0;
    };

    void begin(QuestionLabel label);
    GameSearch search_of(const query::Question& question, ask::Source& database);
    static GameSearch search_with_variations_of(const query::Question& question,
                                                ask::Source& database);
    bool answer_count();
    bool answer_games();
    query::Count count_all() const;
    bool print_in_order();
    bool print_sorted();
    std::vector<Found> sorted_games(std::size_t most) const;
    void open_printer();
    void enter(std::size_t database);
    void print(const query::Hit& hit);
    void print_waiting();
    std::uint64_t print_rest(std::uint64_t left);
    /// Makes the cells of a row at a time. One for each thread.
    struct RowMaker {
        ask::HitCells cells_of_hit;
        std::vector<Cell> cells;
    };
    /// The cells are valid until the next call, as long as the arguments live.
    const std::vector<Cell>& cells(const query::Hit& hit, const store::GameHeader& header,
                                   RowMaker& maker) const;
    void say_how_many_more(std::uint64_t games, std::uint64_t shown_up_to);

    ask::Sources& databases_;
    Format format_;
    Paging paging_;
    bool count_;
    bool verify_;
    bool variations_;
    query::GameOrder order_;
    Output output_;
    QuestionLabel label_;               // of the current question
    std::vector<GameSearch> searches_;  // of the current question, for each database
    std::int64_t asked_ = 0;            // number of questions so far
    std::size_t database_ = 0;          // index of the database that the hits come from
    std::optional<RowPrinter> printer_;
    std::vector<query::Hit> hits_;  // the first `waiting_` of them are to be printed
    std::size_t waiting_ = 0;
    std::size_t batch_;  // hits to print at once
    RowMaker row_;
    std::optional<query::HitCursor> hits_in_order_;  // of the search that began last
    store::GameId printed_ = 0;  // the last game printed as PGN, for this question and database
};

}  // namespace fendex::cli
