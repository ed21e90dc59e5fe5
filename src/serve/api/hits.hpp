// Games that reached a position, a pattern or material: what is asked, and the hits one by one.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "query/pattern_scan.hpp"
#include "serve/api/asked.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

/// What is looked for.
struct AskedHits {
    std::optional<query::Question> question;  // empty: the pattern
    std::optional<query::PositionPattern> pattern;
    bool variations = false;
    query::GameFilter filter;
    query::GameOrder order = query::GameOrder::kId;
};

/// Describes what asked_hits() reads, except for the filter and the order.
Parameters question_parameters();
/// Returns whether a question asks for a pattern or material.
bool asks_pattern(const Call& call);
/// Throws Refusal and query::FilterError. Without a question it is the start.
AskedHits asked_hits(const Call& call);

/// The hits in one database, in the order of games. Ends with a false.
using NextHit = std::function<bool(query::Hit&)>;

/// `after`: the last game that is skipped; with variations, the number of hits that are. The
/// arguments must outlive the function.
NextHit hits_in(Source& source, const AskedHits& asked, std::uint64_t after,
                const std::stop_token& stop);

}  // namespace fendex::serve::api
