// Writes the rows of plies of one game after another, as CSV or JSON lines with chosen columns.
// Values that are the same in all rows of a game are written once, as part of the text between the
// other values. A writer belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/fen.hpp"
#include "chess/san_language.hpp"
#include "emit/key_marks.hpp"
#include "emit/ply_columns.hpp"
#include "emit/rows.hpp"
#include "query/ply_evaluations.hpp"
#include "replay/opening_names.hpp"
#include "store/store_reader.hpp"

namespace fendex::emit {

struct PlyRowStyle {
    std::vector<PlyColumn> columns;
    RowFormat format = RowFormat::kCsv;
    chess::FenDialect dialect = chess::FenDialect::kStandard;  // of the column `fen`
    chess::SanSpelling spelling = {};                          // of the columns `san`, `next_san`
};

/// The rows of a game that are written.
struct WantedPlies {
    std::optional<std::span<const std::uint32_t>> only;  // ascending; empty: all plies
    const KeyMarks* mark = nullptr;                      // marks the positions of written rows
    const KeyMarks* drop = nullptr;                      // leaves out marked positions

    bool is_dropped(std::uint64_t key) const { return drop != nullptr && drop->is_marked(key); }
};

class PlyRowWriter {
  public:
    using Tags = std::vector<std::pair<std::string, std::string>>;

    explicit PlyRowWriter(PlyRowStyle style);

    /// True if append_rows() needs the tags.
    bool needs_tags() const;
    /// Appends the rows of a game that can be replayed and returns their number. Throws StoreError
    /// if the stored game is damaged.
    std::uint64_t append_rows(store::StoreReader& reader, store::GameId id,
                              const store::StoredMoves& moves, const Tags& tags,
                              const WantedPlies& wanted, std::string& out);

  private:
    /// What engines said of a position.
    struct Evaluated {
        query::PlyEvaluation evaluation;
        std::optional<codec::Score> score;  // from where the swings of this game come
        std::string best;                   // SAN of the best move from there; empty if unknown
    };

    bool has(PlyColumn column) const {
        return (columns_ >> static_cast<unsigned>(column) & 1U) != 0;
    }
    bool has_any(PlyColumn first, PlyColumn last) const;
    void append_value(const Cell& cell, std::string& out) const;
    void begin_game(store::StoreReader& reader, store::GameId id, const store::StoredMoves& moves,
                    const Tags& tags);
    void begin_evaluations(store::StoreReader& reader, store::GameId id);
    template <typename Position>
    void evaluate(const Position& position, const query::PlyNumbers& own);
    template <typename Walk>
    std::uint64_t append_walk(Walk& walk, const store::Occurrences& occurrences,
                              chess::Variant variant, const WantedPlies& wanted, std::string& out);
    template <typename Position>
    void describe(const Position& position);
    template <typename Walk>
    void play(Walk& walk, chess::Variant variant, bool writes_moves);
    void append_row(std::uint32_t ply, std::uint32_t occurrence, chess::Color mover,
                    const query::PlyNumbers& comment, std::string& out);
    void append_move(std::string_view san, std::string& out);
    void append_plain(std::string_view text, std::string& out) const;

    PlyRowStyle style_;
    std::uint64_t columns_ = 0;         // as bits
    std::vector<std::string> names_;    // the text before the value of each column
    std::vector<PlyColumn> changing_;   // the columns that change within a game
    std::vector<std::string> between_;  // the text before each of these, and after the last

    // The current game.
    query::CommentNumbers comments_;
    bool swings_of_records_ = false;  // they come from records alone, else from comments alone
    std::optional<query::Evaluations> records_;  // empty if no column needs them
    std::optional<replay::Opening> opening_;

    // The current row. The last moves are empty at the start, the next ones at the end.
    Evaluated now_;
    Evaluated before_;  // of the position before the last move
    char key_[16];
    char fen_[chess::kMaxFenLength];
    char epd_[chess::kMaxFenLength];
    std::size_t fen_size_ = 0;
    std::size_t epd_size_ = 0;
    std::string material_;
    int balance_ = 0;
    std::string san_;
    std::string uci_;
    std::string next_san_;
    std::string next_uci_;
    std::string spelled_;
};

}  // namespace fendex::emit
