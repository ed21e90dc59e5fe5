// What a verb says on standard error besides errors: a line of progress, rewritten at most twice a
// second, if that is a terminal that can (TERM is not "dumb"); and lines that stay, unless --quiet
// is given.
#pragma once

#include <chrono>
#include <string>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// --progress, for the verbs that show any.
Option progress_option();

class ProgressLine {
  public:
    /// Follows --progress and --quiet.
    explicit ProgressLine(const Arguments& arguments);

    /// Whether show() is to be called now; asked often.
    bool due();
    void show(const std::string& text);
    /// Takes the line away.
    void clear();
    /// Clears the line of progress and prints `line`, unless --quiet is given.
    void say(const std::string& line);

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    /// "42 %, 3:07 left, "; the share alone where it is too early to tell.
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
