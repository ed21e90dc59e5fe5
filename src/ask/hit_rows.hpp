// The games that reached a position, a pattern or material, or match a sequence, and their rows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "ask/rows.hpp"
#include "ask/sources.hpp"
#include "emit/hit_rows.hpp"
#include "query/hit_evaluations.hpp"
#include "query/pattern_scan.hpp"

namespace fendex::ask {

/// A search: for positions, or for a pattern or a sequence.
struct HitsQuestion {
    std::optional<query::Question> positions = {};
    std::optional<query::PatternSequence> pattern = {};
    /// Threads that look for a pattern; 0: as many as the machine has. If there are several, they
    /// read the newest commit. 1: the caller looks, in the snapshot of the source.
    unsigned threads = 1;
    bool variations = false;  // positions in variations, too; only in the order of games
    /// The evaluation of the position is in this range.
    std::optional<query::ScoreRange> evaluation = {};
    store::GameFilter filter = {};
    store::GameOrder order = store::GameOrder::kId;

    /// Returns which columns its rows have.
    [[nodiscard]] emit::HitColumns columns() const {
        return {variations, pattern && pattern->has_steps()};
    }
};

/// Sets the next hit in one database, in the order of games. Returns false after the last.
using NextHit = std::function<bool(query::Hit&)>;

/// Returns the hits in a database. `after` is the last game to skip or, with variations, the number
/// of hits to skip. The arguments must outlive the returned function.
[[nodiscard]] NextHit hits_in(Source& source, const HitsQuestion& question, std::uint64_t after,
                              const std::stop_token& stop);

/// Calls visit() for each hit of a pattern in one database, in the order of games, until it returns
/// false. Uses the threads of the question.
void for_each_pattern_hit(Source& source, const HitsQuestion& question,
                          const std::function<bool(const query::Hit&)>& visit,
                          const std::stop_token& stop = {});

/// Counts the games and occurrences of a question. With `verify`, all games are replayed.
[[nodiscard]] query::Count count_hits(Sources& sources, const HitsQuestion& question, bool verify,
                                      const std::stop_token& stop = {});

/// Makes the cells of a hit. One object for each thread.
class HitCells {
  public:
    HitCells(bool several, const emit::HitColumns& columns, const RowStyle& style)
        : game_columns_(several, style), style_{style.numbered, columns} {}

    void append_names(std::vector<std::string>& columns) const;
    /// The cells are valid until the next call, as long as the arguments live.
    void append_cells(const Source& source, const query::Hit& hit, const store::GameHeader& header,
                      std::vector<Cell>& cells);

  private:
    GameColumns game_columns_;
    emit::HitRow::Style style_;
    emit::HitRow row_;
};

[[nodiscard]] std::unique_ptr<Rows> hit_rows(const Context& context, HitsQuestion question);

}  // namespace fendex::ask
