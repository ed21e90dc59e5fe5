#include "clickhouse/client/url.hpp"

#include <algorithm>

#include "base/joined.hpp"
#include "base/number_of.hpp"
#include "base/printable.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {
namespace {

using store::StoreError;

constexpr std::string_view kPlain = "clickhouse://";
constexpr std::string_view kTls = "clickhouses://";
constexpr std::uint16_t kPlainPort = 8123;
constexpr std::uint16_t kTlsPort = 8443;

constexpr std::string_view kAdvice = "write clickhouse://user@host:8123/database";

[[noreturn]] void refuse(const std::string& what) {
    throw StoreError(StoreError::kOther, what + "; " + std::string(kAdvice));
}

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_of_database(char c) { return is_letter_or_digit(c) || c == '_'; }

// Names also go into headers and URLs, so characters that could end a name there are refused.
bool is_of_host(char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_'; }
bool is_of_address(char c) { return is_letter_or_digit(c) || c == '.' || c == ':' || c == '%'; }
bool is_of_user(char c) { return is_of_host(c) || c == '@' || c == '+'; }

bool consists(std::string_view text, bool (*of)(char)) {
    return !text.empty() && std::ranges::all_of(text, of);
}

Endpoint parse_endpoint(std::string_view text, std::uint16_t default_port) {
    Endpoint endpoint{.host = {}, .port = default_port};
    std::string_view port;
    bool has_port = false;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        const auto address = text.substr(1, end == text.npos ? end : end - 1);
        if (end == text.npos || !consists(address, is_of_address)) {
            refuse("'" + base::printable(text) + "' is not an IPv6 address in brackets");
        }
        endpoint.host = address;
        has_port = end + 1 < text.size();
        if (has_port && text[end + 1] != ':') {
            refuse("'" + base::printable(text) + "' is not a host and a port");
        }
        if (has_port) port = text.substr(end + 2);
    } else {
        const auto colon = text.find(':');
        has_port = colon != text.npos;
        endpoint.host = text.substr(0, colon);
        if (has_port) port = text.substr(colon + 1);
        if (endpoint.host.empty()) refuse("the host is missing in the URL");
        if (!consists(endpoint.host, is_of_host)) {
            refuse("'" + base::printable(endpoint.host) + "' is not the name of a host");
        }
    }
    if (has_port) {
        endpoint.port = base::number_of<std::uint16_t>(port).value_or(0);
        if (endpoint.port == 0) {
            refuse("'" + base::printable(port) + "' is not a port (1 to 65535)");
        }
    }
    return endpoint;
}

}  // namespace

bool is_url(std::string_view text) { return text.starts_with(kPlain) || text.starts_with(kTls); }

bool is_host(std::string_view text) {
    return consists(text, is_of_host) || consists(text, is_of_address);
}

Url parse_url(std::string_view text) {
    Url url;
    if (!is_url(text)) refuse("'" + base::printable(text) + "' is not the URL of a cluster");
    url.tls = text.starts_with(kTls);
    text.remove_prefix(url.tls ? kTls.size() : kPlain.size());

    // The user is read first, because a password may contain a '/'.
    const auto at = text.rfind('@');
    if (at != text.npos) {
        const auto user = text.substr(0, at);
        // The message must not contain the password: messages go to logs.
        if (user.find(':') != user.npos) {
            throw StoreError(StoreError::kOther,
                             "a password in the URL is refused, since others can read it there; "
                             "give it with --password-file or in $CLICKHOUSE_PASSWORD");
        }
        if (!consists(user, is_of_user)) {
            refuse("'" + base::printable(user) + "' is not the name of a user");
        }
        url.user = user;
        text.remove_prefix(at + 1);
    }

    const auto slash = text.find('/');
    if (slash == text.npos || slash + 1 == text.size()) {
        refuse("the database is missing in the URL");
    }
    url.database = text.substr(slash + 1);
    if (!consists(url.database, is_of_database)) {
        refuse("'" + base::printable(url.database) +
               "' is not the name of a database (letters, digits and _)");
    }
    text = text.substr(0, slash);
    for (;;) {
        const auto comma = text.find(',');
        url.endpoints.push_back(
            parse_endpoint(text.substr(0, comma), url.tls ? kTlsPort : kPlainPort));
        if (comma == text.npos) return url;
        text.remove_prefix(comma + 1);
    }
}

std::string to_text(const Endpoint& endpoint) {
    const bool in_brackets = endpoint.host.find(':') != std::string::npos;
    return (in_brackets ? "[" + endpoint.host + "]" : endpoint.host) + ":" +
           std::to_string(endpoint.port);
}

std::string to_text(const Url& url) {
    std::string text(url.tls ? kTls : kPlain);
    if (!url.user.empty()) text += url.user + "@";
    const auto endpoint = [](const Endpoint& each) { return to_text(each); };
    return text + base::joined(",", url.endpoints, endpoint) + "/" + url.database;
}

}  // namespace fendex::clickhouse
