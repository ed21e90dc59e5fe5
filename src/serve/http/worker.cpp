#include "serve/http/worker.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <exception>

#include "serve/http/connection.hpp"

namespace fendex::serve {

namespace {

/// Returns the time between two looks at the connections, which suits the shortest time limit.
std::chrono::milliseconds clock_step(const ServerOptions& options) {
    const auto shortest = std::min({options.arrival, options.idle, options.work, options.drain});
    return std::clamp(shortest / 4, std::chrono::milliseconds{5}, std::chrono::milliseconds{500});
}

}  // namespace

Worker::Worker(ServerState& server) : server_(server), timer_(context) {}

void Worker::run(const std::function<void()>& each_look) {
    for (;;) {
        try {
            if (!will_look_) look_at_clock(each_look);
            context.run();
            return;
        } catch (const std::exception& error) {
            // For example std::bad_alloc. The connection has lost its handler, so it ends.
            std::fprintf(stderr, "fendex: a connection failed: %s\n", error.what());
        } catch (...) {
            std::fputs("fendex: a connection failed\n", stderr);
        }
    }
}

void Worker::drain() {
    boost::asio::post(context, [this] { begin_drain(); });
}

void Worker::begin_drain() {
    if (drained_by_ != Clock::time_point::max()) return;
    drained_by_ = Clock::now() + server_.options.drain;
    for (auto each = connections_.begin(); each != connections_.end();) (*each++)->drain();
    timer_.cancel();
}

void Worker::remove(Connection& connection) {
    connections_.erase(&connection);
    if (connections_.empty() && server_.draining && !ended_) timer_.cancel();
}

void Worker::look_at_clock(const std::function<void()>& each_look) {
    will_look_ = false;
    const auto look_again = [&] {
        timer_.expires_after(clock_step(server_.options));
        timer_.async_wait(
            [this, &each_look](const boost::system::error_code&) { look_at_clock(each_look); });
        will_look_ = true;
    };
    try {
        if (server_.draining) begin_drain();
        const Clock::time_point now = Clock::now();
        for (auto each = connections_.begin(); each != connections_.end();) {
            Connection& connection = **each++;
            now > drained_by_ ? connection.close() : connection.look_at_clock(now);
        }
        if (server_.draining && connections_.empty()) return;
        each_look();
    } catch (...) {
        look_again();
        throw;
    }
    look_again();
}

}  // namespace fendex::serve
