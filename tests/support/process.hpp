// Other programs, run by a test: what they print, and how they end. POSIX, as everything here.
#pragma once

#include <string>
#include <vector>

namespace fendex::test {

struct Outcome {
    int status = -1;  // 128 + the signal's number where one ended it, 127 where it could not be run
    std::string out;
    std::string err;
};

struct ProcessOptions {
    std::string input;      // standard input
    std::string directory;  // to run in; empty: this one
    /// Not as root, whom no file permission stops: as user 65534 ("nobody") where the tests are.
    bool unprivileged = false;
    enum class Output {
        kKept,
        kFirstLine,  // the reader reads a line and goes away
        kNobody,     // the reader is gone before the program begins
        kFull,       // /dev/full: every write fails
    };
    Output output = Output::kKept;
};

/// Runs a program, found by its path or in $PATH and /usr/games, to its end.
Outcome run_process(const std::vector<std::string>& words, const ProcessOptions& options = {});

/// Where a program is; empty where it is not installed.
std::string find_program(const std::string& name);

/// A directory that lives as long as the test.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    /// Writes a file into it; returns its path.
    std::string write(const std::string& name, std::string_view content) const;

  private:
    std::string path_;
};

std::string read_file(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);

}  // namespace fendex::test
