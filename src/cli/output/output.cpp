#include "cli/output/output.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <iostream>
#include <stdexcept>

#include "base/display_width.hpp"
#include "base/error_text.hpp"
#include "cli/options/text_wrap.hpp"

namespace fendex::cli {

void Output::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty()) {
        const ssize_t n = ::write(STDOUT_FILENO, rest.data(), rest.size());
        if (n < 0) {
            if (errno == EINTR) continue;
            if (errno == EPIPE) throw BrokenPipe{};
            throw std::runtime_error("cannot write to standard output: " + base::error_text(errno));
        }
        rest.remove_prefix(static_cast<std::size_t>(n));
    }
    buffer_.clear();
}

std::string Output::fitting(const std::string& line) const {
    return screen_.width == 0 ? line : base::cut_end(line, screen_.width);
}

std::string Output::in_lines(const std::string& text, std::size_t indent) const {
    return screen_.width == 0 ? text : wrapped(text, screen_.width, indent);
}

std::string grouped(std::uint64_t number) {
    std::string out = std::to_string(number);
    for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
    return out;
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
    std::string text = grouped(number) + ' ';
    if (number != 1 && !many.empty()) return text.append(many);
    text += one;
    return number == 1 ? text : text + 's';
}

std::string score_text(double percent) { return fmt::format("{:.1f} %", percent); }

std::string more_line(std::uint64_t count, std::string_view one) {
    return "... and " + counted(count, "more " + std::string(one)) + " (--limit N, --offset N)\n";
}

}  // namespace fendex::cli
