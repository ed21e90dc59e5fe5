// The interface by which a Connection reaches its server, one request at a time. Http and LocalHttp
// use the network; tests have servers that are functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::clickhouse {

class Transport {
  public:
    struct Part {
        std::string name;
        std::string bytes;
        bool is_file = false;
    };

    struct Request {
        std::string url;
        std::vector<std::string> headers;
        std::string body;
        std::vector<Part> parts;  // instead of body: multipart/form-data
        /// If true, the body is neither of these: it is passed to send().
        bool streams_body = false;
        std::string accept_encoding;  // empty: the answer is not compressed
    };

    /// Requests throw base::Stopped after a stop, TimedOut after the deadline. They are then
    /// aborted.
    struct Limits {
        std::stop_token stop;
        std::optional<std::chrono::steady_clock::time_point> deadline;
    };
    class TimedOut {};

    enum class End : std::uint8_t {
        kAnswered,
        kNoHost,        // of this name
        kNotConnected,  // or not in time
        kNotTrusted,    // the server's certificate
        kNoTls,
        kNotHttp,
        kBroke,  // the connection, or what came over it
    };

    /// How a request ended.
    struct Outcome {
        End end = End::kAnswered;
        std::string detail;  // the library's words for it
        int os_error = 0;
        long status = 0;             // of HTTP; 0: no answer
        bool is_clickhouse = false;  // the answer had a header of ClickHouse
        int exception_code = 0;      // from a header
        std::string error_text;      // the beginning of an answer whose status is not 200

        /// Takes what is ours of a header of the answer.
        void take_header(std::string_view name, std::string_view value);
        /// Takes a piece of an answer whose status is not 200.
        void take_error(std::string_view bytes);

        [[nodiscard]] bool succeeded() const { return end == End::kAnswered && status == 200; }
        /// Returns whether certainly no server has seen the request.
        [[nodiscard]] bool never_sent() const {
            return end == End::kNoHost || end == End::kNotConnected;
        }
    };

    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    virtual void begin(Request request, Limits limits) = 0;
    /// Waits for bytes of a successful answer and appends them. Returns false after the last.
    virtual bool receive(std::string& bytes) = 0;
    /// Sends a piece of a streamed body. Waits while too much of the body is still unsent. Returns
    /// false if the request has ended: see outcome().
    virtual bool send(std::string_view bytes) = 0;
    /// Ends a streamed body and waits for the end of the request.
    virtual void end_body() = 0;
    /// Returns how the request ended. Call it only then.
    [[nodiscard]] virtual const Outcome& outcome() const noexcept = 0;
    /// Closes the connection in the middle of a request. Does nothing if there is none.
    virtual void abort() noexcept = 0;

  protected:
    static constexpr std::chrono::milliseconds kTimeToConnect{5000};
    static constexpr std::chrono::milliseconds kWait{50};  // a stop is noticed after this time
    static constexpr std::size_t kMostUnsent = std::size_t{1} << 20;  // of a streamed body

    /// After a stop or the deadline, aborts the request and throws.
    void keep_to(const Limits& limits);
    /// Appends what has come to `bytes`. Returns false if nothing has.
    static bool take(std::string& incoming, std::string& bytes);
};

}  // namespace fendex::clickhouse
