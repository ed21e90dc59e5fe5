// Table `annotation_ply`: a row for each ply of a game that is followed by a comment, a NAG or a
// variation, ordered by game and ply. Games are found by their number.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/annotated_plies.hpp"
#include "sqlite_ext/session.hpp"
#include "sqlite_ext/values.hpp"

namespace fendex::sqlite_ext {

class AnnotationTable {
  public:
    static constexpr const char* kName = "annotation_ply";
    static constexpr const char* kDeclaration =
        "CREATE TABLE annotation_ply(game_id INTEGER, ply INTEGER, nags TEXT, comment TEXT,"
        " eval REAL, mate INTEGER, clk, emt, variations TEXT)";

    static int best_index(sqlite3_index_info& info);

    explicit AnnotationTable(Session& session) : session_(session) {}

    void filter(int plan, std::span<sqlite3_value*> arguments);
    void next();
    bool eof() const { return plies_.empty(); }
    void column(sqlite3_context* context, int number) const;
    std::int64_t rowid() const;

  private:
    struct Game {
        store::GameId id = 0;
        std::string stream;
    };
    void read_games();
    void next_game();

    Session& session_;
    IntegerRange ids_;         // the games that have not been read yet
    std::vector<Game> games_;  // read ahead
    std::size_t game_ = 0;
    std::size_t read_ahead_ = 1;
    bool last_games_ = false;

    store::GameId id_ = 0;
    std::vector<query::AnnotatedPly> plies_;  // the rows of the current game; empty at the end
    std::size_t ply_ = 0;
};

}  // namespace fendex::sqlite_ext
