// Ctrl-C (SIGINT), SIGTERM and SIGHUP while something long is done: the first one asks for an end
// that leaves everything in order; another one that comes a quarter of a second later, or more,
// ends the program at once. One object at a time.
#pragma once

#include <csignal>
#include <iterator>

namespace fendex::cli {

class StopSignal {
  public:
    /// From here on; a signal that is ignored (as `nohup` and shells without job control do) stays
    /// ignored.
    StopSignal();
    /// Signals do again what they did before.
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    /// Whether one has come. From any thread.
    static bool requested();
    /// 129, 130 or 143, as shells have it for a program that a signal has ended.
    static int exit_status();

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before_[std::size(kSignals)]{};
};

}  // namespace fendex::cli
