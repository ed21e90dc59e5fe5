#include "base/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "base/number_of.hpp"

namespace fendex::base {

namespace {

constexpr std::size_t kUsualWidth = 80;
/// A smaller width is unreadable and probably a mistake.
constexpr std::size_t kLeastWidth = 20;

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

bool is_dumb() { return environment("TERM") == "dumb"; }

std::size_t width_of_terminal(int descriptor) {
    const auto width = number_of<std::size_t>(environment("COLUMNS"));
    if (width && *width >= kLeastWidth) return *width;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeastWidth) {
        return size.ws_col;
    }
    return kUsualWidth;
}

}  // namespace

Screen screen() {
    if (::isatty(STDOUT_FILENO) == 0) return {};
    return {width_of_terminal(STDOUT_FILENO), !is_dumb() && environment("NO_COLOR").empty()};
}

bool can_rewrite_errors() { return ::isatty(STDERR_FILENO) != 0 && !is_dumb(); }

}  // namespace fendex::base
