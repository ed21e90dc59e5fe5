// A server in this process, on a free port of the loopback interface, and a client that speaks to
// it byte by byte.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "serve/http/server.hpp"

namespace fendex::test {

/// A service of one function.
class TestService : public serve::Service {
  public:
    using Plan = std::function<serve::Task(const serve::Request&)>;

    explicit TestService(Plan plan) : plan_(std::move(plan)) {}

    [[nodiscard]] serve::Task plan(std::shared_ptr<const serve::Request> request) override;
    /// Answers the code of the refusal.
    [[nodiscard]] serve::Answer refused(std::string_view path,
                                        const serve::Refusal& why) const override;
    [[nodiscard]] serve::Answer failed(std::string_view path,
                                       std::exception_ptr why) const override;

  private:
    Plan plan_;
};

/// Returns a task that answers a text.
serve::Task task_of(std::string text, serve::Cost cost = serve::Cost::kLookUp);

class TestServer {
  public:
    /// Answers with the plan; without one, every request gets "hello".
    explicit TestServer(TestService::Plan plan = {}, serve::ServerOptions options = {});
    ~TestServer();
    TestServer(const TestServer&) = delete;
    TestServer& operator=(const TestServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    void stop() { server_->stop(); }
    /// Waits until the server has ended.
    void join();

  private:
    TestService service_;
    std::unique_ptr<serve::Server> server_;
    std::thread thread_;
};

/// What a client got.
struct Reply {
    int status = 0;    // 0: none, the connection has ended
    std::string head;  // with its status line
    std::string body;  // chunks are put together
    /// False if the connection ended before the body did.
    bool whole = false;

    [[nodiscard]] std::string header(std::string_view name) const;
};

/// A blocking client. Waits at most 10 seconds for bytes.
class Client {
  public:
    explicit Client(std::uint16_t port);
    explicit Client(const TestServer& server) : Client(server.port()) {}
    ~Client();
    Client(Client&& other) noexcept;
    Client& operator=(Client&&) = delete;

    /// Returns false if the server has closed the connection.
    bool send(std::string_view bytes);
    /// Sends a request of HTTP/1.1; `headers` are lines that end with CRLF.
    bool get(const std::string& target, const std::string& headers = {},
             const std::string& method = "GET");
    Reply reply(bool headless = false);
    Reply ask(const std::string& target, const std::string& headers = {},
              const std::string& method = "GET") {
        get(target, headers, method);
        return reply(method == "HEAD");
    }
    /// Waits for the end of the connection; true if it came without more bytes.
    bool ended();
    void close();

  private:
    bool receive();

    int socket_ = -1;
    std::string received_;
};

}  // namespace fendex::test
