#include "cli/verbs/search_text.hpp"

#include <fmt/core.h>

#include <string>

#include "query/evaluations.hpp"

namespace fendex::cli {

void append_search(const chess::AnyPosition& position, const codec::Evaluation& search,
                   Output& output) {
    const std::string depth = search.depth == 0 ? "?" : std::to_string(search.depth);
    output.buffer() += "depth " + depth;
    if (search.nodes != 0) {
        output.buffer() += fmt::format(", {} thousand nodes", grouped(search.nodes / 1000));
    }
    output.buffer() += '\n';
    for (const codec::Variation& pv : search.pvs) {
        output.buffer() += output.fitting(fmt::format("{:>7}  {}", query::score_text(pv.score),
                                                      query::san_line(position, pv.moves))) +
                           '\n';
    }
}

}  // namespace fendex::cli
