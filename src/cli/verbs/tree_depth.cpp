#include "cli/verbs/tree_depth.hpp"

#include "query/opening_tree.hpp"

namespace fendex::cli {

unsigned tree_depth(const Arguments& arguments, unsigned usual) {
    const std::uint64_t depth = arguments.number("depth").value_or(usual);
    if (depth < 1 || depth > query::kMostTreeDepth) {
        throw UsageError("--depth takes a number from 1 to " +
                         std::to_string(query::kMostTreeDepth));
    }
    return static_cast<unsigned>(depth);
}

}  // namespace fendex::cli
