// Decides which requests may be answered, by the headers Host, Origin and Sec-Fetch-Site. Pages of
// other sites cannot read the answers, even if the name of their site is made to resolve to this
// machine (DNS rebinding). Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http/answer.hpp"

namespace fendex::serve {

/// Returns the name in "name", "name:9002" or "[::1]:9002": lower case, without brackets and the
/// dot at its end; nullopt if the text is not a host.
[[nodiscard]] std::optional<std::string> host_name(std::string_view host);

/// Returns whether a name, as host_name() returns it, is a loopback name: localhost, *.localhost,
/// 127.0.0.0/8, ::1.
[[nodiscard]] bool is_loopback(std::string_view name);

/// The headers of a request that show where it comes from. An absent header is empty.
struct Asker {
    std::string_view host;
    std::string_view origin;
    std::string_view fetch_site;
};

class Guard {
  public:
    /// `address`: where the server listens. `host_names`: further names that Host may have.
    /// `origins`: further sites whose pages may send requests; "*": all.
    Guard(const std::string& address, const std::vector<std::string>& host_names,
          std::vector<std::string> origins);

    /// Returns why the request is refused; nullopt if it may be answered.
    [[nodiscard]] std::optional<Refusal> refusal(const Asker& asker) const;
    /// Returns the value of Access-Control-Allow-Origin; empty if the answer must not have it.
    [[nodiscard]] std::string_view allowed_origin(const Asker& asker) const;

  private:
    [[nodiscard]] bool knows_host(std::string_view host) const;
    [[nodiscard]] bool knows_origin(const Asker& asker) const;

    std::vector<std::string> names_;
    std::vector<std::string> origins_;
    bool any_address_ = false;  // the server listens on all addresses: Host may be any
    bool any_origin_ = false;
};

}  // namespace fendex::serve
