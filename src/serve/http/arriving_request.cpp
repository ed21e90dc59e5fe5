#include "serve/http/arriving_request.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

namespace fendex::serve {

namespace http = boost::beast::http;

void ArrivingRequest::on_request_impl(http::verb verb, string_view /*name*/, string_view target,
                                      int version, error_code& /*error*/) {
    head.verb = verb;
    head.version = version;
    head.target.assign(target.data(), target.size());
}

void ArrivingRequest::on_field_impl(http::field field, string_view name, string_view value,
                                    error_code& /*error*/) {
    if (trailing_) return;
    std::string* kept = nullptr;
    switch (field) {
        case http::field::host:
            ++head.hosts;
            kept = &head.host;
            break;
        case http::field::origin: kept = &head.origin; break;
        case http::field::accept: kept = &head.accept; break;
        case http::field::accept_encoding: kept = &head.accept_encoding; break;
        case http::field::if_none_match: kept = &head.if_none_match; break;
        case http::field::access_control_request_headers: kept = &head.requested_headers; break;
        case http::field::expect:
            head.expects_continue = boost::beast::iequals(value, "100-continue");
            break;
        case http::field::unknown:
            if (boost::beast::iequals(name, "Sec-Fetch-Site")) kept = &head.fetch_site;
            if (boost::beast::iequals(name, "Access-Control-Request-Private-Network")) {
                head.private_network = value == "true";
            }
            break;
        default: break;
    }
    if (kept == nullptr) return;
    // Fields of the same name are one list.
    if (!kept->empty()) *kept += ", ";
    kept->append(value.data(), value.size());
}

void ArrivingRequest::on_header_impl(error_code& /*error*/) { trailing_ = true; }

std::size_t ArrivingRequest::on_body_impl(string_view bytes, error_code& error) {
    if (body->append({bytes.data(), bytes.size()})) return bytes.size();
    over_budget = true;
    error = http::error::body_limit;
    return 0;
}

std::size_t ArrivingRequest::on_chunk_body_impl(std::uint64_t /*left*/, string_view bytes,
                                                error_code& error) {
    return on_body_impl(bytes, error);
}

}  // namespace fendex::serve
