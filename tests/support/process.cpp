#include "support/process.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace fendex::test {

namespace {

constexpr unsigned kNobody = 65534;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File temporary_file() {
    File file(std::tmpfile());
    if (!file) throw std::runtime_error("no temporary file");
    return file;
}

int descriptor(const File& file) { return ::fileno(file.get()); }

std::string content_of(const File& file) {
    std::string text;
    char buffer[65536];
    std::rewind(file.get());
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) {
        text.append(buffer, n);
    }
    return text;
}

/// Reads a pipe up to the end of the first line.
std::string first_line(int pipe) {
    std::string text;
    char c = 0;
    while (::read(pipe, &c, 1) == 1) {
        text += c;
        if (c == '\n') break;
    }
    return text;
}

/// Both ends of a terminal of 24 lines that does not change what is written to it.
struct Terminal {
    int master = -1;
    int slave = -1;
};

Terminal open_terminal(unsigned short columns) {
    Terminal terminal;
    termios raw{};
    ::cfmakeraw(&raw);
    const winsize size{24, columns, 0, 0};
    if (::openpty(&terminal.master, &terminal.slave, nullptr, &raw, &size) != 0) {
        throw std::runtime_error("no pseudo-terminal");
    }
    ::fcntl(terminal.master, F_SETFD, FD_CLOEXEC);
    ::fcntl(terminal.slave, F_SETFD, FD_CLOEXEC);
    return terminal;
}

/// Reads a pipe or a terminal until its last writer is gone.
std::string everything(int descriptor) {
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
        if (n <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(n));
    }
}

/// Runs in the child process; never returns.
[[noreturn]] void execute(const std::vector<std::string>& words, const ProcessOptions& options,
                          const int (&streams)[3]) {
    for (int i = 0; i < 3; ++i) {
        if (::dup2(streams[i], i) < 0) ::_exit(127);
    }
    if (!options.directory.empty() && ::chdir(options.directory.c_str()) != 0) ::_exit(127);
    // A program that runs without rights is opened first, because the build may be in a folder that
    // only root may enter.
    const int program = options.unprivileged ? ::open(words[0].c_str(), O_PATH | O_CLOEXEC) : -1;
    if (options.unprivileged && ::geteuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
        ::_exit(127);
    }
    for (const std::string& variable : options.environment) {
        const std::size_t equals = variable.find('=');
        ::setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
    std::vector<std::string> copies = words;
    std::vector<char*> argv;
    for (std::string& word : copies) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (options.unprivileged) ::fexecve(program, argv.data(), environ);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

}  // namespace

Outcome run_process(const std::vector<std::string>& words, const ProcessOptions& options) {
    using Output = ProcessOptions::Output;
    std::vector<std::string> found = words;
    if (const std::string program = find_program(words.front()); !program.empty()) {
        found.front() = program;
    }
    const File in = temporary_file();
    std::fwrite(options.input.data(), 1, options.input.size(), in.get());
    std::fflush(in.get());
    std::rewind(in.get());
    const File out(options.output == Output::kFull ? std::fopen("/dev/full", "w") : std::tmpfile());
    const File err = temporary_file();
    if (!out) throw std::runtime_error("no file for the output");

    const bool piped = options.output == Output::kFirstLine || options.output == Output::kNobody;
    int ends[2] = {-1, -1};
    if (piped && ::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    if (options.output == Output::kNobody) ::close(ends[0]);

    Terminal terminal;
    if (options.terminal != 0) terminal = open_terminal(options.terminal);
    const bool on_terminal = terminal.slave >= 0;

    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        execute(found, options,
                {on_terminal ? terminal.slave : descriptor(in),
                 on_terminal ? terminal.slave
                 : piped     ? ends[1]
                             : descriptor(out),
                 descriptor(err)});
    }
    Outcome outcome;
    if (piped) ::close(ends[1]);
    if (options.output == Output::kFirstLine) {
        outcome.out = first_line(ends[0]);
        ::close(ends[0]);
    }
    if (on_terminal) {
        ::close(terminal.slave);
        outcome.out = everything(terminal.master);
        ::close(terminal.master);
    }
    int status = 0;
    rusage used{};
    while (::wait4(child, &status, 0, &used) < 0) {
    }
    outcome.peak_bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024;
    outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (options.output == Output::kKept && !on_terminal) outcome.out = content_of(out);
    outcome.err = content_of(err);
    return outcome;
}

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
    const char* path = std::getenv("PATH");
    std::istringstream directories(std::string(path != nullptr ? path : "") + ":/usr/games");
    for (std::string directory; std::getline(directories, directory, ':');) {
        const std::string candidate = directory + "/" + name;
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return {};
}

TemporaryDirectory::TemporaryDirectory()
    : path_((std::filesystem::temp_directory_path() / "fendex-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary directory");
}

TemporaryDirectory::~TemporaryDirectory() {
    ::chmod(path_.c_str(), 0700);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::write(const std::string& name, std::string_view content) const {
    const std::string path = *this / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
    return path;
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string content;
    std::string piece(1 << 16, '\0');
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
           file.gcount() > 0) {
        content.append(piece, 0, static_cast<std::size_t>(file.gcount()));
    }
    return content;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace fendex::test
