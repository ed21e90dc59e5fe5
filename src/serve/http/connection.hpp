// A client's connection. Requests arrive on it one after the other; each is answered within time
// limits. It belongs to one worker, and only the thread of that worker uses it.
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

    /// A client that is turned away gets a refusal as the answer to its first request. Any thread.
    Connection(ServerState& server, Worker& worker, boost::asio::ip::tcp::socket socket,
               const boost::asio::ip::address& client, Welcome welcome);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start();
    /// Refuses, stops or closes if the time limit of the current state has passed.
    void look_at_clock(Clock::time_point now);
    /// Closes the connection: at once if it is idle, otherwise after the current answer.
    void drain();
    void close();

  private:
    enum class State {
        kIdle,      // between requests
        kArriving,  // a request has begun
        kWorking,   // its answer is computed
        kWriting,   // its answer, or a piece of it, is sent
        kParting,   // answered; what the client still sends is dropped
        kClosed,
    };
    using Error = boost::system::error_code;

    class Return;

    /// Runs a step. If it throws, for example for lack of memory, closes the connection and
    /// rethrows.
    template <typename Step>
    void guarded(Step step);
    void begin();
    void enter(State state, std::chrono::milliseconds limit);
    void read();
    void on_read(const Error& error, std::size_t bytes);

    /// Parses the bytes that have arrived.
    void advance();
    /// Returns whether the whole request has arrived. If not, waits for more bytes, or has refused
    /// the request.
    bool parse();
    /// Returns why the request must be refused; nullopt if parsing can go on with more bytes.
    [[nodiscard]] std::optional<Refusal> wrong_with(const Error& error) const;
    void on_head();

    void plan();
    void run_in_pool(void (Job::*step)(), void (Connection::*then)());
    void pull();
    void on_run();
    void on_pulled();
    /// Answers with a refusal, then closes the connection: where the next request would begin is
    /// not known.
    void refuse(const Refusal& why);
    /// Searches the rest of a refused head for headers: a page can read the refusal only if the
    /// answer allows its Origin.
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
    std::size_t head_bytes_ = 0;    // of the current head, the bytes that were parsed
    std::size_t dropped_bytes_ = 0;

    std::optional<Exchange> exchange_;
    std::shared_ptr<Job> job_;
    bool answering_ = false;  // sending the answer's head has begun
    std::string out_head_;
    std::string out_body_;
    std::size_t written_ = 0;  // of out_head_ and out_body_ together
};

}  // namespace fendex::serve
