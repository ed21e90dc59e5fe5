// Splits the target of a request, "/games/17?moves=e4+e5", into its parts. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http/request.hpp"

namespace fendex::serve {

struct Target {
    std::vector<std::string> path;
    std::vector<Parameter> parameters;
};

/// Returns the text with %XX as bytes; nullopt if an escape is malformed or stands for the byte 0.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);
/// Decodes the name or the value of "name=value" after "?". Decodes "+" as a blank, else like
/// percent_decoded().
[[nodiscard]] std::optional<std::string> query_decoded(std::string_view text);

/// Splits a target into the parts of its path and its parameters, and decodes them. An empty part
/// at the end of a path is dropped. Returns nullopt if an escape is malformed.
[[nodiscard]] std::optional<Target> parse_target(std::string_view target);

/// Splits the target that a client sends to a proxy, "http://host:9002/games", into "host:9002" and
/// "/games". For other targets `authority` is empty and `target` is all of it.
struct SplitTarget {
    std::string_view authority;
    std::string_view target;
};
[[nodiscard]] SplitTarget split_authority(std::string_view target);

/// Returns a target without its parameters.
[[nodiscard]] inline std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

}  // namespace fendex::serve
