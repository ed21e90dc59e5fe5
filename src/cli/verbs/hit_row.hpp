// The rows that `find` prints for hits.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/output/question_label.hpp"
#include "cli/output/row_printer.hpp"
#include "query/position_search.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

/// Reads the headers of the hits' games at once and visits each hit with its header, in order.
/// Skips games that do not exist: the reader may see a later commit than the one that found them.
void for_each_header(std::span<const query::Hit> hits, store::StoreReader& reader,
                     const std::function<void(const query::Hit&, const store::GameHeader&)>& visit);

/// Makes the cells of a row at a time. One for each thread.
class HitRow {
  public:
    struct Style {
        const std::string* database = nullptr;  // the name of the hit's, if rows show it
        bool numbered = false;                  // write moves as "12...Nf6"
        bool variations = false;                // columns for hits in variations
    };

    /// The cells are valid until the next call, as long as the arguments live.
    const std::vector<Cell>& cells(const QuestionLabel& label, const query::Hit& hit,
                                   const store::GameHeader& header, const Style& style);

  private:
    std::vector<Cell> cells_;
    std::string san_;
    std::string uci_;
};

}  // namespace fendex::cli
