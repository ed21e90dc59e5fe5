// Prints what `fendex novelty` found: rows of a table, CSV or JSON, or the games as annotated PGN.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "chess/fen.hpp"
#include "cli/output/row_printer.hpp"
#include "query/novelty.hpp"
#include "store/kept_headers.hpp"

namespace fendex::cli {

/// A game of the input.
struct GameRequest {
    std::uint64_t number = 0;  // in its file
    store::StoredGame game;
    std::string annotation;             // its comments, glyphs and variations, to annotate it
    std::optional<std::string> broken;  // its text as UTF-8, if it has errors and is annotated
    bool is_dated = false;              // its year is known
    query::Novelty novelty;
};

/// Games of one file, in their order, and the headers of the latest games that they name.
struct AnsweredGames {
    std::size_t file = 0;
    std::vector<GameRequest> games;
    std::optional<store::KeptHeadersOfSeveral> headers;
};

class NoveltyPrinter {
  public:
    /// `files` and `databases` are names, and must outlive the printer.
    NoveltyPrinter(const Arguments& arguments, const std::vector<std::string>& files,
                   const std::vector<std::string>& databases);

    void print(const AnsweredGames& answered);
    /// Prints what is held back, and how many games were left out. Call it before an error, too.
    void finish(std::uint64_t left_out);
    /// Returns whether any game had a known position.
    bool any_known() const { return any_known_; }
    /// Says what games without a known position need.
    void explain_unknown() const;

  private:
    std::vector<ColumnSpec> columns() const;
    void print_row(const GameRequest& asked, const std::string& file);
    void add_table_cells(const query::Novelty& novelty);
    void add_csv_cells(const query::Novelty& novelty);
    void print_json(const GameRequest& asked, const std::string& file);
    void annotate(const GameRequest& asked, std::string& out);
    void add(std::string text);
    void add_score(const std::optional<query::Verdict>& verdict);
    void add(std::uint64_t number) { cells_.emplace_back(static_cast<std::int64_t>(number)); }

    bool annotates_;
    Format format_;
    chess::FenDialect dialect_;
    const std::vector<std::string>& files_;
    const std::vector<std::string>& databases_;
    Output output_;
    std::optional<RowPrinter> rows_;
    std::vector<Cell> cells_;        // of a row
    std::deque<std::string> texts_;  // that cells_ has views of
    store::GameHeader last_;         // of the game that is printed
    bool any_known_ = false;
    // Games without a known position:
    std::uint64_t unknown_dated_ = 0;
    std::uint64_t unknown_undated_ = 0;
};

}  // namespace fendex::cli
