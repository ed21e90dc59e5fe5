#include "clickhouse/client/http.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "clickhouse/client/libcurl.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {
namespace {

template <typename Value>
void set(CURL* easy, CURLoption option, Value value) {
    const CURLcode result = libcurl().easy_setopt(easy, option, value);
    if (result == CURLE_UNKNOWN_OPTION) {
        throw store::StoreError(store::StoreError::kOther,
                                "libcurl is too old: ClickHouse is reached through 7.85 or later");
    }
    if (result != CURLE_OK) throw std::bad_alloc();
}

void set_connection(CURL* easy, const std::string& url) {
    set(easy, CURLOPT_URL, url.c_str());
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    // No proxy: a proxy for web pages does not lead to a database, and would see the password.
    set(easy, CURLOPT_PROXY, "");
    set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(easy, CURLOPT_NOSIGNAL, 1L);
    // If the host vanishes while a long query runs, that is noticed after about a minute.
    set(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    set(easy, CURLOPT_TCP_KEEPIDLE, 30L);
    set(easy, CURLOPT_TCP_KEEPINTVL, 10L);
}

Transport::End end_of(CURLcode result) {
    using End = Transport::End;
    switch (result) {
        case CURLE_OK: return End::kAnswered;
        case CURLE_COULDNT_RESOLVE_HOST: return End::kNoHost;
        case CURLE_COULDNT_CONNECT:
        case CURLE_OPERATION_TIMEDOUT:  // only connecting has a time limit in libcurl
            return End::kNotConnected;
        case CURLE_PEER_FAILED_VERIFICATION: return End::kNotTrusted;
        case CURLE_SSL_CONNECT_ERROR: return End::kNoTls;
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_WEIRD_SERVER_REPLY: return End::kNotHttp;
        default: return End::kBroke;
    }
}

}  // namespace

Http::Http() : multi_(libcurl().multi_init()), easy_(libcurl().easy_init()) {
    if (multi_ == nullptr || easy_ == nullptr) {
        libcurl().easy_cleanup(easy_);
        libcurl().multi_cleanup(multi_);
        throw std::bad_alloc();
    }
}

Http::~Http() {
    abort();
    libcurl().easy_cleanup(easy_);
    libcurl().multi_cleanup(multi_);
}

void Http::begin(Request request, Limits limits) {
    abort();
    libcurl().easy_reset(easy_);
    request_ = std::move(request);
    limits_ = std::move(limits);
    outcome_ = {};
    incoming_.clear();
    outgoing_.clear();
    sent_ = 0;
    body_ended_ = false;
    sending_paused_ = false;
    error_[0] = '\0';

    // Without "Expect: 100-continue", which makes libcurl wait if the server does not know it.
    headers_.reset(libcurl().slist_append(nullptr, "Expect:"));
    for (const auto& header : request_.headers) {
        curl_slist* const longer = libcurl().slist_append(headers_.get(), header.c_str());
        if (longer == nullptr) throw std::bad_alloc();
    }
    set_connection(easy_, request_.url);
    set(easy_, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(kTimeToConnect.count()));
    set(easy_, CURLOPT_ERRORBUFFER, error_);
    set(easy_, CURLOPT_WRITEFUNCTION, &Http::take_body);
    set(easy_, CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(easy_, CURLOPT_HEADERFUNCTION, &Http::take_header);
    set(easy_, CURLOPT_HEADERDATA, static_cast<void*>(this));
    if (!request_.accept_encoding.empty()) {
        set(easy_, CURLOPT_ACCEPT_ENCODING, request_.accept_encoding.c_str());
    }
    set_body();
    set(easy_, CURLOPT_HTTPHEADER, headers_.get());
    if (libcurl().multi_add_handle(multi_, easy_) != CURLM_OK) throw std::bad_alloc();
    under_way_ = true;
}

void Http::set_body() {
    if (request_.streams_body) {
        set(easy_, CURLOPT_POST, 1L);
        set(easy_, CURLOPT_READFUNCTION, &Http::give_body);
        set(easy_, CURLOPT_READDATA, static_cast<void*>(this));
        // The body cannot be sent twice, so it gets a new connection: an old one may be dead.
        set(easy_, CURLOPT_FRESH_CONNECT, 1L);
        libcurl().slist_append(headers_.get(), "Transfer-Encoding: chunked");
    } else if (!request_.parts.empty()) {
        mime_.reset(libcurl().mime_init(easy_));
        for (const auto& [name, bytes, is_file] : request_.parts) {
            curl_mimepart* const part = libcurl().mime_addpart(mime_.get());
            if (part == nullptr || libcurl().mime_name(part, name.c_str()) != CURLE_OK ||
                libcurl().mime_data(part, bytes.data(), bytes.size()) != CURLE_OK ||
                (is_file && libcurl().mime_filename(part, name.c_str()) != CURLE_OK)) {
                throw std::bad_alloc();
            }
        }
        request_.parts.clear();
        set(easy_, CURLOPT_MIMEPOST, mime_.get());
    } else {
        set(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
        set(easy_, CURLOPT_POSTFIELDS, request_.body.c_str());
    }
}

bool Http::receive(std::string& bytes) {
    while (under_way_ && incoming_.empty()) step();
    return take(incoming_, bytes);
}

bool Http::send(std::string_view bytes) {
    if (sent_ > outgoing_.size() / 2) {
        outgoing_.erase(0, sent_);
        sent_ = 0;
    }
    outgoing_ += bytes;
    while (under_way_ && outgoing_.size() - sent_ > kMostUnsent) step();
    return under_way_;
}

void Http::end_body() {
    body_ended_ = true;
    while (under_way_) step();
}

void Http::abort() noexcept {
    if (!under_way_) return;
    libcurl().multi_remove_handle(multi_, easy_);
    under_way_ = false;
}

void Http::step() {
    keep_to(limits_);
    if (sending_paused_ && (body_ended_ || sent_ < outgoing_.size())) {
        sending_paused_ = false;
        libcurl().easy_pause(easy_, CURLPAUSE_CONT);
    }
    int running = 0;
    const std::size_t received_before = incoming_.size();
    const std::size_t sent_before = sent_;
    if (libcurl().multi_perform(multi_, &running) != CURLM_OK) throw std::bad_alloc();
    int left = 0;
    while (const CURLMsg* message = libcurl().multi_info_read(multi_, &left)) {
        if (message->msg == CURLMSG_DONE) {
            finish(message->data.result);
            return;
        }
    }
    if (incoming_.size() != received_before || sent_ != sent_before) return;
    if (libcurl().multi_poll(multi_, nullptr, 0, static_cast<int>(kWait.count()), nullptr) !=
        CURLM_OK) {
        throw std::bad_alloc();
    }
}

void Http::finish(CURLcode result) {
    outcome_.end = end_of(result);
    outcome_.detail = error_[0] != '\0' ? error_ : libcurl().easy_strerror(result);
    long number = 0;
    if (libcurl().easy_getinfo(easy_, CURLINFO_OS_ERRNO, &number) == CURLE_OK) {
        outcome_.os_error = static_cast<int>(number);
    }
    if (libcurl().easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &number) == CURLE_OK) {
        outcome_.status = number;
    }
    libcurl().multi_remove_handle(multi_, easy_);
    under_way_ = false;
}

std::size_t Http::take_body(char* bytes, std::size_t size, std::size_t count, void* self) {
    Http& http = *static_cast<Http*>(self);
    long status = 0;
    libcurl().easy_getinfo(http.easy_, CURLINFO_RESPONSE_CODE, &status);
    if (status == 200) {
        http.incoming_.append(bytes, size * count);
    } else {
        http.outcome_.take_error({bytes, size * count});
    }
    return size * count;
}

std::size_t Http::take_header(char* bytes, std::size_t size, std::size_t count, void* self) {
    const std::string_view line(bytes, size * count);
    const std::size_t colon = std::min(line.find(':'), line.size());
    static_cast<Http*>(self)->outcome_.take_header(line.substr(0, colon),
                                                   line.substr(std::min(colon + 1, line.size())));
    return size * count;
}

std::size_t Http::give_body(char* bytes, std::size_t size, std::size_t count, void* self) {
    Http& http = *static_cast<Http*>(self);
    const std::size_t length = std::min(size * count, http.outgoing_.size() - http.sent_);
    if (length == 0) {
        if (http.body_ended_) return 0;
        http.sending_paused_ = true;
        return CURL_READFUNC_PAUSE;
    }
    std::copy_n(http.outgoing_.data() + http.sent_, length, bytes);
    http.sent_ += length;
    if (http.sent_ == http.outgoing_.size()) {
        http.outgoing_.clear();
        http.sent_ = 0;
    }
    return length;
}

}  // namespace fendex::clickhouse
