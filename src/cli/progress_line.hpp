// A line of progress on standard error, rewritten at most twice a second; nothing where that is no
// terminal.
#pragma once

#include <chrono>
#include <string>

namespace fendex::cli {

class ProgressLine {
  public:
    ProgressLine();

    /// Whether show() is to be called now; asked often.
    bool due();
    void show(const std::string& text);
    /// Takes the line away.
    void clear();

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    /// "42 %, 3:07 left, "; the share alone where it is too early to tell.
    std::string share_text(double share) const;

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = Clock::now();
    bool terminal_;
    bool shown_ = false;
};

}  // namespace fendex::cli
