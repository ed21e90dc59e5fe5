// A thread that reads and writes, and the connections that live on it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <unordered_set>

#include "serve/http/answer_head.hpp"
#include "serve/http/server_state.hpp"

namespace fendex::serve {

class Connection;

/// A thread's share of the connections. All but post() belong to the thread that runs it.
class Worker {
  public:
    explicit Worker(ServerState& server);
    ~Worker() { ended_ = true; }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// Runs until the server drains and all connections have ended. Calls each_look() at the start
    /// and, from then on, some times a second; what it throws is printed. Throws nothing itself:
    /// what failed for want of memory is tried again at the next look.
    void run(const std::function<void()>& each_look = [] {});
    /// Any thread: closes idle connections, and the others when they have got their answers.
    /// Without this call, that happens at the next look after the server has begun to drain.
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
    bool will_look_ = false;  // when the timer has run down

  public:
    boost::asio::io_context context{1};  // destroyed before what its handlers use
    HttpDate date;

  private:
    boost::asio::steady_timer timer_;
};

}  // namespace fendex::serve
