// The rows of `find` for hits: the game, and where it reached the position.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "emit/rows.hpp"
#include "query/position_search.hpp"
#include "store/store_reader.hpp"

namespace fendex::emit {

/// Reads the headers of the hits' games at once and visits each hit with its header, in order.
/// Skips games that do not exist: the reader may see a later commit than the one that found them.
void for_each_header(std::span<const query::Hit> hits, store::StoreReader& reader,
                     const std::function<void(const query::Hit&, const store::GameHeader&)>& visit);

/// What rows of hits have besides the columns that all have.
struct HitColumns {
    bool variations = false;  // variation, line
    bool steps = false;       // steps
};

/// The columns of a hit after the game's number: ply, plies, those of a game, san, uci, and those
/// that are wanted besides.
std::vector<std::string> hit_columns(const HitColumns& wanted);

/// Makes the cells of one row at a time. One object for each thread.
class HitRow {
  public:
    struct Style {
        bool numbered = false;  // write moves as "12...Nf6"
        HitColumns columns = {};
    };

    /// Appends the cells of hit_columns(). They are valid until the next call, as long as the
    /// arguments live.
    void append_cells(const query::Hit& hit, const store::GameHeader& header, const Style& style,
                      std::vector<Cell>& cells);

  private:
    std::string san_;
    std::string uci_;
};

}  // namespace fendex::emit
