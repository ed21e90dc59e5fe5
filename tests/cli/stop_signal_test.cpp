// Ctrl-C during an export.
#include "cli/output/stop_signal.hpp"

#include <catch2/catch.hpp>
#include <csignal>

using fendex::cli::StopSignal;

TEST_CASE("Signals that come together are one request to stop") {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const StopSignal stop;
        CHECK_FALSE(StopSignal::requested());
        std::raise(signal);
        // Like `timeout`: the second signal must not end the program before it has tidied up.
        std::raise(signal);
        std::raise(SIGINT);
        CHECK(StopSignal::requested());
        CHECK(StopSignal::exit_status() == 128 + signal);
    }
}
