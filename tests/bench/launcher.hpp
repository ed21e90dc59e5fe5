// Runs programs and measures them: seconds, and the peak of their memory. The kernel counts the
// memory of the process that starts a program into that program's peak, so a small process, split
// off before this one has grown, does the starting.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fendex::bench {

struct ProgramRun {
    int exit_status = 0;  // 128 + n where signal n ended it
    double seconds = 0;
    std::uint64_t peak_bytes = 0;
};

class Launcher {
  public:
    /// Forks: to be called early, and before there are threads.
    Launcher();
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    /// Runs a program with its standard output and standard error going to these files. Throws
    /// std::runtime_error where it cannot be started.
    ProgramRun run(const std::vector<std::string>& command, const std::string& output,
                   const std::string& errors);

  private:
    int channel_ = -1;
    pid_t helper_ = -1;
};

}  // namespace fendex::bench
