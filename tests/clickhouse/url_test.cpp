#include "clickhouse/client/url.hpp"

#include <catch2/catch.hpp>

#include "store/store_error.hpp"

using namespace fendex::clickhouse;
using Catch::Matchers::Contains;
using fendex::store::StoreError;

TEST_CASE("a URL of a cluster is split into its parts") {
    const Url url = parse_url("clickhouse://anna@db.example:9123,[::1],other-host/chess_2");
    CHECK_FALSE(url.tls);
    CHECK(url.user == "anna");
    CHECK(url.endpoints ==
          std::vector<Endpoint>{{"db.example", 9123}, {"::1", 8123}, {"other-host", 8123}});
    CHECK(url.database == "chess_2");
    CHECK(to_text(url) == "clickhouse://anna@db.example:9123,[::1]:8123,other-host:8123/chess_2");
    CHECK(parse_url(to_text(url)) == url);
    CHECK(parse_url("clickhouses://h/d") ==
          Url{.tls = true, .user = "", .endpoints = {{"h", 8443}}, .database = "d"});
}

TEST_CASE("a path of a file is not a URL of a cluster") {
    CHECK(is_url("clickhouse://"));
    CHECK(is_url("clickhouses://h/d"));
    CHECK_FALSE(is_url("games.fendex"));
    CHECK_FALSE(is_url("clickhouse:/h/d"));
    CHECK_FALSE(is_url("http://h/d"));
}

TEST_CASE("a wrong URL of a cluster is an error with advice") {
    const auto [text, part] = GENERATE(table<std::string, std::string>({
        {"clickhouse://", "database is missing"},
        {"clickhouse://h", "database is missing"},
        {"clickhouse://h/", "database is missing"},
        {"clickhouse:///d", "host is missing"},
        {"clickhouse://a,,b/d", "host is missing"},
        {"clickhouse://:8123/d", "host is missing"},
        {"clickhouse://h:0/d", "is not a port"},
        {"clickhouse://h:65536/d", "is not a port"},
        {"clickhouse://h:80x/d", "is not a port"},
        {"clickhouse://h:/d", "is not a port"},
        {"clickhouse://h/d/e", "is not the name of a database"},
        {"clickhouse://h/d?x=1", "is not the name of a database"},
        {"clickhouse://h/d`e", "is not the name of a database"},
        {"clickhouse://h\r\nX-Y/d", "is not the name of a host"},
        {"clickhouse://h h/d", "is not the name of a host"},
        {"clickhouse://[::1/d", "IPv6"},
        {"clickhouse://[]/d", "IPv6"},
        {"clickhouse://[::1]8123/d", "is not a host and a port"},
        {"clickhouse://@h/d", "is not the name of a user"},
        {"clickhouse://a b@h/d", "is not the name of a user"},
        {"http://h/d", "is not the URL of a cluster"},
    }));
    CAPTURE(text);
    CHECK_THROWS_WITH(parse_url(text),
                      Contains(part) && Contains("clickhouse://user@host:8123/database"));
    CHECK_THROWS_AS(parse_url(text), StoreError);
}

TEST_CASE("a password in a URL is refused and not in the message") {
    const std::string text =
        GENERATE("clickhouse://u:tiger@h/d", "clickhouses://u:ti/ger@h:1/d", "clickhouse://:@h/d");
    CHECK_THROWS_WITH(parse_url(text), Contains("--password-file") &&
                                           Contains("$CLICKHOUSE_PASSWORD") && !Contains("ger"));
}
