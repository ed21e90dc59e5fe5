// Sends one HTTP request at a time to a server on this machine, over a connection that is kept.
// Such a server needs neither TLS nor compression, so that libcurl and the thirty libraries that it
// loads are not needed either: they are half of the time of a short question.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "clickhouse/client/transport.hpp"

namespace fendex::clickhouse {

class LocalHttp final : public Transport {
  public:
    /// The request must be for http, and accept no compression.
    void begin(Request request, Limits limits) override;
    bool receive(std::string& bytes) override;
    bool send(std::string_view bytes) override;
    void end_body() override;
    [[nodiscard]] const Outcome& outcome() const noexcept override { return outcome_; }
    void abort() noexcept override;

  private:
    using Tcp = boost::asio::ip::tcp;
    using Error = boost::system::error_code;
    using Answer = boost::beast::http::response_parser<boost::beast::http::buffer_body>;

    /// A connection. What it has begun ends with it, and is not heard of again; so it must not be
    /// destroyed by what it calls.
    struct Link {
        Link() : context(1), resolver(context), socket(context) {}

        boost::asio::io_context context;
        Tcp::resolver resolver;
        Tcp::socket socket;
    };

    void make_head(const Request& request);
    /// Returns whether the connection that was kept is to this server, and still open.
    bool is_connected();
    /// Connects anew, and sends the head of the request.
    void connect();
    void connected(const Error& error);
    void send_head();
    /// Sends what is there of a streamed body if nothing else is being sent.
    void send_chunk();
    /// Reads a piece of the answer if none is being read.
    void read_some();
    void read(const Error& error);
    /// Waits for the network, then goes on with what it brought.
    void step();
    void finish(End end, const Error& error);

    std::string host_;
    std::string port_;
    std::string kept_for_;  // the "host:port" to which link_ is connected; empty: to none

    Limits limits_;
    std::chrono::steady_clock::time_point connect_until_;
    bool connecting_ = false;
    bool under_way_ = false;

    boost::beast::http::request<boost::beast::http::string_body> head_;
    std::optional<boost::beast::http::request_serializer<boost::beast::http::string_body>>
        serializer_;
    bool streams_body_ = false;
    bool head_sent_ = false;
    bool sending_ = false;
    bool send_failed_ = false;
    bool body_ended_ = false;
    bool last_chunk_sent_ = false;
    std::string outgoing_;  // of a streamed body
    std::string chunk_;     // that is being sent

    boost::beast::flat_buffer buffer_;
    std::optional<Answer> answer_;
    bool reading_ = false;
    bool has_head_ = false;  // of the answer
    std::string piece_;
    std::string incoming_;
    Outcome outcome_;

    std::optional<Link> link_;  // uses what is above
};

}  // namespace fendex::clickhouse
