// The head of an answer as text. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::serve {

/// How the body is delimited.
enum class Framing {
    kLength,   // Content-Length
    kChunked,  // by chunks
    kClose,    // by the end of the connection, for clients of HTTP/1.0
    kNone,     // no body: 204, 304
};

struct AnswerHead {
    unsigned status = 200;
    std::string_view type;
    Framing framing = Framing::kLength;
    std::size_t length = 0;
    bool keep_alive = true;
    bool old = false;  // HTTP/1.0: keep_alive needs a header
};

/// Appends "name: value". Leaves out control characters of the value.
void append_header(std::string& out, std::string_view name, std::string_view value);

/// Appends the status line and the headers that every answer has. More may follow, then an empty
/// line.
void append_head(std::string& out, const AnswerHead& head);

/// Returns the time in the form of the header Date. For one thread at a time.
class HttpDate {
  public:
    [[nodiscard]] std::string_view now();

  private:
    long second_ = -1;
    std::string text_;
};

}  // namespace fendex::serve
