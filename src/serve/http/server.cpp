#include "serve/http/server.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

#include "serve/http/connection.hpp"
#include "serve/http/worker.hpp"

namespace fendex::serve {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// Number of descriptors that are left for databases and other files of the process.
constexpr std::size_t kOtherDescriptors = 512;

constexpr std::string_view kTooMany =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n"
    "Retry-After: 5\r\n\r\n";

/// Returns how many clients beyond most_connections get a proper answer that there are too many.
/// That is less than kOtherDescriptors.
std::size_t most_turned_away(std::size_t most_connections) {
    return std::min<std::size_t>(64, most_connections / 8);
}

/// Raises the limit of open files and returns it.
std::size_t raise_descriptors() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

ServerOptions within_limits(ServerOptions options) {
    const std::size_t descriptors = raise_descriptors();
    const std::size_t others = std::min(kOtherDescriptors, descriptors / 2);
    options.most_connections = std::min(options.most_connections, descriptors - others);
    if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
    return options;
}

tcp::endpoint endpoint_of(const std::string& address, std::uint16_t port) {
    boost::system::error_code error;
    const auto number = asio::ip::make_address(address, error);
    if (!error) return {number, port};
    asio::io_context context;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(address, std::to_string(port), tcp::resolver::passive);
    for (const auto& each : found) {
        if (each.endpoint().address().is_v4()) return each.endpoint();
    }
    return found.begin()->endpoint();
}

}  // namespace

class Server::Implementation {
  public:
    Implementation(ServerOptions options, Service& service)
        : state_(within_limits(std::move(options)), service) {
        for (unsigned i = 0; i < state_.options.threads; ++i) {
            workers_.push_back(std::make_unique<Worker>(state_));
        }
        acceptor_ = std::make_unique<tcp::acceptor>(workers_[0]->context);
        listen();
    }

    ~Implementation() {
        // The pools end first: their threads use the workers, and these use the rest of the state.
        state_.sums.end();
        state_.scans.end();
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    std::uint16_t port() const { return port_; }

    void run() {
        std::vector<std::thread> threads;
        try {
            while (running_ < workers_.size()) {
                threads.emplace_back([worker = workers_[running_].get()] { worker->run(); });
                ++running_;
            }
        } catch (const std::exception& error) {
            std::fprintf(stderr, "fendex: %zu threads instead of %zu: %s\n", running_,
                         workers_.size(), error.what());
        }
        workers_[0]->run([this] { keep_accepting(); });
        for (std::thread& thread : threads) thread.join();
    }

    void stop() {
        if (state_.draining.exchange(true)) return;
        try {
            asio::post(workers_[0]->context, [this] { keep_accepting(); });
            for (const auto& worker : workers_) worker->drain();
        } catch (const std::bad_alloc&) {
            // Without the call, the workers notice it when they look at the clock.
        }
    }

  private:
    void listen() {
        const std::string& address = state_.options.address;
        try {
            const tcp::endpoint endpoint = endpoint_of(address, state_.options.port);
            acceptor_->open(endpoint.protocol());
            acceptor_->set_option(tcp::acceptor::reuse_address(true));
            acceptor_->bind(endpoint);
            acceptor_->listen();
            port_ = acceptor_->local_endpoint().port();
        } catch (const boost::system::system_error& error) {
            throw std::runtime_error("cannot listen on " + address + ":" +
                                     std::to_string(state_.options.port) + ": " +
                                     error.code().message());
        }
    }

    /// Resumes accepting connections after it failed, usually for lack of descriptors. Closes the
    /// acceptor if the server drains.
    void keep_accepting() {
        if (state_.draining) {
            boost::system::error_code ignored;
            acceptor_->close(ignored);
        } else if (accepting_.expired()) {
            accept();
        }
    }

    void accept() {
        Worker& worker = *workers_[next_++ % running_];
        const auto accepting = std::make_shared<bool>(true);
        acceptor_->async_accept(
            worker.context, client_,
            [this, &worker, accepting](const boost::system::error_code& error, tcp::socket socket) {
                if (error || state_.draining) return;
                begin(worker, std::move(socket));
                accept();
            });
        accepting_ = accepting;
    }

    void begin(Worker& worker, tcp::socket socket) {
        const std::size_t most = state_.options.most_connections;
        if (state_.connections >= most + most_turned_away(most)) {
            turn_away(socket);
            return;
        }
        const auto welcome = state_.connections < most ? Connection::Welcome::kServed
                                                       : Connection::Welcome::kTurnedAway;
        try {
            // The constructor counts the connection. start() would be too late: many may be
            // accepted before the worker starts the first.
            auto connection = std::make_shared<Connection>(state_, worker, std::move(socket),
                                                           client_.address(), welcome);
            asio::post(worker.context,
                       [connection = std::move(connection)] { connection->start(); });
        } catch (const std::bad_alloc&) {
            // This connection is closed; others go on.
        }
    }

    /// Answers that there are too many connections, without reading the request. The client may not
    /// get the answer.
    static void turn_away(tcp::socket& socket) {
        boost::system::error_code ignored;
        socket.non_blocking(true, ignored);
        socket.write_some(asio::buffer(kTooMany.data(), kTooMany.size()), ignored);
        socket.shutdown(tcp::socket::shutdown_send, ignored);
    }

    ServerState state_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::unique_ptr<tcp::acceptor> acceptor_;
    tcp::endpoint client_;  // of the connection that was accepted last
    std::uint16_t port_ = 0;
    std::weak_ptr<bool> accepting_;  // expires if the handler is lost for lack of memory
    std::size_t next_ = 0;
    std::size_t running_ = 1;  // the first workers, those that have a thread
};

Server::Server(ServerOptions options, Service& service)
    : implementation_(std::make_unique<Implementation>(std::move(options), service)) {}
Server::~Server() = default;
std::uint16_t Server::port() const { return implementation_->port(); }
void Server::run() { implementation_->run(); }
void Server::stop() { implementation_->stop(); }

}  // namespace fendex::serve
