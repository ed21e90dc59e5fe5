// Runs other programs: their output and how they end. POSIX only, like the tests.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fendex::test {

struct Outcome {
    // Exit status; 128 + signal number if a signal ended it, 127 if it could not be run.
    int status = -1;
    std::string out;
    std::string err;
    /// The most memory that it took at a time; at least what the tests took when they started it.
    std::size_t peak_bytes = 0;
};

struct ProcessOptions {
    std::string input = {};      // standard input
    std::string directory = {};  // working directory; empty: the current one
    /// If the tests run as root, who may open any file, runs the program as user 65534 ("nobody").
    bool unprivileged = false;
    enum class Output {
        kKept,
        kFirstLine,  // the reader reads a line and closes the pipe
        kNobody,     // the reader closes the pipe before the program starts
        kFull,       // /dev/full: every write fails
    };
    Output output = Output::kKept;
    /// Columns of a pseudo-terminal for standard input and output; 0: no terminal.
    unsigned short terminal = 0;
    std::vector<std::string> environment = {};  // added to that of the tests: "TERM=dumb"
};

/// Runs a program, found by its path or in $PATH and /usr/games, until it ends.
Outcome run_process(const std::vector<std::string>& words, const ProcessOptions& options = {});

/// Path of a program; empty if it is not installed.
std::string find_program(const std::string& name);

/// A directory that is removed when the object is destroyed.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    /// Writes a file into it and returns its path.
    std::string write(const std::string& name, std::string_view content) const;

  private:
    std::string path_;
};

/// The path of a file in a directory of its own, which is removed when the object is destroyed.
class TemporaryFile : private TemporaryDirectory, public std::string {
  public:
    explicit TemporaryFile(const std::string& name)
        : std::string(static_cast<const TemporaryDirectory&>(*this) / name) {}

    operator std::filesystem::path() const { return static_cast<const std::string&>(*this); }
    /// Writes another file into its directory and returns the path of that.
    std::string write_beside(const std::string& name, std::string_view content) const {
        return write(name, content);
    }
};

std::string read_file(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);

}  // namespace fendex::test
