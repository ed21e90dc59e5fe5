// The names that a filter's conditions on players leave out, although they may be spellings of the
// names that it takes: a question of its own, and a member of the answers to other questions.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "ask/schema.hpp"
#include "ask/sources.hpp"
#include "base/json.hpp"
#include "query/alike_names.hpp"

namespace fendex::ask {

/// Returns the names that the filter of the sources leaves out.
[[nodiscard]] std::vector<query::AlikeName> alike_names(Sources& sources,
                                                        const std::stop_token& stop = {});
/// Adds them as the member `alike`, unless there are none.
void add_alike(std::span<const query::AlikeName> names, json::Object& object);
/// Describes this member.
[[nodiscard]] Members alike_member();

}  // namespace fendex::ask
