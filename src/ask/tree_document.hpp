// The tree of a position, as a document.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "ask/given.hpp"
#include "ask/questions.hpp"
#include "ask/rows.hpp"
#include "ask/sources.hpp"
#include "base/json.hpp"
#include "query/opening_tree.hpp"

namespace fendex::ask {

struct TreeQuestion {
    chess::AnyPosition position;
    chess::Variant variant = chess::Variant::kStandard;  // of the position; may be Chess960
    query::TreeOptions options;
    std::optional<std::uint64_t> most_moves;
    chess::FenDialect dialect = chess::FenDialect::kStandard;
    store::GameFilter filter;
};

/// The fields of tree_question() besides the filter.
[[nodiscard]] Fields tree_fields();
/// Throws QuestionError and store::FilterError.
[[nodiscard]] TreeQuestion tree_question(const Given& given);

/// Adds the members of the tree. The sources must have the question's filter.
void add_tree(Sources& sources, const TreeQuestion& question, const RowStyle& style,
              json::Object& object, const std::stop_token& stop = {});

}  // namespace fendex::ask
