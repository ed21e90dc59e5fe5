// Entity tags, by which a client asks whether its copy of an answer is still valid. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "serve/http/content_coding.hpp"

namespace fendex::serve {

/// Returns the tag, with its quotes, of the answer to a request. `version` is the task's; `target`
/// and `accept` are the request's.
[[nodiscard]] std::string entity_tag(std::string_view version, std::string_view target,
                                     std::string_view accept, const Coding& coding);

/// Returns whether the header If-None-Match, a list of tags or "*", has the tag.
[[nodiscard]] bool has_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace fendex::serve
