#include "uci/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/error_text.hpp"

namespace fendex::uci {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kKeptErrorBytes = 1000;

[[noreturn]] void throw_error(const std::string& what, int error) {
    throw std::runtime_error(what + ": " + base::error_text(error));
}

/// Returns the milliseconds until a time, for poll().
int until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

/// In the new process: makes it a group of its own, so that Ctrl-C on the terminal reaches only our
/// program, and everything that it starts can be killed. Calls only what may be called after a
/// fork() of a program with threads.
void become_program(const char* path, const std::array<int, 3>& streams, pid_t parent, int report) {
    static_cast<void>(::setpgid(0, 0));
#ifdef __linux__
    static_cast<void>(::prctl(PR_SET_PDEATHSIG, SIGKILL));
    if (::getppid() != parent) ::_exit(127);
#else
    static_cast<void>(parent);
#endif
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP}) {
        static_cast<void>(::signal(signal, SIG_DFL));
    }
    sigset_t none;
    ::sigemptyset(&none);
    static_cast<void>(::sigprocmask(SIG_SETMASK, &none, nullptr));
    for (int stream = 0; stream < 3; ++stream) {
        if (::dup2(streams[static_cast<std::size_t>(stream)], stream) < 0) break;
    }
    const char* const words[] = {path, nullptr};
    ::execv(path, const_cast<char* const*>(words));
    const int error = errno;
    static_cast<void>(!::write(report, &error, sizeof error));
    ::_exit(127);
}

}  // namespace

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        if (is_program(name)) return name;
        throw_error("'" + name + "'", errno);
    }
    const char* const path = std::getenv("PATH");
    std::string_view folders = path == nullptr ? "" : path;
    while (!folders.empty() && !name.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        std::string file = std::string(folders.substr(0, end)) + "/" + name;
        if (end != 0 && is_program(file)) return file;
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    throw std::runtime_error("'" + name + "': there is no such program in $PATH");
}

Process::Descriptor& Process::Descriptor::operator=(Descriptor&& other) noexcept {
    close();
    fd_ = other.release();
    return *this;
}

void Process::Descriptor::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

int Process::Descriptor::release() { return std::exchange(fd_, -1); }

Process::Pipe Process::make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw_error("no pipe", errno);
    Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
    // dup2() onto itself would leave a descriptor that is closed by exec.
    for (Descriptor* const each : {&pipe.read, &pipe.write}) {
        if (each->get() > 2) continue;
        const int higher = ::fcntl(each->get(), F_DUPFD_CLOEXEC, 3);
        if (higher < 0) throw_error("no pipe", errno);
        *each = Descriptor(higher);
    }
    return pipe;
}

Process::Process(const std::string& path) {
    Pipe input = make_pipe();
    Pipe output = make_pipe();
    Pipe error = make_pipe();
    Pipe report = make_pipe();
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw_error("'" + path + "' cannot be started", errno);
    if (pid_ == 0) {
        become_program(path.c_str(), {input.read.get(), output.write.get(), error.write.get()},
                       parent, report.write.get());
    }
    static_cast<void>(::setpgid(pid_, pid_));  // whoever comes first
    input_ = std::move(input.write);
    output_ = std::move(output.read);
    error_ = std::move(error.read);
    report.write.close();
    for (const Descriptor* const each : {&input_, &output_, &error_}) {
        static_cast<void>(::fcntl(each->get(), F_SETFL, O_NONBLOCK));
    }
    int failure = 0;
    ssize_t size = 0;
    do {
        size = ::read(report.read.get(), &failure, sizeof failure);
    } while (size < 0 && errno == EINTR);
    if (size == sizeof failure) {
        end();
        throw_error("'" + path + "' cannot be started", failure);
    }
}

Process::~Process() { end(); }

bool Process::write(std::string_view text, Clock::time_point deadline) {
    while (!text.empty()) {
        const ssize_t size = ::write(input_.get(), text.data(), text.size());
        if (size > 0) {
            text.remove_prefix(static_cast<std::size_t>(size));
        } else if (errno == EAGAIN) {
            if (Clock::now() >= deadline) return false;
            pollfd waits{input_.get(), POLLOUT, 0};
            static_cast<void>(::poll(&waits, 1, until(deadline)));
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool Process::take_line(std::string& line) {
    const std::size_t end = read_.find('\n', taken_);
    if (end != std::string::npos) {
        const bool was_cut = std::exchange(is_cutting_, false);
        if (!was_cut) line.assign(read_, taken_, end - taken_);
        taken_ = end + 1;
        if (was_cut) return take_line(line);
        if (line.ends_with('\r')) line.pop_back();
        return true;
    }
    read_.erase(0, std::exchange(taken_, 0));
    if (is_cutting_) {
        read_.clear();
    } else if (read_.size() >= kLongestLine) {
        line = std::move(read_);
        read_.clear();
        is_cutting_ = true;
        return true;
    }
    return false;
}

void Process::read_output() {
    char bytes[16 * 1024];
    const ssize_t size = ::read(output_.get(), bytes, sizeof bytes);
    if (size > 0) {
        read_.append(bytes, static_cast<std::size_t>(size));
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        output_.close();
        if (!read_.empty() && !read_.ends_with('\n')) read_ += '\n';
    }
}

void Process::read_errors() {
    char bytes[4 * 1024];
    const ssize_t size = ::read(error_.get(), bytes, sizeof bytes);
    if (size > 0) {
        errors_.append(bytes, static_cast<std::size_t>(size));
        if (errors_.size() > kKeptErrorBytes) errors_.erase(0, errors_.size() - kKeptErrorBytes);
    } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
        error_.close();
    }
}

Process::Heard Process::read_line(std::string& line, Clock::time_point deadline) {
    while (true) {
        if (take_line(line)) return Heard::kLine;
        if (output_.get() < 0) return Heard::kEnd;
        // poll() ignores descriptors below 0.
        pollfd waits[2] = {{output_.get(), POLLIN, 0}, {error_.get(), POLLIN, 0}};
        const int ready = ::poll(waits, 2, until(deadline));
        if (ready > 0) {
            if (waits[1].revents != 0) read_errors();
            if (waits[0].revents != 0) read_output();
        } else if (Clock::now() >= deadline || (ready < 0 && errno == EINTR)) {
            return Heard::kNothing;
        }
    }
}

bool Process::wait_for_end(Clock::time_point deadline) {
    while (!has_ended_) {
        // Its number stays its own until end() waits for it.
        siginfo_t info{};
        const int waited =
            ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
        has_ended_ = waited == 0 ? info.si_pid == pid_ : errno != EINTR;
        if (has_ended_) break;
        if (Clock::now() >= deadline) return false;
        // It may wait until somebody reads what it writes.
        std::string line;
        const auto soon = std::min(deadline, Clock::now() + milliseconds(20));
        if (read_line(line, soon) == Heard::kEnd) std::this_thread::sleep_for(milliseconds(1));
    }
    return true;
}

std::string Process::end() {
    if (pid_ <= 0) return how_it_ended_;
    const bool by_itself = wait_for_end(Clock::now());
    static_cast<void>(::kill(-pid_, SIGKILL));  // also those that it started
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    if (!by_itself) {
        how_it_ended_ = "it was killed";
    } else if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        how_it_ended_ =
            "it was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
    } else {
        how_it_ended_ = "it ended with status " + std::to_string(WEXITSTATUS(status));
    }
    return how_it_ended_;
}

}  // namespace fendex::uci
