// Ctrl-C (SIGINT) and SIGTERM during a long operation: the first asks it to end in good order, the
// second ends the program at once. There is one object at a time.
#pragma once

#include <csignal>

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
    /// Returns 130 or 143, the status that shells use for a program ended by a signal.
    static int exit_status();

  private:
    struct sigaction interrupt_ {};
    struct sigaction terminate_ {};
};

}  // namespace fendex::cli
