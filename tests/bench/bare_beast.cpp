// The smallest server that Boost.Beast makes, with a fixed answer: what fendex serve is compared
// with. Prints its port, and serves until it is killed.
//     fendex_bare_beast THREADS
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr std::size_t kAnswerBytes = 1500;

class Session : public std::enable_shared_from_this<Session> {
  public:
    explicit Session(tcp::socket socket) : stream_(std::move(socket)) {}

    void read() {
        request_ = {};
        http::async_read(stream_, buffer_, request_,
                         [self = shared_from_this()](beast::error_code error, std::size_t) {
                             if (!error) self->write();
                         });
    }

  private:
    void write() {
        response_ = {http::status::ok, request_.version()};
        response_.set(http::field::content_type, "application/json");
        response_.body().assign(kAnswerBytes, 'x');
        response_.keep_alive(request_.keep_alive());
        response_.prepare_payload();
        http::async_write(stream_, response_,
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error && self->request_.keep_alive()) self->read();
                          });
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> request_;
    http::response<http::string_body> response_;
};

void accept(tcp::acceptor& acceptor, asio::io_context& context) {
    acceptor.async_accept(asio::make_strand(context),
                          [&](beast::error_code error, tcp::socket socket) {
                              if (!error) {
                                  socket.set_option(tcp::no_delay(true), error);
                                  std::make_shared<Session>(std::move(socket))->read();
                              }
                              accept(acceptor, context);
                          });
}

}  // namespace

int main(int argc, char** argv) {
    const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 2;
    asio::io_context context(threads);
    tcp::acceptor acceptor(context, {asio::ip::make_address("127.0.0.1"), 0});
    std::printf("http://127.0.0.1:%u/\n", static_cast<unsigned>(acceptor.local_endpoint().port()));
    std::fflush(stdout);
    accept(acceptor, context);
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back([&context] { context.run(); });
    context.run();
}
