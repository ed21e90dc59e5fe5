#include "serve/http/guard.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

namespace fendex::serve {

namespace {

// Its analysis board uses the explorer's API.
constexpr std::string_view kLichess = "https://lichess.org";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_ipv4(const std::string& name) {
    in_addr address{};
    return ::inet_pton(AF_INET, name.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& name) {
    in6_addr address{};
    return ::inet_pton(AF_INET6, name.c_str(), &address) == 1;
}

/// Returns the part of an origin after the scheme: "name:443" of "https://name:443".
std::string_view authority_of(std::string_view origin) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (origin.starts_with(scheme)) return origin.substr(scheme.size());
    }
    return {};
}

}  // namespace

std::optional<std::string> host_name(std::string_view host) {
    const bool brackets = host.starts_with('[');
    const std::size_t end = brackets ? host.find(']') : host.find(':');
    if (brackets && end == std::string_view::npos) return std::nullopt;
    std::string_view port = host.substr(std::min(end, host.size()));
    std::string_view name = host.substr(0, end);
    if (brackets) {
        name.remove_prefix(1);
        port.remove_prefix(1);
    }
    if (!port.empty() && (port[0] != ':' || !std::all_of(port.begin() + 1, port.end(), is_digit))) {
        return std::nullopt;
    }
    if (name.ends_with('.')) name.remove_suffix(1);
    std::string lowered(name);
    std::ranges::transform(lowered, lowered.begin(), lower);
    if (lowered.empty() || (brackets && !is_ipv6(lowered))) return std::nullopt;
    return lowered;
}

bool is_loopback(std::string_view name) {
    return name == "localhost" || name.ends_with(".localhost") || name == "::1" ||
           (name.starts_with("127.") && is_ipv4(std::string(name)));
}

Guard::Guard(const std::string& address, const std::vector<std::string>& host_names,
             std::vector<std::string> origins)
    : origins_(std::move(origins)),
      any_address_(address == "0.0.0.0" || address == "::"),
      any_origin_(std::ranges::find(origins_, "*") != origins_.end()) {
    names_ = host_names;
    names_.push_back(address);
    for (std::string& name : names_) {
        if (const auto known = host_name(is_ipv6(name) ? '[' + name + ']' : name)) name = *known;
    }
    for (std::string& origin : origins_) {
        std::ranges::transform(origin, origin.begin(), lower);
        if (origin.ends_with('/')) origin.pop_back();
    }
    origins_.emplace_back(kLichess);
}

bool Guard::knows_host(std::string_view host) const {
    const auto name = host_name(host);
    if (!name) return false;
    // DNS rebinding needs a name; an address in digits cannot be rebound.
    return is_loopback(*name) || std::ranges::find(names_, *name) != names_.end() ||
           (any_address_ && (is_ipv4(*name) || is_ipv6(*name)));
}

bool Guard::knows_origin(const Asker& asker) const {
    if (std::ranges::find(origins_, asker.origin) != origins_.end()) return true;
    const std::string_view authority = authority_of(asker.origin);
    if (authority.empty()) return false;
    if (authority == asker.host) return true;
    const auto name = host_name(authority);
    return name && is_loopback(*name);
}

std::optional<Refusal> Guard::refusal(const Asker& asker) const {
    if (!asker.host.empty() && !knows_host(asker.host)) {
        return Refusal{403, "wrong_host",
                       "this server does not have that name; --host-name adds names"};
    }
    if (any_origin_) return std::nullopt;
    if (asker.origin.empty() ? asker.fetch_site == "cross-site" : !knows_origin(asker)) {
        return Refusal{403, "foreign_origin",
                       "pages of other sites may not send requests; --allow-origin allows it"};
    }
    return std::nullopt;
}

std::string_view Guard::allowed_origin(const Asker& asker) const {
    if (any_origin_) return "*";
    return !asker.origin.empty() && knows_origin(asker) ? asker.origin : std::string_view();
}

}  // namespace fendex::serve
