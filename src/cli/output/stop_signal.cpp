#include "cli/output/stop_signal.hpp"

#include <atomic>
#include <cstdint>
#include <ctime>

namespace fendex::cli {

namespace {

/// Signals within this time count as one request: some programs, such as `timeout`, signal a
/// process and then its group.
constexpr std::int64_t kOneRequestNs = 250'000'000;

std::atomic<int> g_signal = 0;
std::atomic<std::int64_t> g_first_ns = 0;  // time of the first signal, by the monotonic clock
static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// Notes the first signal; a later one ends the program.
void note(int signal) {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    std::int64_t first = 0;
    if (g_first_ns.compare_exchange_strong(first, ns)) {
        g_signal = signal;
    } else if (ns - first > kOneRequestNs) {
        static_cast<void>(std::signal(signal, SIG_DFL));
        static_cast<void>(std::raise(signal));
    }
}

/// Installs the handler without SA_RESTART, so that a blocked system call returns.
void install(int signal, struct sigaction& before) {
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) return;
    struct sigaction action {};
    action.sa_handler = note;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() {
    g_signal = 0;
    g_first_ns = 0;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) install(kSignals[i], before_[i]);
}

StopSignal::~StopSignal() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        ::sigaction(kSignals[i], &before_[i], nullptr);
    }
}

bool StopSignal::requested() { return g_signal != 0; }

int StopSignal::exit_status() { return 128 + g_signal; }

}  // namespace fendex::cli
