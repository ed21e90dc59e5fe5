// A client's connection: requests arrive on it one after the other, each is answered, and time
// limits hold for all of it. It lives on one worker, whose thread alone uses it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/http/exchange.hpp"
#include "serve/http/worker.hpp"

namespace fendex::serve {

class Connection : public std::enable_shared_from_this<Connection> {
  public:
    enum class Welcome { kServed, kTurnedAway };

    /// Any thread. A client that is turned away gets a refusal as answer to its first request.
    Connection(ServerState& server, Worker& worker, boost::asio::ip::tcp::socket socket,
               const boost::asio::ip::address& client, Welcome welcome);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start();
    /// Acts on time limits that have passed.
    void look_at_clock(Clock::time_point now);
    /// Closes if no request is on its way, otherwise after its answer.
    void drain();
    void close();

  private:
    enum class State {
        kIdle,      // between requests
        kArriving,  // a request has begun
        kWorking,   // its answer is worked out
        kWriting,   // its answer, or a piece of it, is sent
        kParting,   // all is said; what the client still sends is dropped
        kClosed,
    };
    using Error = boost::system::error_code;

    class Return;

    /// Makes a step. If it fails, as for want of memory, the connection is closed.
    template <typename Step>
    void guarded(Step step);
    void begin();
    void enter(State state, std::chrono::milliseconds limit);
    void read();
    void on_read(const Error& error, std::size_t bytes);

    /// Continues with what has arrived.
    void advance();
    /// Returns whether the request has arrived. If not, it waits for more or has refused it.
    bool parse();
    /// Returns why parsing cannot go on; nullopt: it can, when more bytes are there.
    [[nodiscard]] std::optional<Refusal> wrong_with(const Error& error) const;
    void on_head();

    void plan();
    void run_in_pool(void (Job::*step)(), void (Connection::*then)());
    void pull();
    void on_run();
    void on_pulled();
    /// Answers, and then closes the connection: it is not known where the next request begins.
    void refuse(const Refusal& why);
    /// Looks for the page that asked, which may read the refusal, if the head was not read so far.
    void search_head();
    [[nodiscard]] std::chrono::milliseconds patience(std::chrono::milliseconds usual) const;
    void answer(Answer answer);

    void write();
    void on_written();
    void end_request();
    void part();

    ServerState& server_;
    Worker& worker_;
    boost::asio::ip::tcp::socket socket_;
    const Peer peer_;
    const Welcome welcome_;
    State state_ = State::kIdle;
    Clock::time_point deadline_{};
    bool reading_ = false;
    bool keep_alive_ = true;

    std::vector<char> chunk_;       // bytes are read into it
    boost::beast::flat_buffer in_;  // bytes that have been read and not parsed yet
    std::size_t head_bytes_ = 0;    // of the head that arrives, those that were parsed
    std::size_t dropped_bytes_ = 0;

    std::optional<Exchange> exchange_;
    std::shared_ptr<Job> job_;
    bool answering_ = false;  // the answer's head has been sent, or tried to
    std::string out_head_;
    std::string out_body_;
    std::size_t written_ = 0;  // of both together
};

}  // namespace fendex::serve
