// Runs programs and measures their time and peak memory. The kernel counts the memory of the parent
// process into a program's peak, so programs are started by a small helper process, which is forked
// before this process has grown.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fendex::bench {

struct ProgramRun {
    int exit_status = 0;  // 128 + n if signal n ended it
    double seconds = 0;
    double processor_seconds = 0;  // user and system, of all threads
    std::uint64_t peak_bytes = 0;
};

class Launcher {
  public:
    /// Forks: must be called early, before there are threads.
    Launcher();
    ~Launcher();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    /// Runs a program with its standard output and standard error redirected to these files. Throws
    /// std::runtime_error if it cannot be started.
    ProgramRun run(const std::vector<std::string>& command, const std::string& output,
                   const std::string& errors);

  private:
    int channel_ = -1;
    pid_t helper_ = -1;
};

}  // namespace fendex::bench
