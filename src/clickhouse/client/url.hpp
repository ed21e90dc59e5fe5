// The address of a ClickHouse server: clickhouse://[user@]host[:8123][,host[:8123]...]/database
// over HTTP, clickhouses:// over HTTPS (port 8443). It never holds a password.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::clickhouse {

struct Endpoint {
    std::string host;  // a name or an address; an IPv6 address is without its brackets
    std::uint16_t port = 0;

    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

struct Url {
    bool tls = false;
    std::string user;                 // empty: the server's user "default"
    std::vector<Endpoint> endpoints;  // at least one; the next is tried if one cannot be reached
    std::string database;             // letters, digits and _ only, so it needs no quotes in SQL

    friend bool operator==(const Url&, const Url&) = default;
};

/// Returns true if the text begins with clickhouse:// or clickhouses://.
bool is_url(std::string_view text);

/// Returns true if a text can be the host of a URL: a name or an address.
bool is_host(std::string_view text);

/// Reads a URL. Throws store::StoreError (kOther) with advice if it is wrong, or has a password.
/// The message never contains the password.
Url parse_url(std::string_view text);

/// Returns the URL as text that parse_url() reads.
std::string to_text(const Url& url);
/// Returns "host:port", with brackets around an IPv6 address.
std::string to_text(const Endpoint& endpoint);

}  // namespace fendex::clickhouse
