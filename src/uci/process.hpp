// A program that runs beside ours and talks in lines over pipes. Both sides of the talk have time
// limits, so that a program that hangs does not make ours hang. The program and those that it
// starts end with the object, and, on Linux, with the thread that made it, even if that is killed.
// POSIX only. SIGPIPE must be ignored. One thread at a time.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::uci {

using Clock = std::chrono::steady_clock;

/// Returns the path of a program: the name itself if it has a slash, else that of the file in
/// $PATH. Throws std::runtime_error if there is no such program.
std::string find_program(const std::string& name);

class Process {
  public:
    /// Longer lines are cut.
    static constexpr std::size_t kLongestLine = std::size_t{64} << 10;

    /// Starts the program at this path. Throws std::runtime_error if that fails.
    explicit Process(const std::string& path);
    /// Kills the program.
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// Returns false if the program has ended, or does not read until `deadline`.
    [[nodiscard]] bool write(std::string_view text, Clock::time_point deadline);

    enum class Heard { kLine, kNothing, kEnd };
    /// Waits until `deadline` for a line of its standard output. kEnd: no line will come any more.
    [[nodiscard]] Heard read_line(std::string& line, Clock::time_point deadline);
    /// Waits until `deadline` for its end. Returns whether it has ended.
    [[nodiscard]] bool wait_for_end(Clock::time_point deadline);
    /// Kills it if it has not ended, and the programs that it has started. Returns how it has
    /// ended: "it ended with status 3".
    std::string end();
    /// Returns the last lines that it wrote to standard error.
    const std::string& error_output() const { return errors_; }

  private:
    /// Closes a file descriptor.
    class Descriptor {
      public:
        explicit Descriptor(int fd = -1) : fd_(fd) {}
        Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
        Descriptor& operator=(Descriptor&& other) noexcept;
        ~Descriptor() { close(); }
        int get() const { return fd_; }
        void close();

      private:
        int release();
        int fd_;
    };
    struct Pipe {
        Descriptor read;
        Descriptor write;
    };
    static Pipe make_pipe();

    bool take_line(std::string& line);
    void read_output();
    void read_errors();

    pid_t pid_ = -1;
    bool has_ended_ = false;  // but was not waited for
    std::string how_it_ended_;
    Descriptor input_;   // what the program reads
    Descriptor output_;  // closed at its end
    Descriptor error_;
    std::string read_;         // of its output, not yet returned
    std::size_t taken_ = 0;    // the bytes of read_ that were returned
    bool is_cutting_ = false;  // the rest of a long line is dropped
    std::string errors_;
};

}  // namespace fendex::uci
