#include "serve/http/entity_tag.hpp"

#include <charconv>

#include "base/checksum.hpp"

namespace fendex::serve {

std::string entity_tag(std::string_view version, std::string_view target, std::string_view accept,
                       const Coding& coding) {
    std::uint64_t sum = base::checksum_seed({coding.gzip, coding.near});
    for (const std::string_view text : {version, target, accept}) {
        sum = base::checksum_seed(
            {sum, text.size(), base::checksum(text, sum), base::checksum(text, ~sum)});
    }
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, sum, 16).ptr;
    return '"' + std::string(digits, end) + '"';
}

bool has_tag(std::string_view if_none_match, std::string_view tag) {
    // A tag has quotes only at its ends, so a substring suffices. W/ before a tag does not matter.
    return if_none_match == "*" || if_none_match.find(tag) != std::string_view::npos;
}

}  // namespace fendex::serve
