// Clients that are slow, many, in a hurry, gone, or hostile.
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "base/stop_check.hpp"
#include "serve/test_server.hpp"
#include "support/test_size.hpp"

using namespace fendex::serve;
using namespace fendex::test;
using namespace std::chrono_literals;

namespace {

/// Opens once; threads wait for it.
class Gate {
  public:
    void open() {
        const std::lock_guard lock(mutex_);
        opened_ = true;
        changed_.notify_all();
    }
    /// Returns false if it was not opened within 10 seconds, or if a stop was requested.
    bool wait(const std::stop_token& stop = {}) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, stop, 10s, [&] { return opened_; });
    }
    bool is_open() {
        const std::lock_guard lock(mutex_);
        return opened_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool opened_ = false;
};

/// A scan that begins, and ends when the gate is opened or a stop is requested.
struct Scan {
    Gate begun;
    Gate gate;
    Gate stopped;

    Task task(Cost cost = Cost::kScan) {
        Task task = task_of({}, cost);
        task.run = [this](const std::stop_token& stop) {
            begun.open();
            if (!gate.wait(stop)) {
                stopped.open();
                throw fendex::base::Stopped();
            }
            Answer answer;
            answer.body = "scanned";
            return answer;
        };
        return task;
    }
};

/// Waits until it is true; false if it is not within 10 seconds.
template <typename Condition>
bool comes_true(Condition condition) {
    for (int i = 0; i < 5000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(2ms);
    }
    return false;
}

}  // namespace

TEST_CASE("Requests that come at once are answered one by one") {
    TestServer server([](const Request& request) {
        const std::size_t number = std::stoul(request.path.at(0));
        return task_of(request.path[0], number % 3 == 0   ? Cost::kScan
                                        : number % 3 == 1 ? Cost::kSums
                                                          : Cost::kLookUp);
    });
    Client client(server);
    std::string all;
    for (int i = 0; i < 300; ++i) {
        all += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }
    client.send(all);
    int right = 0;
    for (int i = 0; i < 300; ++i) right += client.reply().body == std::to_string(i) ? 1 : 0;
    CHECK(right == 300);
}

TEST_CASE("A request may arrive byte by byte") {
    TestServer server([](const Request& request) { return task_of(request.body); });
    Client client(server);
    for (const char c :
         std::string("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
                     "chunked\r\n\r\n2;a=b\r\nbo\r\n2\r\ndy\r\n0\r\nHost: evil\r\n\r\n")) {
        REQUIRE(client.send({&c, 1}));
    }
    CHECK(client.reply().body == "body");
}

TEST_CASE("A connection is closed if its request takes too long to arrive") {
    TestServer server({}, {.arrival = 40ms});
    for (const char* part :
         {"G", "GET / HTTP/1.1\r\nHost: localhost\r\n",
          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"}) {
        Client client(server);
        client.send(part);
        CHECK(client.reply().status == 408);
        CHECK(client.ended());
    }
}

TEST_CASE("Idle connections are closed") {
    TestServer server({}, {.idle = 40ms});
    Client silent(server);
    Client served(server);
    CHECK(served.ask("/").status == 200);
    CHECK(silent.ended());
    CHECK(served.ended());
}

TEST_CASE("Request heads that are too large are refused") {
    TestServer server;
    const std::string large(20'000, 'x');
    const std::string lines = [] {
        std::string text;
        for (int i = 0; i < 3000; ++i) text += "X-" + std::to_string(i) + ": y\r\n";
        return text;
    }();
    for (const std::string& head :
         {"GET /" + large + " HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX: " + large + "\r\n\r\n",
          "GET / HTTP/1.1\r\n" + lines + "\r\n", large}) {
        Client client(server);
        client.send(head);
        const Reply reply = client.reply();
        CHECK((reply.status == 431 || (head == large && reply.status == 400)));
        CHECK(reply.header("Connection") == "close");
    }
    Client client(server);
    CHECK(client.ask("/", "X: " + large.substr(0, 15'000) + "\r\n").status == 200);
}

TEST_CASE("Request bodies that are too large or never end are refused") {
    TestServer server(
        [](const Request& request) { return task_of(std::to_string(request.body.size())); },
        {.body_bytes = 100'000});
    Client announced(server);
    announced.get("/", "Content-Length: 100001\r\n", "POST");
    CHECK(announced.reply().status == 413);
    Client endless(server);
    endless.get("/", "Transfer-Encoding: chunked\r\n", "POST");
    const std::string chunk = "1000\r\n" + std::string(4096, 'x') + "\r\n";
    for (int i = 0; i < 100 && endless.send(chunk); ++i) {
    }
    CHECK(endless.reply().status == 413);
    Client fits(server);
    fits.get("/", "Content-Length: 100000\r\n", "POST");
    fits.send(std::string(100'000, 'x'));
    CHECK(fits.reply().body == "100000");
    // A chunk's line that never ends.
    Client line(server);
    line.get("/", "Transfer-Encoding: chunked\r\n", "POST");
    for (int i = 0; i < 100 && line.send(std::string(1000, '1')); ++i) {
    }
    CHECK(line.reply().status == 400);
}

TEST_CASE("All request bodies together have a limit") {
    TestServer server(
        [](const Request& request) { return task_of(std::to_string(request.body.size())); },
        {.all_bodies_bytes = 1000});
    Client first(server);
    first.get("/", "Content-Length: 601\r\n", "POST");
    first.send(std::string(600, 'x'));
    Client second(server);
    // The order in which the server reads from the two is not known, so that one may have to wait
    // for the other to have taken its share.
    CHECK(comes_true([&] {
        Client other(server);
        other.get("/", "Content-Length: 500\r\n", "POST");
        other.send(std::string(500, 'x'));
        const Reply reply = other.reply();
        return reply.status == 503 && reply.header("Retry-After") == "5";
    }));
    first.send("x");
    CHECK(first.reply().body == "601");
    CHECK(second.get("/", "Content-Length: 900\r\n", "POST"));
    second.send(std::string(900, 'x'));
    CHECK(second.reply().body == "900");
}

TEST_CASE("Bytes that are not HTTP are refused") {
    TestServer server;
    for (const char* text :
         {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
          "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
          "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
          "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
          "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "GET / HTTP/1.1\r\n\r\n"}) {
        Client client(server);
        client.send(text);
        CHECK(client.reply().status == 400);
    }
    CHECK(Client(server).ask("/").status == 200);
}

TEST_CASE("A request of uncertain length is refused, and nothing after it is read") {
    std::atomic<int> plans = 0;
    TestServer server([&plans](const Request&) {
        ++plans;
        return task_of("answered");
    });
    const std::string chunks = "5\r\nhello\r\n0\r\n\r\n";
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    const auto post = [](const std::string& headers, const std::string& body,
                         const std::string& version = "1.1") {
        return "POST / HTTP/" + version + "\r\nHost: localhost\r\n" + headers + "\r\n" + body;
    };
    const std::string smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (const std::string& request :
         {post("Transfer-Encoding: gzip\r\n", ""),
          post("Transfer-Encoding: identity\r\n", ""),
          post("Transfer-Encoding:\r\n", ""),
          post("Transfer-Encoding: xchunked\r\n", ""),
          post("Transfer-Encoding: chunked, gzip\r\n", ""),
          post("Transfer-Encoding: gzip, chunked\r\n", chunks),
          post("Transfer-Encoding: chunked, chunked\r\n", ""),
          post("Transfer-Encoding: chunked;q=1\r\n", ""),
          post("Transfer-Encoding: \"chunked\"\r\n", ""),
          post("Transfer-Encoding: gzip\r\n" + chunked, chunks),
          post(chunked + "Transfer-Encoding: gzip\r\n", chunks),
          post(chunked + chunked, chunks),
          post(chunked, chunks, "1.0"),
          post("Content-Length: 5\r\n" + chunked, chunks),
          post(chunked + "Content-Length: 5\r\n", chunks),
          post("Content-Length: 5\r\nTransfer-Encoding: gzip\r\n", "hello"),
          post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"),
          post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"),
          post("Content-Length: 5, 5\r\n", "hello"),
          post("Content-Length: 5, 6\r\n", "hello"),
          post("Content-Length: +5\r\n", "hello"),
          post("Content-Length: -5\r\n", "hello"),
          post("Content-Length: 0x5\r\n", "hello"),
          post("Content-Length: 18446744073709551621\r\n", "hello"),
          post("Content-Length:\r\n", ""),
          post("Content-Length : 5\r\n", "hello"),
          post("Transfer-Encoding : chunked\r\n", chunks),
          post("Transfer-Encoding:\r\n chunked\r\n", chunks),
          post("X: y\r\n " + chunked, chunks),
          post("X: y\r\n\tContent-Length: 5\r\n", "hello"),
          post("X: y\nContent-Length: 5\r\n", "hello"),
          post("X: y\rContent-Length: 5\r\n", "hello"),
          post(std::string("X: y\0\r\n", 7), ""),
          " " + post("", ""),
          post(chunked, "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n"),
          post(chunked, "5\nhello\r\n0\r\n\r\n"),
          post(chunked, "5 \r\nhello\r\n0\r\n\r\n"),
          post(chunked, "+5\r\nhello\r\n0\r\n\r\n"),
          post(chunked, "0x5\r\nhello\r\n0\r\n\r\n"),
          post(chunked, "10000000000000005\r\nhello\r\n0\r\n\r\n"),
          post(chunked, "5\r\nhelloxx0\r\n\r\n"),
          post(chunked, "0\r\nContent-Length: 5\r\n\r\n"),
          post(chunked, "0\r\nTransfer-Encoding: chunked\r\n\r\n")}) {
        CAPTURE(request);
        Client client(server);
        client.send(request + smuggled);
        const Reply reply = client.reply();
        CHECK(reply.status == 400);
        CHECK(reply.header("Connection") == "close");
        CHECK(client.ended());
    }
    CHECK(plans == 0);
    // Byte by byte, too.
    Client slow(server);
    for (const char c : post("X: y\r\n z\r\n", "")) slow.send({&c, 1});
    CHECK(slow.reply().status == 400);
    Client right(server);
    right.send(post("transfer-encoding:\tChunked \r\n", "5;a=\"b c\"\r\nhello\r\n0\r\n\r\n"));
    CHECK(right.reply().body == "answered");
}

TEST_CASE("Pages of allowed sites can read why a request was refused") {
    TestServer server(
        [](const Request& request) -> Task {
            if (request.path.empty()) return task_of("hello", Cost::kScan);
            if (request.path[0] == "body") return task_of("body");
            throw Refusal{404, "none", {}};
        },
        {.scans = {1, 0}, .body_bytes = 1000, .all_bodies_bytes = 1500});
    const std::string large(17'000, 'x');
    const auto of = [](const std::string& origin) {
        return "Host: localhost\r\nOrigin: " + origin + "\r\n";
    };
    const auto requests = [&](const std::string& origin) {
        const std::string from = of(origin);
        return std::vector<std::pair<int, std::string>>{
            {404, "GET /nothing HTTP/1.1\r\n" + from + "\r\n"},
            {405, "DELETE / HTTP/1.1\r\n" + from + "\r\n"},
            {503, "GET / HTTP/1.1\r\n" + from + "\r\n"},
            {400, "GET /% HTTP/1.1\r\n" + from + "\r\n"},
            {400, "GET / HTTP/1.1\r\n" + from + "no colon\r\n\r\n"},
            {400, "GET / HTTP/1.1\r\nno colon\r\n" + from + "\r\n"},
            {400, "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n" + from + "\r\n"},
            {400, "POST / HTTP/1.1\r\nX: y\r\n z\r\n" + from + "\r\n"},
            {400, "GET / HTTP/7.1\r\n" + from + "\r\n"},
            {413, "POST /body HTTP/1.1\r\nContent-Length: 1001\r\n" + from + "\r\n"},
            {431, "GET /" + large + " HTTP/1.1\r\n" + from + "\r\n"},
            {431, "GET / HTTP/1.1\r\n" + from + "X: " + large + "\r\n\r\n"},
            {431, "GET / HTTP/1.1\r\nX: " + large + "\r\n" + from + "\r\n"},
        };
    };
    const auto check = [&](const std::string& origin, const std::string& allowed) {
        for (const auto& [status, request] : requests(origin)) {
            CAPTURE(origin, request.substr(0, 100), status);
            Client client(server);
            client.send(request);
            const Reply reply = client.reply();
            // What is read of the head of a request decides about its page first.
            CHECK((reply.status == status || (allowed.empty() && reply.status == 403)));
            CHECK(reply.header("Access-Control-Allow-Origin") == allowed);
            CHECK(reply.header("Access-Control-Allow-Credentials") ==
                  (allowed.empty() ? "" : "true"));
        }
    };
    check("https://lichess.org", "https://lichess.org");
    check("http://localhost:5173", "http://localhost:5173");
    check("https://evil.example.org", "");
    check("null", "");
    // All bodies together.
    Client first(server);
    first.get("/body", "Content-Length: 1000\r\n", "POST");
    first.send(std::string(999, 'x'));
    CHECK(comes_true([&] {
        Client other(server);
        other.get("/body", "Content-Length: 900\r\nOrigin: https://lichess.org\r\n", "POST");
        other.send(std::string(900, 'x'));
        const Reply reply = other.reply();
        return reply.status == 503 &&
               reply.header("Access-Control-Allow-Origin") == "https://lichess.org";
    }));
}

TEST_CASE("A client beyond the limit gets an error that pages can read") {
    TestServer server({}, {.most_connections = 8});
    std::vector<Client> clients;
    for (int i = 0; i < 8; ++i) {
        clients.emplace_back(server);
        CHECK(clients.back().ask("/").status == 200);
    }
    Client more(server);
    const Reply reply = more.ask("/", "Origin: https://lichess.org\r\n");
    CHECK(reply.status == 503);
    CHECK(reply.body == "busy");
    CHECK(reply.header("Retry-After") == "5");
    CHECK(reply.header("Access-Control-Allow-Origin") == "https://lichess.org");
    CHECK(more.ended());
    clients.pop_back();
    CHECK(comes_true([&] { return Client(server).ask("/").status == 200; }));
}

TEST_CASE("A scan is stopped when its client leaves") {
    Scan scan;
    TestServer server([&scan](const Request&) { return scan.task(); });
    {
        Client client(server);
        client.get("/");
        REQUIRE(scan.begun.wait());
    }
    CHECK(scan.stopped.wait());
}

TEST_CASE("A scan that takes too long is stopped, and abandoned if it does not stop") {
    Scan scan;
    Gate end;
    TestServer server(
        [&](const Request& request) {
            if (request.path.empty()) return scan.task();
            Task task = task_of({}, Cost::kScan);
            task.run = [&end](std::stop_token) {
                end.wait();
                return Answer{};
            };
            return task;
        },
        {.work = 40ms});
    Client client(server);
    // On a busy machine the time may be over before the scan begins.
    CHECK(comes_true([&] {
        const Reply slow = client.ask("/");
        CHECK(slow.status == 503);
        CHECK(slow.body == "timeout");
        return scan.begun.is_open();
    }));
    CHECK(scan.stopped.wait());
    CHECK(client.ask("/heedless").status == 503);
    // The connection is as good as before.
    CHECK(client.ask("/health").status == 200);
    end.open();
}

TEST_CASE("A scan never delays a look-up, and a full pool refuses more scans") {
    Scan scan;
    TestServer server(
        [&scan](const Request& request) {
            return request.path.empty() ? scan.task() : task_of("found");
        },
        {.threads = 1, .scans = {1, 2}});
    Client one(server);
    one.get("/");
    REQUIRE(scan.begun.wait());
    Client two(server);
    two.get("/");
    Client three(server);
    CHECK(comes_true([&] {
        return three.ask("/metrics").body.find("fendex_http_scans 2\n") != std::string::npos;
    }));
    const Reply full = three.ask("/");
    CHECK(full.status == 503);
    CHECK(full.body == "busy");
    CHECK(full.header("Retry-After") == "5");
    CHECK(three.ask("/look-up").body == "found");
    scan.gate.open();
    CHECK(one.reply().body == "scanned");
    CHECK(two.reply().body == "scanned");
    CHECK(three.ask("/").body == "scanned");
}

TEST_CASE("A stream waits for its client, and ends when the client leaves") {
    std::atomic<int> pieces = 0;
    Gate gone;
    TestServer server([&](const Request&) {
        Task task = task_of({}, Cost::kScan);
        task.run = [&](std::stop_token) {
            Answer answer;
            answer.more = [&pieces, end = std::shared_ptr<void>(nullptr, [&gone](void*) {
                                        gone.open();
                                    })](std::string& out) {
                out.assign(std::size_t{1} << 20, 'x');
                ++pieces;
                return true;
            };
            return answer;
        };
        return task;
    });
    {
        Client client(server);
        client.get("/");
        int before = -1;
        // It goes on until the sockets' buffers are full.
        CHECK(comes_true([&] {
            const bool same = pieces == before && before > 0;
            before = pieces;
            std::this_thread::sleep_for(20ms);
            return same;
        }));
        CHECK(pieces < 100);
    }
    CHECK(gone.wait());
}

TEST_CASE("A connection is closed if its client does not read the answer") {
    TestServer server(
        [](const Request&) { return task_of(std::string(std::size_t{30} << 20, 'x')); },
        {.idle = 40ms});
    Client deaf(server);
    deaf.get("/");
    Client other(server);
    CHECK(comes_true([&] {
        Client watch(server);
        return watch.ask("/metrics").body.find("status=\"499\"} 1\n") != std::string::npos;
    }));
}

TEST_CASE("Thousands of connections can be open", "[full]") {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    ServerOptions options;
    // Both ends are in this process.
    const std::size_t possible =
        limit.rlim_max / 2 - std::min<std::size_t>(1000, limit.rlim_max / 4);
    const std::size_t many = std::min<std::size_t>(possible, at_size<std::size_t>(500, 2000));
    options.most_connections = many;
    TestServer server({}, options);
    std::vector<Client> clients;
    for (std::size_t i = 0; i < many; ++i) {
        clients.emplace_back(server);
        if (i % 3 == 0) clients.back().send("GET / HT");
    }
    CHECK(clients.front().send("TP/1.1\r\nHost: localhost\r\n\r\n"));
    CHECK(clients.front().reply().body == "hello");
    CHECK(clients[many / 2].send(many / 2 % 3 == 0 ? "TP/1.1\r\nHost: localhost\r\n\r\n"
                                                   : "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    CHECK(clients[many / 2].reply().body == "hello");
    CHECK(comes_true([&] {
        const std::string all = "fendex_http_connections " + std::to_string(many) + '\n';
        return clients[1].ask("/metrics").body.find(all) != std::string::npos;
    }));
    // One more is turned away, until another leaves.
    CHECK(Client(server).ask("/").status == 503);
    clients.pop_back();
    CHECK(comes_true([&] { return Client(server).ask("/").status == 200; }));
}

TEST_CASE("Requests in flight are finished before the server ends") {
    Scan scan;
    TestServer server([&scan](const Request&) { return scan.task(); });
    Client idle(server);
    CHECK(idle.ask("/health").status == 200);
    Client busy(server);
    busy.get("/");
    REQUIRE(scan.begun.wait());
    server.stop();
    CHECK(idle.ended());
    CHECK(
        comes_true([&] { return !Client(server).get("/") || Client(server).reply().status == 0; }));
    scan.gate.open();
    const Reply reply = busy.reply();
    CHECK(reply.body == "scanned");
    CHECK(reply.header("Connection") == "close");
    server.join();
}

TEST_CASE("A server that ends waits only for a limited time") {
    Scan scan;
    TestServer server([&scan](const Request&) { return scan.task(); }, {.drain = 40ms});
    Client client(server);
    client.get("/");
    REQUIRE(scan.begun.wait());
    Client half(server);
    half.send("GET / HT");
    server.stop();
    server.join();
    CHECK(client.reply().status == 0);
    CHECK(scan.stopped.wait());
}
