// fendex serve under load: wrk asks it beside it on the same machine, and a bare Beast server in
// the same run.
#include <arpa/inet.h>
#include <fmt/core.h>
#include <signal.h>  // kill() is in no C++ header
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "bench.hpp"
#include "chess/fen.hpp"
#include "positions.hpp"
#include "support/process.hpp"

namespace fendex::bench {

namespace {

constexpr std::size_t kTargets = 20'000;
constexpr unsigned kConnections = 64;
constexpr unsigned kSlow = 200;    // connections that send a byte a second
constexpr unsigned kIdle = 1'000;  // connections that send nothing
constexpr std::uint64_t kManyRequests = 1'000'000;
constexpr double kCacheBytes = 512.0 * (1 << 20);

/// A server in a process of its own, which prints its address first and ends with this object.
class ServerProcess {
  public:
    explicit ServerProcess(std::vector<std::string> command) {
        int ends[2];
        if (::pipe(ends) != 0) throw std::runtime_error("there is no pipe");
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        ::posix_spawn_file_actions_addclose(&actions, ends[0]);
        std::vector<char*> words;
        for (std::string& word : command) words.push_back(word.data());
        words.push_back(nullptr);
        const int failed =
            ::posix_spawn(&process_, words[0], &actions, nullptr, words.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        output_ = ends[0];
        if (failed != 0) throw std::runtime_error(command[0] + " cannot be started");
        std::string line;
        for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) line += c;
        const std::size_t begin = line.find("http://");
        if (begin == std::string::npos) throw std::runtime_error(command[0] + " does not serve");
        address_ = line.substr(begin, line.find_last_of('/') - begin);
    }
    ~ServerProcess() {
        ::kill(process_, SIGTERM);
        ::waitpid(process_, nullptr, 0);
        ::close(output_);
    }
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    const std::string& address() const { return address_; }
    std::uint16_t port() const {
        return static_cast<std::uint16_t>(std::stoul(address_.substr(address_.rfind(':') + 1)));
    }
    /// The most memory that it has taken so far.
    double peak_bytes() const {
        std::ifstream status("/proc/" + std::to_string(process_) + "/status");
        for (std::string line; std::getline(status, line);) {
            if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024;
        }
        return 0;
    }

  private:
    pid_t process_ = -1;
    int output_ = -1;
    std::string address_;
};

/// Connections that are in the way of others: most are idle, some send a byte of a request's head a
/// second.
class Bystanders {
  public:
    explicit Bystanders(std::uint16_t port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        for (unsigned i = 0; i < kIdle + kSlow; ++i) {
            sockets_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
            // NOLINTNEXTLINE: the interface of sockets
            ::connect(sockets_.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        }
        sender_ = std::thread([this] {
            constexpr std::string_view kHead =
                "GET / HTTP/1.1\r\nHost: localhost\r\nX: yyyyyyyyyyyy";
            for (std::size_t i = 0; !ended_; ++i) {
                for (unsigned k = 0; k < kSlow && !ended_; ++k) {
                    ::send(sockets_[k], &kHead[i % kHead.size()], 1, MSG_NOSIGNAL);
                }
                for (int k = 0; k < 10 && !ended_; ++k) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(100));
                }
            }
        });
    }
    ~Bystanders() {
        ended_ = true;
        sender_.join();
        for (const int each : sockets_) ::close(each);
    }
    Bystanders(const Bystanders&) = delete;
    Bystanders& operator=(const Bystanders&) = delete;

  private:
    std::vector<int> sockets_;
    std::atomic<bool> ended_ = false;
    std::thread sender_;
};

struct Load {
    double requests_per_second = 0;
    double p50_ms = 0;
    double p99_ms = 0;
};

class Loader {
  public:
    explicit Loader(Bench& bench) : bench_(bench), seconds_(bench.options.runs > 1 ? 10 : 2) {}

    std::string file(const std::string& name, const std::vector<std::string>& targets) const {
        std::string path = bench_.directory.file(name);
        std::ofstream out(path);
        for (const std::string& each : targets) out << each << '\n';
        return path;
    }

    Load run(const ServerProcess& server, const std::string& targets, double seconds = 0) const {
        if (seconds <= 0) seconds = seconds_;
        const test::Outcome outcome = test::run_process(
            {"wrk", "-t1", fmt::format("-c{}", kConnections), fmt::format("-d{:.0f}s", seconds),
             "-s", FENDEX_TARGETS_LUA, server.address()},
            {.environment = {"FENDEX_TARGETS=" + targets}});
        const std::size_t at = outcome.out.find("FIGURES ");
        if (outcome.status != 0 || at == std::string::npos) {
            throw std::runtime_error("wrk failed: " + outcome.out + outcome.err);
        }
        std::istringstream figures(outcome.out.substr(at + 8));
        Load load;
        std::uint64_t errors = 0;
        figures >> load.requests_per_second >> load.p50_ms >> load.p99_ms >> errors;
        if (errors > 0) bench_.report.fail("serve", fmt::format("{} requests failed", errors));
        return load;
    }

    void report(const std::string& input, const Load& load, std::optional<Target> rate,
                std::optional<Target> p99) const {
        Report& report = bench_.report;
        report.add({"serve", input, exactly(load.requests_per_second), "requests/s", rate});
        report.add({"serve-p50", input, exactly(load.p50_ms), "ms", std::nullopt});
        report.add({"serve-p99", input, exactly(load.p99_ms), "ms", p99});
    }

  private:
    Bench& bench_;
    double seconds_;
};

std::vector<std::string> random_targets(Bench& bench) {
    std::vector<std::string> targets;
    for (const SampledPosition& each : sample_positions(bench, bench.inputs.human(), kTargets, 0)) {
        std::string fen = chess::to_fen(each.position);
        for (char& c : fen) c = c == ' ' ? '_' : c;
        targets.push_back("/lichess?moves=12&fen=" + fen);
    }
    return targets;
}

/// The start position by groups of ratings and some years. No two are the same, because answers
/// that took long are kept.
std::vector<std::string> filtered_targets() {
    constexpr const char* kRatings[] = {"1600,1800", "2000", "2200", "2200,2500", "2000,2500"};
    std::vector<std::string> targets;
    for (unsigned i = 0; i < kTargets; ++i) {
        const unsigned first = i * 7919 % 360;  // months after 1990
        const unsigned last = first + 12 + i / 360;
        const auto month = [](unsigned months) {
            return fmt::format("{}-{:02}", 1990 + months / 12, months % 12 + 1);
        };
        targets.push_back(fmt::format("/lichess?moves=12&ratings={}&since={}&until={}",
                                      kRatings[i % std::size(kRatings)], month(first),
                                      month(last)));
    }
    return targets;
}

}  // namespace

void bench_serve(Bench& bench) {
    if (test::find_program("wrk").empty()) {
        fmt::print(stderr, "serve: skipped, because wrk is not installed\n");
        return;
    }
    const Loader loader(bench);
    const std::string random = loader.file("random.txt", random_targets(bench));
    const std::string start = loader.file("start.txt", {"/lichess?moves=12"});
    const std::string filtered = loader.file("filtered.txt", filtered_targets());

    const std::string threads = std::to_string(bench.options.threads);
    Load bare;
    {
        const ServerProcess beast({FENDEX_BARE_BEAST, threads});
        bare = loader.run(beast, start);
        loader.report("bare Beast, 1.5 kB", bare, std::nullopt, std::nullopt);
    }
    const Target half = at_least(bare.requests_per_second / 2);
    const ServerProcess server({bench.options.fendex, "serve", human_database(bench), "--listen",
                                "127.0.0.1:0", "--threads", threads, "--memory", "512M"});
    const Load alone = loader.run(server, random);
    loader.report("random positions", alone, half, at_most(10));
    bench.report.add({"serve-ratio", "random positions",
                      exactly(alone.requests_per_second / bare.requests_per_second), "",
                      at_least(0.5)});
    loader.report("start position", loader.run(server, start), half, at_most(10));
    loader.report("start position, ratings and years", loader.run(server, filtered), std::nullopt,
                  at_most(150));
    {
        const Bystanders bystanders(server.port());
        loader.report("random positions, 1,200 slow clients beside", loader.run(server, random),
                      at_least(alone.requests_per_second * 0.9), at_most(10));
    }
    if (bench.options.runs > 1) {
        loader.run(server, random,
                   static_cast<double>(kManyRequests) / alone.requests_per_second + 1);
    }
    bench.report.add({"serve-memory", "random positions", exactly(server.peak_bytes()), "bytes",
                      at_most(kCacheBytes + 200.0 * (1 << 20))});
}

}  // namespace fendex::bench
