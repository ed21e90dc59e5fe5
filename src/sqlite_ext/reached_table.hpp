// reached(fen, match): every ply at which a game reached the position, ordered by game and ply.
// Every row has been verified by replaying the game.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "query/hit_cursor.hpp"
#include "sqlite_ext/position_arguments.hpp"
#include "sqlite_ext/session.hpp"

namespace fendex::sqlite_ext {

class ReachedTable {
  public:
    static constexpr const char* kName = "reached";
    static constexpr const char* kDeclaration =
        "CREATE TABLE reached(game_id INTEGER, ply INTEGER, fen HIDDEN, match HIDDEN,"
        " variant HIDDEN)";

    static int best_index(sqlite3_index_info& info);

    explicit ReachedTable(Session& session)
        : session_(session),
          every_game_(session_.reader()),
          search_(session_.reader(), every_game_) {}

    void filter(int plan, std::span<sqlite3_value*> values);
    void next();
    bool eof() const { return eof_; }
    void column(sqlite3_context* context, int number) const;
    std::int64_t rowid() const;

  private:
    bool find_in(sqlite3_value* game);

    Session& session_;
    query::GameMatcher every_game_;
    query::PositionSearch search_;
    PositionArguments arguments_;
    std::optional<query::HitCursor> hits_;  // empty if one game was given
    query::Hit hit_;
    std::size_t ply_ = 0;  // index in hit_.plies
    bool eof_ = true;
};

}  // namespace fendex::sqlite_ext
