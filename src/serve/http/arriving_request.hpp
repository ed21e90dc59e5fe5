// A request while it arrives: Beast's parser reads its bytes, and the fields of the head that the
// server needs are kept. For one thread at a time.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "serve/http/body_budget.hpp"

namespace fendex::serve {

/// The parts of a request's head that the server needs.
struct Head {
    boost::beast::http::verb verb = boost::beast::http::verb::unknown;
    int version = 11;
    std::string target;
    std::string host;
    unsigned hosts = 0;  // number of Host fields
    std::string origin;
    std::string fetch_site;
    std::string accept;
    std::string accept_encoding;
    std::string if_none_match;
    std::string requested_headers;  // of a preflight
    bool expects_continue = false;
    bool private_network = false;  // a preflight asks whether it may reach a private network
};

/// Refuses requests whose length a proxy in front of the server could read differently, even if
/// Beast accepts them: the proxy might take part of a body for the next request, or the reverse.
class ArrivingRequest : public boost::beast::http::basic_parser<true> {
    using basic_parser = boost::beast::http::basic_parser<true>;
    using string_view = boost::beast::string_view;
    using error_code = boost::beast::error_code;

  public:
    explicit ArrivingRequest(BodyBudget& budget) : body(std::make_unique<Body>(budget)) {}

    /// Takes bytes and returns how many it took. Sets error::need_more if the request needs more.
    std::size_t put(boost::asio::const_buffer bytes, error_code& error);
    /// Reads headers from the rest of a head that put() has refused.
    void search(std::string_view rest);

    Head head;
    std::unique_ptr<Body> body;
    /// Set if the request failed because the budget of all bodies was spent.
    bool over_budget = false;

  private:
    void on_request_impl(boost::beast::http::verb verb, string_view name, string_view target,
                         int version, error_code& error) override;
    void on_response_impl(int, string_view, int, error_code&) override {}
    void on_field_impl(boost::beast::http::field field, string_view name, string_view value,
                       error_code& error) override;
    void on_header_impl(error_code& error) override;
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    std::size_t on_body_impl(string_view bytes, error_code& error) override;
    void on_chunk_header_impl(std::uint64_t size, string_view extension,
                              error_code& error) override;
    std::size_t on_chunk_body_impl(std::uint64_t left, string_view bytes,
                                   error_code& error) override;
    void on_finish_impl(error_code&) override {}

    bool trailing_ = false;  // fields after a body are ignored
    bool has_length_ = false;
};

}  // namespace fendex::serve
