// Prints the games that were found for questions in one or several databases: the rows of `find`,
// their numbers, or the games as PGN.
#pragma once

#include <cstdint>
#include <vector>

#include "ask/hit_rows.hpp"
#include "ask/sources.hpp"
#include "cli/output/lister.hpp"
#include "cli/output/question_label.hpp"

namespace fendex::cli {

class Finder {
  public:
    /// The databases must outlive it.
    Finder(const Arguments& arguments, ask::Sources& databases, const emit::HitColumns& columns);

    /// Answers a question; returns whether any game was found.
    bool answer(const ask::HitsQuestion& question, QuestionLabel label = {});
    /// Prints what is left after the last question.
    void finish() { lister_.flush(); }

    Format format() const { return lister_.format(); }
    Output& output() { return lister_.output(); }

  private:
    void print_evaluation(const ask::HitsQuestion& question);
    bool answer_count(const ask::HitsQuestion& question);
    bool print_in_order(const ask::HitsQuestion& question);
    bool print_sorted(const ask::HitsQuestion& question);
    void enter(ask::Source& database);
    void print(const query::Hit& hit);
    void print_waiting();
    std::uint64_t print_rest(const ask::NextHit& next, std::uint64_t left);
    /// Makes the cells of a row at a time. One for each thread.
    struct RowMaker {
        ask::HitCells hit;
        std::vector<Cell> cells;

        const std::vector<Cell>& of(const ask::Source& database, const query::Hit& found,
                                    const store::GameHeader& header);
    };

    ask::Sources& databases_;
    Lister lister_;
    bool count_;
    bool verify_;
    ask::Source* database_;         // of the hits that follow
    std::vector<query::Hit> hits_;  // the first `waiting_` of them are to be printed
    std::size_t waiting_ = 0;
    std::size_t batch_;  // hits to print at once
    RowMaker row_;
    store::GameId printed_ = 0;  // the last game printed as PGN, for this question and database
};

}  // namespace fendex::cli
