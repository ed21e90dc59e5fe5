// Ctrl-C (SIGINT), SIGTERM and SIGHUP during a long operation: the first asks it to end in good
// order; another one, at least a quarter of a second later, ends the program at once. Only one
// StopSignal may exist at a time.
#pragma once

#include <csignal>
#include <iterator>

namespace fendex::cli {

class StopSignal {
  public:
    /// Installs the handlers. A signal that is ignored, as by `nohup` and shells without job
    /// control, stays ignored.
    StopSignal();
    /// Restores the previous handlers.
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    /// Returns whether a signal has arrived. Any thread may call it.
    static bool requested();
    /// Returns 129, 130 or 143, the status that shells use for a program ended by a signal.
    static int exit_status();

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before_[std::size(kSignals)]{};
};

}  // namespace fendex::cli
