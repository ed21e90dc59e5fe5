// tree(fen, match): the moves played from a position, one row per move, most played first. Games
// that end there are a row without a move. Numbers count distinct games.
#pragma once

#include <cstdint>
#include <span>

#include "query/opening_tree.hpp"
#include "sqlite_ext/position_arguments.hpp"
#include "sqlite_ext/session.hpp"

namespace fendex::sqlite_ext {

class TreeTable {
  public:
    static constexpr const char* kName = "tree";
    static constexpr const char* kDeclaration =
        "CREATE TABLE tree(san TEXT, uci TEXT, games INTEGER, white INTEGER, draws INTEGER,"
        " black INTEGER, share REAL, average_rating INTEGER, performance INTEGER,"
        " last_year INTEGER, reached INTEGER, eco TEXT, opening TEXT, cp INTEGER, mate INTEGER,"
        " depth INTEGER, fen HIDDEN, match HIDDEN, variant HIDDEN)";

    static int best_index(sqlite3_index_info& info);

    explicit TreeTable(Session& session) : session_(session) {}

    void filter(int plan, std::span<sqlite3_value*> values);
    void next() { ++row_; }
    bool eof() const { return row_ >= rows_; }
    void column(sqlite3_context* context, int number) const;
    std::int64_t rowid() const { return static_cast<std::int64_t>(row_); }

  private:
    Session& session_;
    PositionArguments arguments_;
    query::Tree tree_;
    std::size_t rows_ = 0;  // the moves, and one more if a game ends there
    std::size_t row_ = 0;
};

}  // namespace fendex::sqlite_ext
