#include "cli/output/progress_line.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <iostream>

#include "base/screen.hpp"

namespace fendex::cli {

std::string clock_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::lround(seconds));
    if (whole >= 3600) {
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    }
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

Option progress_option() {
    Option progress = choice("progress", {"auto", "never"},
                             "show progress on standard error, if that is a terminal");
    progress.noted = false;
    return progress;
}

ProgressLine::ProgressLine(const Arguments& arguments)
    : quiet_(arguments.has("quiet")),
      visible_(!quiet_ && arguments.find("progress") == "auto" && base::can_rewrite_errors()) {}

bool ProgressLine::due() {
    if (!visible_ || Clock::now() - last_ < std::chrono::milliseconds(500)) return false;
    last_ = Clock::now();
    return true;
}

void ProgressLine::show(const std::string& text) {
    std::cerr << "\r\x1b[K" + text;
    shown_ = true;
}

void ProgressLine::clear() {
    if (shown_) std::cerr << "\r\x1b[K";
    shown_ = false;
}

void ProgressLine::say(const std::string& line) {
    clear();
    if (!quiet_) std::cerr << line + '\n';
}

std::string ProgressLine::share_text(double share) const {
    std::string text = fmt::format("{:.0f} %, ", 100 * share);
    if (share > 0.01) text += clock_text(seconds() / share * (1 - share)) + " left, ";
    return text;
}

}  // namespace fendex::cli
