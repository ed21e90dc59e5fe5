// Table `ply`: the same rows and columns as the ply rows that a database may store, made by
// replaying the packed moves. Rows are ordered by game and ply, or by key if a query that reads
// only numbers wants that. Games are found by their number, positions through the index by key, EPD
// or FEN. Nothing is replayed until a column is read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/hit_cursor.hpp"
#include "replay/stored_walk.hpp"
#include "sqlite_ext/plies_by_key.hpp"
#include "sqlite_ext/session.hpp"
#include "sqlite_ext/values.hpp"
#include "store/store_reader.hpp"

namespace fendex::sqlite_ext {

class PlyTable {
  public:
    static constexpr const char* kName = "ply";
    static constexpr const char* kDeclaration =
        "CREATE TABLE ply(game_id INTEGER, ply INTEGER, san TEXT, uci TEXT, key INTEGER, fen TEXT,"
        " epd TEXT, occurrence INTEGER)";

    static int best_index(sqlite3_index_info& info);

    explicit PlyTable(Session& session)
        : session_(session),
          every_game_(session_.reader()),
          search_(session_.reader(), every_game_) {}

    void filter(int plan, std::span<sqlite3_value*> arguments);
    void next();
    bool eof() const { return eof_; }
    void column(sqlite3_context* context, int number);
    std::int64_t rowid() const;

  private:
    struct Game {
        store::GameId id = 0;
        store::StoredMoves moves;
    };
    void sort_by_key();
    void enter_sorted();
    template <typename Visit>
    void for_each_game(Visit visit);
    void read_games();
    void settle();
    void settle_on_hit();
    void enter(store::GameId game, const store::StoredMoves* moves, std::uint32_t ply);
    const store::StoredMoves& moves();
    const replay::AnyWalk& walk();

    Session& session_;
    IntegerRange ids_;  // the games that have not been read yet
    IntegerRange plies_;
    bool by_position_ = false;
    bool eof_ = true;

    // Search by game: games in order, some of them read ahead.
    std::vector<Game> games_;
    std::size_t games_read_ = 0;
    std::size_t game_ = 0;
    std::size_t read_ahead_ = 1;
    bool last_games_ = false;

    std::optional<PliesByKey> by_key_;  // rows in the order of keys

    // Search by position: games found through the index.
    query::GameMatcher every_game_;
    query::PositionSearch search_;
    std::optional<query::HitCursor> hits_;
    query::Hit hit_;
    std::size_t hit_ply_ = 0;  // index in hit_.plies
    store::StoredMoves hit_moves_;

    // The current row. It is replayed only when a column needs it.
    store::GameId id_ = 0;
    std::uint32_t ply_ = 0;
    const store::StoredMoves* moves_ = nullptr;
    std::optional<replay::AnyWalk> walk_;
    std::optional<store::Occurrences> occurrences_;
    chess::AnyPosition before_;
    chess::Move move_;
    std::string text_;
};

}  // namespace fendex::sqlite_ext
