// Messages on standard error besides errors: a line of progress, rewritten at most twice a second,
// if standard error is a terminal that can do so (TERM is not "dumb"); and lines that stay, unless
// --quiet is given.
#pragma once

#include <chrono>
#include <string>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

Option progress_option();

/// Returns a time as "3:07" or "1:03:07".
std::string clock_text(double seconds);

class ProgressLine {
  public:
    /// Obeys --progress and --quiet.
    explicit ProgressLine(const Arguments& arguments);

    /// Returns whether it is time to call show(). Cheap.
    bool due();
    void show(const std::string& text);
    /// Removes the line.
    void clear();
    /// Clears the line of progress and prints `line`, unless --quiet is given.
    void say(const std::string& line);

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    /// Returns "42 %, 3:07 left, ", or only the share if it is too early to estimate the time.
    std::string share_text(double share) const;

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = Clock::now();
    bool quiet_;
    bool visible_;
    bool shown_ = false;
};

}  // namespace fendex::cli
