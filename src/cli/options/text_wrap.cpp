#include "cli/options/text_wrap.hpp"

#include <algorithm>

#include "base/display_width.hpp"

namespace fendex::cli {

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
    constexpr std::string_view kBlanks = " \n";
    std::string out;
    std::size_t column = indent;
    for (std::size_t begin = text.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const std::size_t size = base::display_width(word);
        if (!out.empty() && column + 1 + size > width) {
            out.append("\n").append(indent, ' ');
            column = indent;
        } else if (!out.empty()) {
            out += ' ';
            ++column;
        }
        out += word;
        column += size;
        begin = text.find_first_not_of(kBlanks, end);
    }
    return out;
}

}  // namespace fendex::cli
