// A thread that reads and writes, and the connections that belong to it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <unordered_set>

#include "serve/http/answer_head.hpp"
#include "serve/http/server_state.hpp"

namespace fendex::serve {

class Connection;

/// The connections of one thread. Other threads may only call drain() and post to `context`.
class Worker {
  public:
    explicit Worker(ServerState& server);
    ~Worker() { ended_ = true; }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Runs until the server drains and all connections have ended. Calls each_look() at the start
    /// and then several times a second; prints its exceptions. Throws nothing itself: what failed
    /// for lack of memory is tried again at the next look.
    void run(const std::function<void()>& each_look = [] {});
    /// Closes idle connections now, and the others after their answers. Without this call, that
    /// happens at the next look after the server has begun to drain. Any thread.
    void drain();

    void add(Connection& connection) { connections_.insert(&connection); }
    void remove(Connection& connection);

  private:
    void begin_drain();
    void look_at_clock(const std::function<void()>& each_look);

    ServerState& server_;
    std::unordered_set<Connection*> connections_;
    bool ended_ = false;
    Clock::time_point drained_by_ = Clock::time_point::max();
    bool will_look_ = false;  // the timer is set for the next look

  public:
    boost::asio::io_context context{1};  // destroyed before what its handlers use
    HttpDate date;

  private:
    boost::asio::steady_timer timer_;
};

}  // namespace fendex::serve
