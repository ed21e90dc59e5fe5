// Servers that are none, or answer half an answer: a socket in this process that sends what a test
// says.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/stop_check.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/client/http.hpp"
#include "store/store_error.hpp"

using namespace fendex::clickhouse;
using Catch::Matchers::Contains;
using fendex::store::StoreError;
using std::chrono::milliseconds;

namespace {

/// Reads one request from each connection, sends `reply(request)` and closes it.
class FakeServer {
  public:
    explicit FakeServer(std::function<std::string(const std::string&)> reply)
        : reply_(std::move(reply)), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
        REQUIRE(::listen(socket_, 8) == 0);
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~FakeServer() {
        ::shutdown(socket_, SHUT_RDWR);
        thread_.join();
        ::close(socket_);
    }
    FakeServer(const FakeServer&) = delete;
    FakeServer& operator=(const FakeServer&) = delete;

    [[nodiscard]] std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
    /// The test runs once with libcurl, as other machines are asked, and once as this one is.
    [[nodiscard]] Connection connect() const {
        const Url url = parse_url("clickhouse://" + host() + "/chess");
        if (GENERATE(true, false)) return {url, "secret", std::make_unique<Http>()};
        return {url, "secret"};
    }
    [[nodiscard]] int requests() const { return requests_; }
    /// Waits until so many connections are closed.
    void wait_for_closed(int connections) const {
        while (closed_ < connections) std::this_thread::sleep_for(milliseconds(1));
    }

  private:
    void serve() {
        for (;;) {
            const int connection = ::accept(socket_, nullptr, nullptr);
            if (connection < 0) return;
            // The requests of these tests fit into one packet.
            std::string request(65536, '\0');
            const auto size = ::recv(connection, request.data(), request.size(), 0);
            if (size > 0) {
                ++requests_;
                request.resize(static_cast<std::size_t>(size));
                const std::string reply = reply_(request);
                ::send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
            }
            ::close(connection);
            ++closed_;
        }
    }

    std::function<std::string(const std::string&)> reply_;
    int socket_;
    std::uint16_t port_ = 0;
    std::atomic<int> requests_ = 0;
    std::atomic<int> closed_ = 0;
    std::thread thread_;
};

std::string ok(const std::string& headers, const std::string& body) {
    return "HTTP/1.1 200 OK\r\nConnection: close\r\nX-ClickHouse-Server-Display-Name: x\r\n" +
           headers + "\r\n" + body;
}

std::string whole(const std::string& body) {
    return ok("Content-Length: " + std::to_string(body.size()) + "\r\n", body);
}

bool asks_version(const std::string& request) {
    return request.find("SELECT version()") != std::string::npos;
}

/// A ClickHouse server that answers with these bytes when it is not asked for its version.
std::function<std::string(const std::string&)> answering(const std::string& reply) {
    return [reply](const std::string& request) {
        return asks_version(request) ? whole(
                                           "\x07"
                                           "18.16.1")
                                     : reply;
    };
}

StoreError error_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const StoreError& error) {
        CHECK_THAT(error.what(), !Contains("\n") && !Contains("secret"));
        return error;
    }
    FAIL("no error");
    return {StoreError::kOther, ""};
}

void read_all(Connection& connection) {
    connection.query("SELECT a FROM t", [](RowReader& row) { row.u64(); });
}

}  // namespace

TEST_CASE("a server that is not ClickHouse is refused") {
    const auto [reply, part] = GENERATE(table<std::string, std::string>({
        {"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n<html>Hi</html>", "not a ClickHouse server"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n\x07"
         "18.16.1",
         "not a ClickHouse server"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "not a ClickHouse server"},
        {"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone", "HTTP 404"},
        {"HTTP/1.1 204 No Content\r\n\r\n", "HTTP 204"},
        {"SSH-2.0-OpenSSH_9.2\r\n", "does not speak HTTP"},
    }));
    const FakeServer server([&, r = reply](const std::string&) { return r; });
    Connection connection = server.connect();
    const StoreError error = error_of([&] { connection.version(); });
    CHECK(error.kind() == StoreError::kOther);
    CHECK_THAT(error.what(), Contains(part) && Contains(server.host()));
    CHECK(server.requests() == 1);
}

TEST_CASE("redirects are not followed") {
    const FakeServer elsewhere([](const std::string&) {
        return whole(
            "\x07"
            "18.16.1");
    });
    const FakeServer server([&](const std::string&) {
        return "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://" + elsewhere.host() +
               "/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    });
    Connection connection = server.connect();
    const StoreError error = error_of([&] { connection.version(); });
    CHECK_THAT(error.what(), Contains("elsewhere (HTTP 307)"));
    CHECK(elsewhere.requests() == 0);
}

TEST_CASE("the password is sent in a header") {
    std::string seen;
    const FakeServer server([&](const std::string& request) {
        seen = request;
        return whole(
            "\x07"
            "18.16.1");
    });
    Connection connection = server.connect();
    connection.version();
    CHECK_THAT(seen, Contains("X-ClickHouse-Key: secret\r\n"));
    CHECK_THAT(seen.substr(0, seen.find("\r\n")), !Contains("secret"));
}

TEST_CASE("an answer that is cut off is an error, not a shorter answer") {
    // Two rows, the second of which is never sent, though the first is complete.
    const std::string row(8, '\x01');
    const auto reply = GENERATE_COPY(
        ok("Content-Length: 16\r\n", row), ok("Transfer-Encoding: chunked\r\n", "8\r\n" + row),
        ok("Transfer-Encoding: chunked\r\n", "8\r\n" + row + "\r\n"),
        ok("Transfer-Encoding: chunked\r\n", "10\r\n" + row),
        ok("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "8\r\n" + row + "\r\n"));
    const FakeServer server(answering(reply));
    Connection connection = server.connect();
    const StoreError error = error_of([&] { read_all(connection); });
    CHECK(error.kind() == StoreError::kUnreachable);
    CHECK_THAT(error.what(), Contains("the connection broke"));
}

TEST_CASE("an answer that ends inside a row is an error") {
    const FakeServer server(answering(whole("123456789012")));
    Connection connection = server.connect();
    CHECK(error_of([&] { read_all(connection); }).kind() == StoreError::kDamaged);
}

TEST_CASE("a text in place of rows is an error") {
    const FakeServer server(
        answering(whole("Code: 241, e.displayText() = DB::Exception: Memory limit")));
    Connection connection = server.connect();
    CHECK(error_of([&] {
              connection.query("SELECT a, s FROM t", [](RowReader& row) {
                  row.u64();
                  row.string();
              });
          }).kind() == StoreError::kDamaged);
}

TEST_CASE("a query is repeated if the connection breaks before the answer, and an insert is not") {
    std::atomic<int> breaks = 1;
    const FakeServer server([&](const std::string& request) {
        if (asks_version(request))
            return whole(
                "\x07"
                "18.16.1");
        if (request.find("SELECT 1 FORMAT") != std::string::npos) return whole("\x01");
        return breaks-- > 0 ? std::string() : whole(std::string(8, '\x01'));
    });
    Connection connection = server.connect();
    int rows = 0;
    const auto ask = [&] {
        connection.query("SELECT a FROM t", [&](RowReader& row) {
            row.u64();
            ++rows;
        });
    };
    ask();
    CHECK(rows == 1);
    CHECK(connection.requests() == 3);

    breaks = 100;
    CHECK(error_of(ask).kind() == StoreError::kUnreachable);
    CHECK(connection.requests() == 6);

    CHECK(error_of([&] { connection.run("DROP TABLE t"); }).kind() == StoreError::kUnreachable);
    CHECK(connection.requests() == 7);

    CHECK(error_of([&] {
              Insert insert = connection.insert("INSERT INTO t (a)");
              insert.write("12345678");
              insert.finish();
          }).kind() == StoreError::kUnreachable);
    CHECK(connection.requests() == 9);
}

TEST_CASE("a connection that the server closed after an answer is made again") {
    // The answers do not say that the connection ends.
    const auto answer = [](const std::string& body) {
        return "HTTP/1.1 200 OK\r\nX-ClickHouse-Server-Display-Name: x\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
    };
    const FakeServer server([&](const std::string& request) {
        if (asks_version(request)) {
            return answer(
                "\x07"
                "18.16.1");
        }
        return answer(request.find("DROP") == std::string::npos ? std::string(8, '\x01') : "");
    });
    const std::string host = GENERATE("127.0.0.1", "localhost");
    const std::string port = server.host().substr(server.host().find(':'));
    Connection connection(parse_url("clickhouse://" + host + port + "/chess"), "");
    connection.version();
    for (int i = 1; i < 6; i += 2) {
        server.wait_for_closed(i);
        read_all(connection);
        server.wait_for_closed(i + 1);
        connection.run("DROP TABLE t");
    }
    CHECK(server.requests() == 7);
    CHECK(connection.requests() == 7);
}

TEST_CASE("a stop ends the wait for a server that does not answer") {
    std::atomic<bool> is_over = false;
    const FakeServer server([&](const std::string& request) {
        while (!is_over && !asks_version(request)) std::this_thread::sleep_for(milliseconds(5));
        return whole(
            "\x07"
            "18.16.1");
    });
    Connection connection = server.connect();
    connection.version();
    std::stop_source source;
    connection.set_stop(source.get_token());
    const auto begin = std::chrono::steady_clock::now();
    {
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(milliseconds(50));
            source.request_stop();
        });
        CHECK_THROWS_AS(read_all(connection), fendex::base::Stopped);
    }
    CHECK(std::chrono::steady_clock::now() - begin < milliseconds(2500));
    is_over = true;
}

TEST_CASE("an address without a server gives one clear error") {
    const auto [url, part] = GENERATE(table<std::string, std::string>({
        {"clickhouse://127.0.0.1:1/chess", "no server can be reached there (Connection refused)"},
        {"clickhouse://no-such-host.invalid/chess", "there is no host of this name"},
        {"clickhouses://127.0.0.1:1/chess", "8443"},
    }));
    Connection connection(parse_url(url), "");
    const StoreError error = error_of([&] { connection.version(); });
    CHECK(error.kind() == StoreError::kUnreachable);
    CHECK_THAT(error.what(), Contains(part));
    CHECK_THAT(error_of([&] { connection.run("DROP TABLE t"); }).what(), Contains(part));
}
