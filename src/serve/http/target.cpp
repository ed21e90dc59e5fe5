#include "serve/http/target.hpp"

#include <algorithm>

#include "base/cut.hpp"
#include "base/number_of.hpp"

namespace fendex::serve {

namespace {

/// Returns the byte of the two hex digits at `at`. Returns 0, which callers treat as an error, if
/// they are not digits.
char escaped_byte(std::string_view text, std::size_t at) {
    if (text.size() < at + 2) return '\0';
    return static_cast<char>(base::number_of<unsigned>(text.substr(at, 2), 16).value_or(0));
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        const char byte = escaped_byte(text, i + 1);
        if (byte == '\0') return std::nullopt;
        decoded += byte;
        i += 2;
    }
    return decoded;
}

std::optional<std::string> query_decoded(std::string_view text) {
    if (text.find('+') == std::string_view::npos) return percent_decoded(text);
    std::string blanks(text);
    std::ranges::replace(blanks, '+', ' ');
    return percent_decoded(blanks);
}

std::optional<Target> parse_target(std::string_view target) {
    Target parsed;
    target = target.substr(0, target.find('#'));
    std::string_view path = path_of(target);
    std::string_view query = target.substr(std::min(path.size() + 1, target.size()));
    while (!path.empty()) {
        path.remove_prefix(path.front() == '/' ? 1 : 0);
        const std::string_view part = path.substr(0, path.find('/'));
        path.remove_prefix(part.size());
        if (part.empty() && path.empty()) break;
        std::optional<std::string> decoded = percent_decoded(part);
        if (!decoded) return std::nullopt;
        parsed.path.push_back(std::move(*decoded));
    }
    while (!query.empty()) {
        std::string_view value = base::cut(query, '&');
        if (value.empty()) continue;
        std::optional<std::string> decoded_name = query_decoded(base::cut(value, '='));
        std::optional<std::string> decoded_value = query_decoded(value);
        if (!decoded_name || !decoded_value) return std::nullopt;
        parsed.parameters.push_back({std::move(*decoded_name), std::move(*decoded_value)});
    }
    return parsed;
}

SplitTarget split_authority(std::string_view target) {
    const std::size_t scheme = target.find("://");
    if (target.starts_with('/') || scheme == std::string_view::npos) return {{}, target};
    target.remove_prefix(scheme + 3);
    const std::size_t end = std::min(target.find_first_of("/?"), target.size());
    return {target.substr(0, end), end == target.size() ? "/" : target.substr(end)};
}

}  // namespace fendex::serve
