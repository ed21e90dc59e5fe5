// Games that reached a position, a pattern or material: reads the question of a request and returns
// the hits one by one.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "query/pattern_scan.hpp"
#include "serve/api/requests.hpp"
#include "serve/api/sources.hpp"

namespace fendex::serve::api {

/// What a request searches for.
struct HitsRequest {
    std::optional<query::Question> question;  // empty: the pattern
    std::optional<query::PositionPattern> pattern;
    bool variations = false;
    query::GameFilter filter;
    query::GameOrder order = query::GameOrder::kId;
};

/// Describes what hits_request() reads, except for the filter and the order.
Parameters question_parameters();
/// Returns whether a question asks for a pattern or material.
bool asks_pattern(const Call& call);
/// Reads the question of a request, by default the start. Throws Refusal and query::FilterError.
HitsRequest hits_request(const Call& call);

/// Sets the next hit in one database, in the order of games. Returns false after the last.
using NextHit = std::function<bool(query::Hit&)>;

/// Returns the hits in a database. `after` is the last game to skip or, with variations, the number
/// of hits to skip. The arguments must outlive the returned function.
NextHit hits_in(Source& source, const HitsRequest& asked, std::uint64_t after,
                const std::stop_token& stop);

}  // namespace fendex::serve::api
