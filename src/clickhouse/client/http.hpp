// Sends one HTTP request at a time with libcurl, over a connection that is kept.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "clickhouse/client/libcurl.hpp"
#include "clickhouse/client/transport.hpp"

namespace fendex::clickhouse {

class Http final : public Transport {
  public:
    Http();
    ~Http() override;

    void begin(Request request, Limits limits) override;
    bool receive(std::string& bytes) override;
    bool send(std::string_view bytes) override;
    void end_body() override;
    [[nodiscard]] const Outcome& outcome() const noexcept override { return outcome_; }
    void abort() noexcept override;

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

    void set_body();
    /// Waits for the network, then lets libcurl work.
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
