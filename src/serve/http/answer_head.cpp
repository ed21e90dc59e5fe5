#include "serve/http/answer_head.hpp"

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <ctime>
#include <ostream>

namespace fendex::serve {

void append_header(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ");
    const std::size_t begin = out.size();
    out.append(value);
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    };
    out.erase(
        std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), is_control),
        out.end());
    out += "\r\n";
}

void append_head(std::string& out, const AnswerHead& head) {
    out += "HTTP/1.1 ";
    out += std::to_string(head.status);
    out += ' ';
    const auto reason =
        boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(head.status));
    out.append(reason.data(), reason.size());

    out += "\r\n";
    if (!head.type.empty()) append_header(out, "Content-Type", head.type);
    if (head.framing == Framing::kLength) {
        append_header(out, "Content-Length", std::to_string(head.length));
    } else if (head.framing == Framing::kChunked) {
        append_header(out, "Transfer-Encoding", "chunked");
    }
    if (!head.keep_alive) {
        append_header(out, "Connection", "close");
    } else if (head.old) {
        append_header(out, "Connection", "keep-alive");
    }
}

std::string_view HttpDate::now() {
    const std::time_t second = std::time(nullptr);
    if (second != second_) {
        std::tm parts{};
        ::gmtime_r(&second, &parts);
        char text[64];
        text_.assign(text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts));
        second_ = second;
    }
    return text_;
}

}  // namespace fendex::serve
