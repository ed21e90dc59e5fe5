// Decides which requests may be answered at all, by the headers Host, Origin and Sec-Fetch-Site. It
// keeps pages of other sites from reading what is served here, also if their site's name comes to
// mean this machine (DNS rebinding). Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http/answer.hpp"

namespace fendex::serve {

/// Returns the name in "name", "name:9002" or "[::1]:9002": lower case, without brackets and the
/// dot at its end; nullopt if the text is no host.
[[nodiscard]] std::optional<std::string> host_name(std::string_view host);

/// Returns whether a name, as host_name() returns it, means the machine of whoever asks:
/// localhost, *.localhost, 127.0.0.0/8, ::1.
[[nodiscard]] bool is_loopback(std::string_view name);

/// The headers of a request that tell where it comes from; empty: absent.
struct Asker {
    std::string_view host;
    std::string_view origin;
    std::string_view fetch_site;
};

class Guard {
  public:
    /// `address`: where the server listens. `host_names`: further names that it may be called by.
    /// `origins`: sites whose pages may ask, in addition to the usual ones; "*": all.
    Guard(const std::string& address, const std::vector<std::string>& host_names,
          std::vector<std::string> origins);

    /// Returns why the request is not answered; nullopt if it may be.
    [[nodiscard]] std::optional<Refusal> refusal(const Asker& asker) const;
    /// Returns the value of Access-Control-Allow-Origin; empty: the answer does not have it.
    [[nodiscard]] std::string_view allowed_origin(const Asker& asker) const;

  private:
    [[nodiscard]] bool knows_host(std::string_view host) const;
    [[nodiscard]] bool knows_origin(const Asker& asker) const;

    std::vector<std::string> names_;
    std::vector<std::string> origins_;
    bool any_address_ = false;  // it listens on all addresses: each may be its name
    bool any_origin_ = false;
};

}  // namespace fendex::serve
