#include "serve/http/server.hpp"

#include <catch2/catch.hpp>

#include "test_server.hpp"

using namespace fendex::serve;
using namespace fendex::test;

TEST_CASE("A connection gets one answer after the other") {
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

TEST_CASE("A stream is pulled piece by piece") {
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
