#include "serve/test_server.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <utility>

#include "base/stop_check.hpp"

namespace fendex::test {

serve::Task TestService::plan(std::shared_ptr<const serve::Request> request) {
    serve::Task task = plan_ ? plan_(*request) : task_of("hello");
    if (task.route.empty()) task.route = "/test";
    return task;
}

serve::Answer TestService::refused(std::string_view /*path*/, const serve::Refusal& why) const {
    serve::Answer answer;
    answer.status = why.status;
    answer.type = serve::kText;
    answer.body = why.code;
    return answer;
}

serve::Answer TestService::failed(std::string_view path, std::exception_ptr why) const {
    try {
        std::rethrow_exception(std::move(why));
    } catch (const serve::Refusal& refusal) {
        return refused(path, refusal);
    } catch (const base::Stopped&) {
        return refused(path, {503, "timeout", {}});
    } catch (const std::exception& error) {
        return refused(path, {500, error.what(), {}});
    }
}

serve::Task task_of(std::string text, serve::Cost cost) {
    serve::Task task;
    task.cost = cost;
    task.run = [text = std::move(text)](std::stop_token) {
        serve::Answer answer;
        answer.body = text;
        return answer;
    };
    return task;
}

TestServer::TestServer(TestService::Plan plan, serve::ServerOptions options)
    : service_(std::move(plan)) {
    options.port = 0;
    if (options.threads == 0) options.threads = 2;
    if (options.sums.threads == 0) options.sums.threads = 1;
    if (options.scans.threads == 0) options.scans.threads = 1;
    server_ = std::make_unique<serve::Server>(std::move(options), service_);
    thread_ = std::thread([this] { server_->run(); });
}

TestServer::~TestServer() {
    stop();
    join();
}

void TestServer::join() {
    if (thread_.joinable()) thread_.join();
}

std::string Reply::header(std::string_view name) const {
    const std::size_t at = head.find("\r\n" + std::string(name) + ": ");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

Client::Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{10, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    // NOLINTNEXTLINE: the interface of sockets
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        close();
    }
}

Client::~Client() { close(); }

Client::Client(Client&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}

void Client::close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

bool Client::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool Client::get(const std::string& target, const std::string& headers, const std::string& method) {
    const bool has_host = headers.find("Host: ") != std::string::npos;
    return send(method + ' ' + target + " HTTP/1.1\r\n" +
                (has_host ? std::string() : "Host: localhost\r\n") + headers + "\r\n");
}

bool Client::receive() {
    char bytes[16 << 10];
    const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    received_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

Reply Client::reply(bool headless) {
    Reply reply;
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
        if (!receive()) return reply;
    }
    reply.head = received_.substr(0, end + 2);
    received_.erase(0, end + 4);
    reply.status = std::stoi(reply.head.substr(reply.head.find(' ') + 1));
    reply.whole = true;
    if (headless || reply.status == 204 || reply.status == 304 || reply.status == 100) return reply;
    const std::string length = reply.header("Content-Length");
    if (!length.empty()) {
        const std::size_t bytes = std::stoul(length);
        while (received_.size() < bytes && reply.whole) reply.whole = receive();
        reply.body = received_.substr(0, bytes);
        received_.erase(0, bytes);
        return reply;
    }
    if (reply.header("Transfer-Encoding") != "chunked") {
        while (receive()) {
        }
        reply.body = std::exchange(received_, {});
        return reply;
    }
    for (;;) {
        std::size_t line = 0;
        while ((line = received_.find("\r\n")) == std::string::npos) {
            if (!receive()) {
                reply.whole = false;
                return reply;
            }
        }
        const std::size_t bytes = std::stoul(received_.substr(0, line), nullptr, 16);
        while (received_.size() < line + 2 + bytes + 2) {
            if (!receive()) {
                reply.whole = false;
                return reply;
            }
        }
        reply.body += received_.substr(line + 2, bytes);
        received_.erase(0, line + 2 + bytes + 2);
        if (bytes == 0) return reply;
    }
}

bool Client::ended() { return !receive() && received_.empty(); }

}  // namespace fendex::test
