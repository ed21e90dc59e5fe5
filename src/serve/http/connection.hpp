// A client's connection: requests arrive on it one after the other, each is answered, and time
// limits hold for all of it. It lives on one worker, whose thread alone uses it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <optional>
#include <string>

#include "serve/http/job.hpp"
#include "serve/http/worker.hpp"

namespace fendex::serve {

class Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(ServerState& server, Worker& worker, boost::asio::ip::tcp::socket socket);
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
        kWorking,   // its answer is worked out in a pool
        kWriting,   // (a piece of) its answer is written
        kParting,   // all is said; what the client still sends is read and dropped
        kClosed,
    };
    using Error = boost::system::error_code;

    void read();
    void on_read(const Error& error, std::size_t bytes);
    /// Continues with what has arrived.
    void advance();
    /// Returns false if more bytes are needed, or if the request has been refused.
    bool parse();
    bool head_is_fine();
    void plan();
    void work();
    void pull();
    void on_worked(const std::shared_ptr<Job>& job);
    void on_pulled(const std::shared_ptr<Job>& job);
    void refuse(const Refusal& why);
    void fail(std::exception_ptr why);
    void answer(const Answer& answer, std::string body);
    void append_piece(std::string_view piece, bool last);
    void write();
    void on_written();
    void finish_request();
    void part();
    void run_in_pool(void (Job::*step)(), void (Connection::*then)(const std::shared_ptr<Job>&));

    ServerState& server_;
    Worker& worker_;
    boost::asio::ip::tcp::socket socket_;
    State state_ = State::kIdle;
    Clock::time_point deadline_{};
    bool reading_ = false;
    bool keep_alive_ = true;

    boost::beast::flat_buffer buffer_;
    std::optional<ArrivingRequest> arriving_;
    std::size_t head_bytes_ = 0;
    bool head_checked_ = false;
    std::size_t dropped_bytes_ = 0;

    std::shared_ptr<Job> job_;
    Framing framing_ = Framing::kLength;
    std::string out_head_;
    std::string out_body_;
    std::size_t written_ = 0;  // of both
};

}  // namespace fendex::serve
