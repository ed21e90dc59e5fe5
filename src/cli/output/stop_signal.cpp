#include "cli/output/stop_signal.hpp"

#include <atomic>

namespace fendex::cli {

namespace {

std::atomic<int> g_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

/// Notes the signal; the next one ends the program.
void note(int signal) {
    g_signal = signal;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

/// Without SA_RESTART, so that a blocked system call returns.
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
    install(SIGINT, interrupt_);
    install(SIGTERM, terminate_);
}

StopSignal::~StopSignal() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGTERM, &terminate_, nullptr);
}

bool StopSignal::requested() { return g_signal != 0; }

int StopSignal::exit_status() { return 128 + g_signal; }

}  // namespace fendex::cli
