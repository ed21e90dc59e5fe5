// The parts of the server that know no sockets.
#include <catch2/catch.hpp>
#include <thread>

#include "serve/http/content_coding.hpp"
#include "serve/http/entity_tag.hpp"
#include "serve/http/guard.hpp"
#include "serve/http/log.hpp"
#include "serve/http/metrics.hpp"
#include "serve/http/pool.hpp"
#include "serve/http/target.hpp"

using namespace fendex::serve;

TEST_CASE("A target is split before it is decoded") {
    const auto target = parse_target("/a%2Fb//c/?x=1+2%26&&y&z=a=b#part");
    REQUIRE(target);
    CHECK(target->path == std::vector<std::string>{"a/b", "", "c"});
    REQUIRE(target->parameters.size() == 3);
    CHECK(target->parameters[0].value == "1 2&");
    CHECK(target->parameters[1].name == "y");
    CHECK(target->parameters[1].value.empty());
    CHECK(target->parameters[2].value == "a=b");
    CHECK(parse_target("/")->path.empty());
    CHECK(parse_target("")->path.empty());
    CHECK(parse_target("/+")->path == std::vector<std::string>{"+"});
    for (const char* malformed :
         {"/%", "/%4", "/%4g", "/%-1", "/%00", "/?%zz=1", "/?a=%", "/?a=%+1"}) {
        CHECK_FALSE(parse_target(malformed));
    }
}

TEST_CASE("A target may name the host, as for a proxy") {
    CHECK(split_authority("http://host:9002/a?b").authority == "host:9002");
    CHECK(split_authority("http://host:9002/a?b").target == "/a?b");
    CHECK(split_authority("http://host").target == "/");
    CHECK(split_authority("http://host?a").target == "?a");
    CHECK(split_authority("/a?b=http://host/").authority.empty());
    CHECK(split_authority("*").target == "*");
}

TEST_CASE("Hosts are read with and without ports") {
    CHECK(host_name("LocalHost.:9002") == "localhost");
    CHECK(host_name("[::1]:80") == "::1");
    for (const char* wrong : {"", ":80", "a:b", "[::1", "[a]", "[::1]x", "a:80x"}) {
        CHECK_FALSE(host_name(wrong));
    }
    for (const char* near : {"localhost", "page.localhost", "127.0.0.1", "127.9.9.9", "::1"}) {
        CHECK(is_loopback(near));
    }
    for (const char* far : {"localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "::2"}) {
        CHECK_FALSE(is_loopback(far));
    }
}

TEST_CASE("Only names of the server are accepted as hosts") {
    const Guard guard("192.168.1.5", {"Chess.example.org"}, {});
    for (const char* host : {"localhost:9002", "192.168.1.5", "chess.example.org:443", "[::1]"}) {
        CHECK_FALSE(guard.refusal({host, {}, {}}));
    }
    for (const char* host : {"evil.example.org", "192.168.1.6", "localhost@evil", "a b"}) {
        REQUIRE(guard.refusal({host, {}, {}}));
        CHECK(guard.refusal({host, {}, {}})->code == "wrong_host");
    }
    const Guard everywhere("0.0.0.0", {}, {});
    CHECK_FALSE(everywhere.refusal({"192.168.1.6:9002", {}, {}}));
    CHECK_FALSE(everywhere.refusal({"[fe80::1]:9002", {}, {}}));
    CHECK(everywhere.refusal({"evil.example.org", {}, {}}));
}

TEST_CASE("Requests from pages of other sites are refused") {
    const Guard guard("127.0.0.1", {"chess.example.org"}, {"https://Friend.example.org/"});
    const std::string_view host = "chess.example.org";
    for (const char* origin :
         {"https://lichess.org", "http://localhost:5173", "http://127.0.0.1", "http://[::1]:80",
          "https://friend.example.org", "https://chess.example.org"}) {
        CHECK_FALSE(guard.refusal({host, origin, "cross-site"}));
        CHECK(guard.allowed_origin({host, origin, {}}) == origin);
    }
    for (const char* origin :
         {"null", "https://evil.example.org", "http://lichess.org", "https://lichess.org.evil.org",
          "ftp://localhost", "localhost", "https://lichess.org, https://lichess.org"}) {
        CHECK(guard.refusal({host, origin, {}})->code == "foreign_origin");
        CHECK(guard.allowed_origin({host, origin, {}}).empty());
    }
    CHECK(guard.refusal({host, {}, "cross-site"}));
    CHECK_FALSE(guard.refusal({host, {}, "same-origin"}));
    CHECK_FALSE(guard.refusal({host, {}, "none"}));
    CHECK_FALSE(guard.refusal({host, {}, {}}));
    CHECK(guard.allowed_origin({host, {}, {}}).empty());

    const Guard open("127.0.0.1", {}, {"*"});
    CHECK_FALSE(open.refusal({"localhost", "https://evil.example.org", "cross-site"}));
    CHECK(open.allowed_origin({"localhost", {}, {}}) == "*");
    CHECK(open.refusal({"evil.example.org", {}, {}}));
}

TEST_CASE("A client accepts gzip only if its headers say so") {
    for (const char* yes : {"gzip", "deflate, gzip;q=0.5", "*", "br;q=1.0, x-gzip", "gzip ; q=1"}) {
        CHECK(accepts_gzip(yes));
    }
    for (const char* no : {"", "br", "gzip;q=0", "gzip;q=0.000, *", "identity, *;q=0", "gzipped"}) {
        CHECK_FALSE(accepts_gzip(no));
    }
}

TEST_CASE("Answers are compressed if it is worth it") {
    const std::string text(5000, 'x');
    const auto encoded = [](std::string body, Coding coding, std::string type = kJson) {
        Answer answer;
        answer.body = std::move(body);
        answer.type = std::move(type);
        CHECK_FALSE(encode(answer, coding));
        return answer;
    };
    const Answer packed = encoded(text, {true, false});
    CHECK(packed.encoding == "gzip");
    CHECK(packed.body.size() < 100);
    CHECK(gunzip(packed.body) == text);
    CHECK(encoded(text, {false, false}).body == text);
    CHECK(encoded(text, {true, true}).body == text);
    CHECK(encoded(text, {true, false}, "image/png").body == text);
    CHECK(encoded("short", {true, false}).encoding.empty());

    // What is packed already is sent so to all who take it, and unpacked for the others.
    Answer whole = packed;
    CHECK_FALSE(encode(whole, {true, true}));
    CHECK(whole.body == packed.body);
    CHECK_FALSE(encode(whole, {false, true}));
    CHECK(whole.body == text);
    CHECK(whole.encoding.empty());
    CHECK_FALSE(gunzip(packed.body.substr(0, packed.body.size() - 1)));
    CHECK_FALSE(gunzip("no gzip"));
}

TEST_CASE("A stream is compressed piece by piece") {
    Answer answer;
    answer.more = [](std::string&) { return false; };
    const std::unique_ptr<fendex::base::Compressor> gzip = encode(answer, {true, false});
    REQUIRE(gzip);
    using enum fendex::base::Compressor::Then;
    const std::string first = gzip->add("first", kFlush);
    CHECK(first.size() > 5);
    // What came so far can be read before the rest is there.
    CHECK(first.ends_with(std::string("\0\0\xFF\xFF", 4)));
    const std::string second = gzip->add("second", kFlush);
    CHECK(gunzip(first + second + gzip->add({}, kEnd)) == "firstsecond");
}

TEST_CASE("An entity tag depends on everything that the answer depends on") {
    const std::string tag = entity_tag("1", "/a", "json", {});
    CHECK(tag == entity_tag("1", "/a", "json", {}));
    CHECK(tag != entity_tag("2", "/a", "json", {}));
    CHECK(tag != entity_tag("1", "/b", "json", {}));
    CHECK(tag != entity_tag("1", "/a", "", {}));
    CHECK(tag != entity_tag("1/", "a", "json", {}));
    CHECK(tag != entity_tag("1", "/a", "json", {true, false}));
    CHECK(has_tag("\"x\", W/" + tag, tag));
    CHECK(has_tag("*", tag));
    CHECK_FALSE(has_tag("\"x\"", tag));
}

TEST_CASE("Metrics are counted by route and status") {
    Metrics metrics;
    metrics.count("/tree", 200, 100, std::chrono::microseconds(90));
    metrics.count("/tree", 200, 100, std::chrono::seconds(60));
    metrics.count("/tree", 404, 1, std::chrono::milliseconds(3));
    metrics.count("a\"\\\n", 200, 0, {});
    const std::string text = metrics.text({7, 1, 2});
    for (const char* line :
         {"fendex_http_connections 7\n", "fendex_http_scans 2\n",
          "fendex_http_sent_bytes_total 201\n",
          "fendex_http_requests_total{route=\"/tree\",status=\"200\"} 2\n",
          "fendex_http_requests_total{route=\"/tree\",status=\"404\"} 1\n",
          "fendex_http_requests_total{route=\"a\\\"\\\\\\n\",status=\"200\"} 1\n",
          "fendex_http_request_seconds_bucket{route=\"/tree\",le=\"0.0001\"} 1\n",
          "fendex_http_request_seconds_bucket{route=\"/tree\",le=\"0.005\"} 2\n",
          "fendex_http_request_seconds_bucket{route=\"/tree\",le=\"30\"} 2\n",
          "fendex_http_request_seconds_bucket{route=\"/tree\",le=\"+Inf\"} 3\n",
          "fendex_http_request_seconds_count{route=\"/tree\"} 3\n"}) {
        CHECK_THAT(text, Catch::Contains(line));
    }
}

TEST_CASE("A line of the log has six fields whatever the request") {
    Logged logged;
    logged.time = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'500));
    logged.client = "127.0.0.1";
    logged.route = "/a b\r\n\x1b[31m\xff";
    logged.status = 404;
    logged.bytes = 12;
    logged.took = std::chrono::microseconds(87);
    CHECK(log_line(logged) ==
          "1970-01-01T00:00:01.500Z 127.0.0.1 /a\\x20b\\x0d\\x0a\\x1b[31m\\xff 404 12 87\n");
}

TEST_CASE("A pool admits as many tasks as it has places") {
    Pool pool({1, 2}, 0);
    Pool::Place one = pool.enter();
    {
        const Pool::Place two = pool.enter();
        CHECK(two);
        CHECK_FALSE(pool.enter());
    }
    Pool::Place three = pool.enter();
    CHECK(three);
    CHECK(pool.taken() == 2);
    int runs = 0;
    for (int i = 0; i < 10; ++i) pool.run([&runs] { ++runs; });
    pool.end();
    CHECK(runs == 10);
}
