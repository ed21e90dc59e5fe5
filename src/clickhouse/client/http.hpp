// One HTTP request at a time over libcurl, on a connection that is kept. It knows nothing of
// ClickHouse but the name of its headers.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "clickhouse/client/libcurl.hpp"

namespace fendex::clickhouse {

class Http {
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
        /// Instead of both: the body is given to send().
        bool streams_body = false;
        std::string accept_encoding;  // empty: the answer is not compressed
    };

    /// Requests throw base::Stopped after a stop, TimedOut after the deadline. The request is
    /// aborted then.
    struct Limits {
        std::stop_token stop;
        std::optional<std::chrono::steady_clock::time_point> deadline;
    };
    class TimedOut {};

    /// How a request ended.
    struct Outcome {
        CURLcode result = CURLE_OK;
        std::string detail;  // libcurl's words for the result
        int os_error = 0;
        long status = 0;             // of HTTP, 0: no answer
        bool is_clickhouse = false;  // there was a header of ClickHouse
        int exception_code = 0;      // of a header
        std::string error_text;      // the beginning of an answer whose status is not 200

        [[nodiscard]] bool succeeded() const { return result == CURLE_OK && status == 200; }
        /// No server has seen the request.
        [[nodiscard]] bool never_sent() const;
    };

    Http();
    Http(const Http&) = delete;
    Http& operator=(const Http&) = delete;
    ~Http();

    void begin(Request request, Limits limits);
    /// Waits for bytes of a successful answer and appends them. Returns false after the last.
    bool receive(std::string& bytes);
    /// Sends some of a streamed body, and waits while much of it is not on its way. Returns false
    /// if the request has ended: see outcome().
    bool send(std::string_view bytes);
    /// Ends a streamed body and waits for the end of the request.
    void end_body();
    /// Only after the request has ended.
    [[nodiscard]] const Outcome& outcome() const noexcept { return outcome_; }
    [[nodiscard]] bool is_under_way() const noexcept { return under_way_; }
    /// Closes the connection in the middle of the request. No effect if none is under way.
    void abort() noexcept;

  private:
    struct FreeList {
        void operator()(curl_slist* list) const noexcept { libcurl().slist_free_all(list); }
    };
    struct FreeMime {
        void operator()(curl_mime* mime) const noexcept { libcurl().mime_free(mime); }
    };

    static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* self);
    static std::size_t take_header(char* bytes, std::size_t size, std::size_t count, void* self);
    static std::size_t give_body(char* bytes, std::size_t size, std::size_t count, void* self);

    /// Lets libcurl work, once it waited for the network.
    void step();
    void finish(CURLcode result);

    CURLM* multi_ = nullptr;
    CURL* easy_ = nullptr;
    std::unique_ptr<curl_slist, FreeList> headers_;
    std::unique_ptr<curl_mime, FreeMime> mime_;
    Request request_;
    Limits limits_;
    bool under_way_ = false;
    std::string incoming_;
    std::string outgoing_;  // of a streamed body, from sent_ on
    std::size_t sent_ = 0;
    bool body_ended_ = false;
    bool sending_paused_ = false;
    char error_[CURL_ERROR_SIZE] = {};
    Outcome outcome_;
};

}  // namespace fendex::clickhouse
