// The state that all connections of a server share. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

#include "serve/http/body_budget.hpp"
#include "serve/http/guard.hpp"
#include "serve/http/metrics.hpp"
#include "serve/http/pool.hpp"
#include "serve/http/server.hpp"

namespace fendex::serve {

using Clock = std::chrono::steady_clock;

struct ServerState {
    ServerState(ServerOptions with, Service& asked);

    const ServerOptions options;
    Service& service;
    const Guard guard;
    Metrics metrics;
    BodyBudget bodies;
    std::atomic<std::size_t> connections = 0;
    std::atomic<bool> draining = false;
    Pool sums;
    Pool scans;
};

}  // namespace fendex::serve
