#include "clickhouse/client/local_http.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/hex.hpp"

namespace fendex::clickhouse {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using std::chrono::steady_clock;

constexpr std::size_t kPiece = std::size_t{1} << 16;

/// Returns a text that can separate the parts of a form, because none of them has it.
std::string boundary_for(const std::vector<Transport::Part>& parts) {
    for (std::uint64_t number = 0;; ++number) {
        std::string boundary = "fendex-" + base::hex_key(number);
        bool is_free = true;
        for (const Transport::Part& part : parts) {
            is_free &= part.bytes.find(boundary) == std::string::npos;
        }
        if (is_free) return boundary;
    }
}

std::string form_of(const std::vector<Transport::Part>& parts, const std::string& boundary) {
    std::string out;
    for (const auto& [name, bytes, is_file] : parts) {
        out.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=\"");
        out.append(name).append("\"");
        if (is_file) out.append("; filename=\"").append(name).append("\"");
        out.append("\r\n\r\n").append(bytes).append("\r\n");
    }
    return out.append("--").append(boundary).append("--\r\n");
}

}  // namespace

void LocalHttp::begin(Request request, Limits limits) {
    abort();
    limits_ = std::move(limits);
    outcome_ = {};
    incoming_.clear();
    outgoing_.clear();
    body_ended_ = false;
    head_sent_ = false;
    make_head(request);
    under_way_ = true;
    const bool was_connected = is_connected();
    kept_for_.clear();
    if (was_connected) {
        send_head();
    } else {
        connect();
    }
}

bool LocalHttp::is_connected() {
    if (!link_ || kept_for_ != host_ + ":" + port_) return false;
    // The server has sent nothing, unless it is the end of the connection.
    Error error;
    std::array<char, 1> byte{};
    link_->socket.non_blocking(true, error);
    if (error) return false;
    link_->socket.receive(asio::buffer(byte), asio::socket_base::message_peek, error);
    return error == asio::error::would_block;
}

void LocalHttp::make_head(const Request& request) {
    constexpr std::string_view kScheme = "http://";
    std::string_view rest = request.url;
    if (!rest.starts_with(kScheme) || !request.accept_encoding.empty()) {
        throw std::logic_error("a server on this machine is asked without TLS and compression");
    }
    rest.remove_prefix(kScheme.size());
    const std::string_view host = rest.substr(0, rest.find('/'));
    const std::size_t colon = host.rfind(':');
    host_ = host.substr(0, colon);
    port_ = host.substr(colon + 1);
    if (host_.starts_with('[')) host_ = host_.substr(1, host_.size() - 2);

    head_ = {};
    head_.version(11);
    head_.method(http::verb::post);
    head_.target(boost::string_view(rest.data() + host.size(), rest.size() - host.size()));
    head_.set(http::field::host, boost::string_view(host.data(), host.size()));
    for (const std::string& header : request.headers) {
        const std::size_t at = header.find(": ");
        head_.set(header.substr(0, at), header.substr(at + 2));
    }
    streams_body_ = request.streams_body;
    if (streams_body_) {
        head_.chunked(true);
        return;
    }
    if (request.parts.empty()) {
        head_.body() = request.body;
    } else {
        const std::string boundary = boundary_for(request.parts);
        head_.set(http::field::content_type, "multipart/form-data; boundary=" + boundary);
        head_.body() = form_of(request.parts, boundary);
    }
    head_.prepare_payload();
}

void LocalHttp::connect() {
    link_.reset();
    link_.emplace();
    connecting_ = true;
    connect_until_ = steady_clock::now() + kTimeToConnect;
    Error no_address;
    const auto address = asio::ip::make_address(host_, no_address);
    const auto on_connected = [this](const Error& error, const auto&) { connected(error); };
    if (!no_address) {
        const std::array there{
            Tcp::endpoint(address, static_cast<std::uint16_t>(std::stoul(port_)))};
        asio::async_connect(link_->socket, there, on_connected);
        return;
    }
    link_->resolver.async_resolve(host_, port_,
                                  [this, on_connected](const Error& error, const auto& found) {
                                      if (error) return finish(End::kNoHost, error);
                                      asio::async_connect(link_->socket, found, on_connected);
                                  });
}

void LocalHttp::connected(const Error& error) {
    connecting_ = false;
    if (error) return finish(End::kNotConnected, error);
    Error ignored;
    link_->socket.set_option(Tcp::no_delay(true), ignored);
    send_head();
}

void LocalHttp::send_head() {
    serializer_.emplace(head_);
    answer_.emplace();
    // If an answer says its length, Boost 1.74 compares it with 0 where there is no limit.
    answer_->body_limit(std::numeric_limits<std::uint64_t>::max());
    buffer_.clear();
    head_sent_ = false;
    send_failed_ = false;
    last_chunk_sent_ = false;
    has_head_ = false;
    reading_ = false;
    sending_ = true;
    const auto on_sent = [this](const Error& error, std::size_t) {
        sending_ = false;
        head_sent_ = true;
        // The server may have answered before it closed the connection.
        send_failed_ = static_cast<bool>(error);
        send_chunk();
    };
    if (streams_body_) {
        http::async_write_header(link_->socket, *serializer_, on_sent);
    } else {
        http::async_write(link_->socket, *serializer_, on_sent);
    }
    read_some();
}

void LocalHttp::send_chunk() {
    if (!streams_body_ || !head_sent_ || sending_ || send_failed_ || last_chunk_sent_) return;
    if (outgoing_.empty() && !body_ended_) return;
    chunk_.clear();
    chunk_.swap(outgoing_);
    sending_ = true;
    const auto on_sent = [this](const Error& error, std::size_t) {
        sending_ = false;
        send_failed_ = static_cast<bool>(error);
        send_chunk();
    };
    if (chunk_.empty()) {
        last_chunk_sent_ = true;
        asio::async_write(link_->socket, http::make_chunk_last(), on_sent);
    } else {
        asio::async_write(link_->socket, http::make_chunk(asio::buffer(chunk_)), on_sent);
    }
}

void LocalHttp::read_some() {
    if (reading_ || incoming_.size() >= kPiece) return;
    reading_ = true;
    piece_.resize(kPiece);
    answer_->get().body().data = piece_.data();
    answer_->get().body().size = piece_.size();
    http::async_read_some(link_->socket, buffer_, *answer_,
                          [this](const Error& error, std::size_t) {
                              reading_ = false;
                              read(error);
                          });
}

void LocalHttp::read(const Error& error) {
    if (error && error != http::error::need_buffer) {
        const bool is_cut =
            error == http::error::end_of_stream || error == http::error::partial_message;
        const bool is_malformed =
            error.category() == http::make_error_code(http::error::bad_version).category();
        return finish(is_malformed && !is_cut && !has_head_ ? End::kNotHttp : End::kBroke, error);
    }
    if (answer_->is_header_done() && !has_head_) {
        has_head_ = true;
        outcome_.status = answer_->get().result_int();
        for (const auto& field : answer_->get()) {
            outcome_.take_header({field.name_string().data(), field.name_string().size()},
                                 {field.value().data(), field.value().size()});
        }
    }
    const std::string_view piece(piece_.data(), piece_.size() - answer_->get().body().size);
    if (outcome_.status == 200) {
        incoming_ += piece;
    } else {
        outcome_.take_error(piece);
    }
    if (answer_->is_done()) return finish(End::kAnswered, {});
    read_some();
}

bool LocalHttp::receive(std::string& bytes) {
    while (under_way_ && incoming_.empty()) step();
    const bool has_bytes = take(incoming_, bytes);
    if (under_way_) read_some();
    return has_bytes;
}

bool LocalHttp::send(std::string_view bytes) {
    outgoing_ += bytes;
    send_chunk();
    while (under_way_ && outgoing_.size() > kMostUnsent) step();
    return under_way_;
}

void LocalHttp::end_body() {
    body_ended_ = true;
    send_chunk();
    while (under_way_) step();
}

void LocalHttp::step() {
    keep_to(limits_);
    if (connecting_ && steady_clock::now() >= connect_until_) {
        return finish(End::kNotConnected, asio::error::timed_out);
    }
    link_->context.restart();
    link_->context.run_one_for(kWait);
}

void LocalHttp::finish(End end, const Error& error) {
    outcome_.end = end;
    if (error) {
        outcome_.detail = error.message();
        if (error.category() == boost::system::system_category()) outcome_.os_error = error.value();
    }
    under_way_ = false;
    const bool is_sent = !sending_ && !send_failed_ && (!streams_body_ || last_chunk_sent_);
    if (end == End::kAnswered && is_sent && answer_->keep_alive()) kept_for_ = host_ + ":" + port_;
}

void LocalHttp::abort() noexcept {
    if (!under_way_) return;
    under_way_ = false;
    link_.reset();
}

}  // namespace fendex::clickhouse
