#include "serve/http/arriving_request.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

namespace fendex::serve {

namespace http = boost::beast::http;

namespace {

/// Returns whether a header continues on the next line. This form is obsolete and refused, because
/// a proxy may take that line for another header.
bool has_folded_line(std::string_view head) {
    return head.find("\r\n ") != std::string_view::npos ||
           head.find("\r\n\t") != std::string_view::npos;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; }

}  // namespace

std::size_t ArrivingRequest::put(boost::asio::const_buffer bytes, error_code& error) {
    const bool in_head = !is_header_done();
    const std::size_t taken = basic_parser::put(bytes, error);
    // put() takes a header only when all its lines have arrived.
    if (in_head && (!error || error == http::error::need_more) &&
        has_folded_line({static_cast<const char*>(bytes.data()), taken})) {
        error = http::error::bad_obs_fold;
    }
    return taken;
}

void ArrivingRequest::search(std::string_view rest) {
    while (!rest.empty()) {
        const std::size_t end = rest.find("\r\n");
        if (end == 0 || end == std::string_view::npos) return;  // end of the head or of `rest`
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 2);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view name = line.substr(0, colon);
        std::string_view value = line.substr(colon + 1);
        while (value.starts_with(' ')) value.remove_prefix(1);
        error_code ignored;
        on_field_impl(http::string_to_field({name.data(), name.size()}), {name.data(), name.size()},
                      {value.data(), value.size()}, ignored);
    }
}

void ArrivingRequest::on_request_impl(http::verb verb, string_view /*name*/, string_view target,
                                      int version, error_code& /*error*/) {
    head.verb = verb;
    head.version = version;
    head.target.assign(target.data(), target.size());
}

void ArrivingRequest::on_field_impl(http::field field, string_view name, string_view value,
                                    error_code& error) {
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
        case http::field::transfer_encoding:
            // Beast ignores other encodings, and HTTP/1.0 has none.
            if (head.version < 11 || !boost::beast::iequals(value, "chunked")) {
                error = http::error::bad_transfer_encoding;
            }
            break;
        case http::field::content_length:
            if (has_length_ || value.find(',') != string_view::npos) {
                error = http::error::bad_content_length;
            }
            has_length_ = true;
            break;
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

void ArrivingRequest::on_chunk_header_impl(std::uint64_t /*size*/, string_view extension,
                                           error_code& error) {
    // Beast accepts a line feed in a quoted text; other servers take it for the end of the line.
    if (std::ranges::any_of(extension, is_control)) {
        error = http::error::bad_chunk_extension;
    }
}

std::size_t ArrivingRequest::on_chunk_body_impl(std::uint64_t /*left*/, string_view bytes,
                                                error_code& error) {
    return on_body_impl(bytes, error);
}

}  // namespace fendex::serve
