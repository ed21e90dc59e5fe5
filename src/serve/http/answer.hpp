// The answer of a service. Values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fendex::serve {

inline constexpr const char* kJson = "application/json";
inline constexpr const char* kJsonLines = "application/x-ndjson";
inline constexpr const char* kText = "text/plain; charset=utf-8";
inline constexpr const char* kPgn = "application/x-chess-pgn; charset=utf-8";

struct Answer {
    unsigned status = 200;
    std::string type = kJson;
    std::string body;
    /// "gzip" if the body is compressed already, else empty. The server sends a compressed body
    /// unchanged to clients that accept gzip, and unpacks it for others.
    std::string encoding = {};
    /// Added to the server's headers; they replace those with the same name.
    std::vector<std::pair<std::string, std::string>> headers;

    /// If set, the body goes on: each call appends the next piece and returns whether there is
    /// more. It is called when the client has taken the pieces before, by one thread at a time, in
    /// the pool of the task. It is destroyed early if the client leaves. It may throw, like a task:
    /// then the connection is cut, so that the client sees that the answer is not complete.
    std::function<bool(std::string& out)> more;
};

/// Thrown for a request that cannot be answered.
struct Refusal {
    unsigned status = 400;
    std::string code;        // for programs: "bad_fen"
    std::string message;     // for people
    std::string field = {};  // the parameter that is wrong; empty: none
    // Of the value of the parameter, or empty: the part that is wrong ("side" of a FEN), the word.
    std::string detail = {};
    std::string text = {};
};

}  // namespace fendex::serve
