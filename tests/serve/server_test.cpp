#include "serve/http/server.hpp"

#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "serve/test_server.hpp"
#include "support/process.hpp"

using namespace fendex::serve;
using namespace fendex::test;

TEST_CASE("A connection gets the answers to its requests one after the other") {
    TestServer server([](const Request& request) {
        std::string text = request.method == Method::kPost ? "POST" : "GET";
        for (const std::string& part : request.path) text += '/' + part;
        for (const Parameter& each : request.parameters) {
            text += '?' + each.name + '=' + each.value;
        }
        return task_of(text + request.body);
    });
    Client client(server);
    CHECK(client.ask("/").body == "GET");
    CHECK(client.ask("/a%2Fb/c?x=1+2&y=%C3%A9").body == "GET/a/b/c?x=1 2?y=\u00e9");
    client.send("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody");
    CHECK(client.reply().body == "POST/pbody");
    client.send(
        "POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        "2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n");
    CHECK(client.reply().body == "POST/pbody");
}

TEST_CASE("A stream is sent piece by piece") {
    const Cost cost = GENERATE(Cost::kLookUp, Cost::kSums, Cost::kScan);
    TestServer server([cost](const Request&) {
        Task task;
        task.cost = cost;
        task.run = [](std::stop_token) {
            Answer answer;
            answer.body = "begin";
            answer.more = [i = 0](std::string& out) mutable {
                if (i % 2 == 0) out = std::to_string(i);
                return ++i < 10;
            };
            return answer;
        };
        return task;
    });
    Client client(server);
    CHECK(client.ask("/").body == "begin02468");
    const Reply again = client.ask("/");
    CHECK(again.body == "begin02468");
    CHECK(again.whole);
}

TEST_CASE("An error in a stream cuts the connection") {
    TestServer server([](const Request&) {
        Task task;
        task.cost = Cost::kScan;
        task.run = [](std::stop_token) {
            Answer answer;
            answer.more = [i = 0](std::string& out) mutable {
                if (i++ == 1) throw std::runtime_error("broken");
                out = "piece";
                return true;
            };
            return answer;
        };
        return task;
    });
    const Reply reply = Client(server).ask("/");
    CHECK(reply.status == 200);
    CHECK(reply.body == "piece");
    CHECK_FALSE(reply.whole);
}

TEST_CASE("HEAD is answered like GET, without the body") {
    TestServer server;
    Client client(server);
    const Reply head = client.ask("/", {}, "HEAD");
    CHECK(head.status == 200);
    CHECK(head.header("Content-Length") == "5");
    CHECK(client.ask("/").body == "hello");
}

TEST_CASE("Every answer has the security headers") {
    TestServer server([](const Request& request) -> Task {
        if (request.path.empty()) return task_of("hello");
        if (request.path[0] == "own") {
            Task task;
            task.run = [](std::stop_token) {
                Answer answer;
                answer.headers = {{"cache-control", "immutable"}, {"X-Own", "a\r\nb"}};
                return answer;
            };
            return task;
        }
        throw Refusal{404, "none", {}};
    });
    Client client(server);
    for (const char* target : {"/", "/nothing", "/%", "/health"}) {
        const Reply reply = client.ask(target);
        CHECK_THAT(reply.header("Content-Security-Policy"),
                   Catch::StartsWith("default-src 'self'"));
        CHECK(reply.header("X-Content-Type-Options") == "nosniff");
        CHECK(reply.header("Referrer-Policy") == "no-referrer");
        CHECK(reply.header("Cache-Control") == "no-cache");
        CHECK_THAT(reply.header("Vary"), Catch::Contains("Origin"));
        CHECK_THAT(reply.header("Date"), Catch::EndsWith(" GMT"));
    }
    const Reply own = client.ask("/own");
    CHECK(own.header("cache-control") == "immutable");
    CHECK(own.header("Cache-Control").empty());
    CHECK(own.header("X-Own") == "ab");
}

TEST_CASE("A client that has the answer gets 304 before the answer is computed") {
    std::atomic<int> runs = 0;
    TestServer server([&runs](const Request& request) {
        Task task;
        task.version = request.find("v") ? *request.find("v") : "1";
        task.run = [&runs](std::stop_token) {
            ++runs;
            Answer answer;
            answer.body = std::string(3000, 'x');
            return answer;
        };
        return task;
    });
    Client client(server);
    const std::string tag = client.ask("/").header("ETag");
    REQUIRE_FALSE(tag.empty());
    const Reply same = client.ask("/", "If-None-Match: " + tag + "\r\n");
    CHECK(same.status == 304);
    CHECK(same.header("ETag") == tag);
    CHECK(same.header("Content-Length").empty());
    CHECK(runs == 1);
    CHECK(client.ask("/?v=2", "If-None-Match: " + tag + "\r\n").status == 200);
    CHECK(client.ask("/?v=").header("ETag").empty());
}

TEST_CASE("Requests from other sites are refused before they are planned") {
    std::atomic<int> plans = 0;
    TestServer server([&plans](const Request&) {
        ++plans;
        return task_of("hello");
    });
    Client client(server);
    CHECK(client.ask("/", "Host: evil.example.org\r\n").body == "wrong_host");
    CHECK(client.ask("/", "Origin: https://evil.example.org\r\n").status == 403);
    CHECK(client.ask("/", "Sec-Fetch-Site: cross-site\r\n").status == 403);
    CHECK(client.ask("/", "Host: localhost\r\nHost: localhost\r\n").body == "bad_host");
    CHECK(client.ask("http://evil.example.org/").status == 403);
    CHECK(plans == 0);
    const Reply friendly = client.ask("/", "Origin: https://lichess.org\r\n");
    CHECK(friendly.status == 200);
    CHECK(friendly.header("Access-Control-Allow-Origin") == "https://lichess.org");
    CHECK(plans == 1);

    // A body that follows a refused head is not read.
    client.send("POST / HTTP/1.1\r\nHost: evil.example.org\r\nContent-Length: 100\r\n\r\n");
    const Reply refused = client.reply();
    CHECK(refused.status == 403);
    CHECK(refused.header("Connection") == "close");
    CHECK(client.ended());
}

TEST_CASE("A preflight request is answered") {
    TestServer server;
    Client client(server);
    const Reply allowed = client.ask("/",
                                     "Origin: https://lichess.org\r\n"
                                     "Access-Control-Request-Headers: x-own\r\n"
                                     "Access-Control-Request-Private-Network: true\r\n",
                                     "OPTIONS");
    CHECK(allowed.status == 204);
    CHECK(allowed.header("Access-Control-Allow-Origin") == "https://lichess.org");
    CHECK(allowed.header("Access-Control-Allow-Headers") == "x-own");
    CHECK(allowed.header("Access-Control-Allow-Private-Network") == "true");
    CHECK(client.ask("/", {}, "OPTIONS").status == 204);
    CHECK(client.ask("/", {}, "DELETE").status == 405);
}

TEST_CASE("A client of HTTP/1.0 gets no chunked answer") {
    TestServer server([](const Request& request) {
        if (request.path.empty()) return task_of("hello");
        Task task;
        task.run = [](std::stop_token) {
            Answer answer;
            answer.more = [](std::string& out) {
                out = "all";
                return false;
            };
            return answer;
        };
        return task;
    });
    Client kept(server);
    kept.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    CHECK(kept.reply().header("Connection") == "keep-alive");
    kept.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const Reply stream = kept.reply();
    CHECK(stream.header("Transfer-Encoding").empty());
    CHECK(stream.body == "all");
    Client once(server);
    once.send("GET / HTTP/1.0\r\n\r\n");
    CHECK(once.reply().body == "hello");
    CHECK(once.ended());
}

TEST_CASE("A client that expects 100-continue gets it and sends its body") {
    TestServer server([](const Request& request) { return task_of(request.body); });
    Client client(server);
    client.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n"
        "Expect: 100-continue\r\n\r\n");
    CHECK(client.reply().status == 100);
    client.send("body");
    CHECK(client.reply().body == "body");
}

TEST_CASE("An exception of a task becomes an answer") {
    TestServer server([](const Request& request) -> Task {
        if (request.path[0] == "plan") throw std::runtime_error("planned");
        Task task = task_of({}, request.path[0] == "scan" ? Cost::kScan : Cost::kLookUp);
        task.run = [](std::stop_token) -> Answer { throw std::runtime_error("run"); };
        return task;
    });
    Client client(server);
    CHECK(client.ask("/plan").body == "planned");
    CHECK(client.ask("/scan").body == "run");
    CHECK(client.ask("/look-up").status == 500);
    CHECK_THAT(client.ask("/metrics").body,
               Catch::Contains("fendex_http_requests_total{route=\"/test\",status=\"500\"} 2"));
}

TEST_CASE("The log has the address of the client") {
    char name[] = "/tmp/fendex-log-XXXXXX";
    const int file = ::mkstemp(name);
    const int before = ::dup(STDERR_FILENO);
    ::dup2(file, STDERR_FILENO);
    {
        TestServer server({}, {.log = true});
        CHECK(Client(server).ask("/").status == 200);
    }
    ::dup2(before, STDERR_FILENO);
    ::close(before);
    ::close(file);
    CHECK_THAT(read_file(name), Catch::Contains("Z 127.0.0.1 /test 200 5 "));
    ::unlink(name);
}

TEST_CASE("An address in use is an error that names it") {
    TestService service({});
    TestServer first;
    const ServerOptions options{.port = first.port()};
    CHECK_THROWS_WITH(Server(options, service), Catch::StartsWith("cannot listen on 127.0.0.1:"));
}
