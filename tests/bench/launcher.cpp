#include "launcher.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace fendex::bench {

namespace {

/// The reply of the helper process, in one message.
struct Reply {
    ProgramRun run;
    int spawn_error = 0;
};

constexpr std::size_t kMaxRequest = 64 * 1024;

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// `words` are the files for standard output and standard error, then the command.
Reply run_program(std::vector<std::string>& words) {
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    for (const int fd : {1, 2}) {
        ::posix_spawn_file_actions_addopen(&files, fd,
                                           words[static_cast<std::size_t>(fd) - 1].c_str(),
                                           O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    std::vector<char*> arguments;
    for (std::size_t i = 2; i < words.size(); ++i) arguments.push_back(words[i].data());
    arguments.push_back(nullptr);

    Reply reply;
    pid_t pid = -1;
    const auto start = std::chrono::steady_clock::now();
    reply.spawn_error =
        ::posix_spawn(&pid, arguments[0], &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (reply.spawn_error != 0) return reply;
    int status = 0;
    struct rusage usage {};
    while (::wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    reply.run.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    reply.run.processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    reply.run.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    reply.run.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return reply;
}

/// The helper's loop: reads requests and sends replies until the other end is closed.
void serve(int channel) {
    std::string request(kMaxRequest, '\0');
    while (true) {
        const ssize_t n = ::recv(channel, request.data(), request.size(), 0);
        if (n <= 0) return;
        std::vector<std::string> words;
        for (const char* p = request.data(); p < request.data() + n; p += words.back().size() + 1) {
            words.emplace_back(p);
        }
        const Reply reply = run_program(words);
        if (::send(channel, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply) return;
    }
}

}  // namespace

Launcher::Launcher() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        throw std::runtime_error(std::string("socketpair: ") + std::strerror(errno));
    }
    channel_ = ends[0];
    helper_ = ::fork();
    if (helper_ < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    if (helper_ == 0) {
        ::close(ends[0]);
        serve(ends[1]);
        ::_exit(0);
    }
    ::close(ends[1]);
}

Launcher::~Launcher() {
    ::close(channel_);
    int status = 0;
    ::waitpid(helper_, &status, 0);
}

ProgramRun Launcher::run(const std::vector<std::string>& command, const std::string& output,
                         const std::string& errors) {
    std::string request;
    for (const std::string* word : {&output, &errors}) request += *word + '\0';
    for (const std::string& word : command) request += word + '\0';
    Reply reply;
    if (request.size() > kMaxRequest ||
        ::send(channel_, request.data(), request.size(), MSG_NOSIGNAL) !=
            static_cast<ssize_t>(request.size()) ||
        ::recv(channel_, &reply, sizeof reply, 0) != sizeof reply) {
        throw std::runtime_error("the helper that starts programs is gone");
    }
    if (reply.spawn_error != 0) {
        throw std::runtime_error(command.front() + ": " + std::strerror(reply.spawn_error));
    }
    return reply.run;
}

}  // namespace fendex::bench
