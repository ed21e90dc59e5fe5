#include "clickhouse/client/connection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "base/digest.hpp"
#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "base/printable.hpp"
#include "base/stop_check.hpp"
#include "clickhouse/client/connection_state.hpp"
#include "clickhouse/client/http.hpp"
#include "clickhouse/client/server_error.hpp"

namespace fendex::clickhouse {
namespace {

using std::chrono::milliseconds;
using store::StoreError;

// Pauses before a request is tried again.
constexpr std::array kPauses{milliseconds(100), milliseconds(500)};

// Time limits for a KILL QUERY: for each request, and until the query has ended. A busy server may
// not have begun the query yet.
constexpr milliseconds kTimeToNote{1000};
constexpr milliseconds kTimeToEnd{3000};

// The statements that this file sends by itself.
constexpr std::string_view kAskVersion = "SELECT version()";
constexpr std::string_view kCreateDatabase = "CREATE DATABASE IF NOT EXISTS ";
constexpr std::string_view kKillQuery = "KILL QUERY WHERE query_id = '";

// The server buffers answers up to this size in memory, larger ones in a file.
constexpr std::string_view kBytesInMemory = "16777216";

void append_escaped(std::string_view text, std::string& out) {
    for (const char c : text) {
        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
            c == '_' || c == '-' || c == '.') {
            out += c;
        } else {
            out += '%' + base::hex_of({&c, 1});
        }
    }
}

void append_argument(std::string_view name, std::string_view value, std::string& out) {
    out += out.back() == '?' ? "" : "&";
    append_escaped(name, out);
    out += '=';
    append_escaped(value, out);
}

std::string random_id() {
    std::random_device device;
    const auto word = [&] { return base::hex_key(std::uint64_t{device()} << 32 | device()); };
    return "fendex-" + word() + word();
}

/// Waits. Throws base::Stopped if a stop is requested meanwhile.
void pause(milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, time, [] { return false; });
    if (stop.stop_requested()) throw base::Stopped();
}

class AnswerSource : public RowSource {
  public:
    explicit AnswerSource(Connection::State& state) : state_(state) {}

    bool append_to(std::string& bytes) override {
        if (state_.receive(bytes)) return true;
        state_.check_outcome();
        return false;
    }

  private:
    Connection::State& state_;
};

}  // namespace

Connection::State::State(Url url, std::string password, std::unique_ptr<Transport> transport)
    : url_(std::move(url)), password_(std::move(password)), transport_(std::move(transport)) {
    // The password becomes a line of HTTP.
    if (password_.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
        throw StoreError(StoreError::kOther, "a password has one line");
    }
}

std::string Connection::State::where() const { return to_text(endpoint()) + "/" + url_.database; }

bool Connection::State::is_on_this_machine() const {
    const std::string& host = endpoint().host;
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string Connection::State::address(Database database, const Settings& settings) {
    std::string text = (url_.tls ? "https://" : "http://") + to_text(endpoint()) + "/?";
    if (database == Database::kOfUrl) append_argument("database", url_.database, text);
    query_id_ = random_id();
    ++requests_;
    append_argument("query_id", query_id_, text);
    for (const auto& [name, value] : settings) append_argument(name, value, text);
    return text;
}

std::vector<std::string> Connection::State::headers() const {
    std::vector<std::string> headers;
    // The user "default" may have a password, too.
    if (!url_.user.empty() || !password_.empty()) {
        headers.push_back("X-ClickHouse-User: " + (url_.user.empty() ? "default" : url_.user));
    }
    if (!password_.empty()) headers.push_back("X-ClickHouse-Key: " + password_);
    return headers;
}

template <typename Act>
auto Connection::State::guarded(Act act) {
    try {
        return act();
    } catch (const base::Stopped&) {
        kill_query();
        throw;
    }
}

void Connection::State::kill_query() noexcept {
    // Best effort: if the server does not answer in time, it ends the query itself at some time.
    try {
        const std::string sql = std::string(kKillQuery) + query_id_ + "' ASYNC";
        const auto begin = std::chrono::steady_clock::now();
        // The answer names each query that the server found. A query that has not begun yet is not
        // found at the first try. A query that is just beginning may ignore the request, so this is
        // repeated until the query is gone.
        bool found = false;
        for (int tries = 0; found || tries < 3; ++tries) {
            if (tries > 0) std::this_thread::sleep_for(milliseconds(50));
            const auto now = std::chrono::steady_clock::now();
            std::string told;
            transport_->begin(
                {.url = address(Database::kNone, {}),
                 .headers = headers(),
                 .body = sql,
                 .parts = {},
                 .accept_encoding = {}},
                {.stop = {}, .deadline = std::min(now + kTimeToNote, begin + kTimeToEnd)});
            while (transport_->receive(told)) {
            }
            if (found && told.empty()) return;  // It has ended.
            found = !told.empty();
        }
    } catch (...) {
        transport_->abort();
    }
}

bool Connection::State::receive(std::string& bytes) {
    return guarded([&] { return transport_->receive(bytes); });
}

bool Connection::State::send(std::string_view bytes) {
    return guarded([&] { return transport_->send(bytes); });
}

void Connection::State::end_body() {
    guarded([&] { transport_->end_body(); });
}

void Connection::State::check_outcome() const {
    const Transport::Outcome& outcome = transport_->outcome();
    if (outcome.succeeded()) return;
    const std::string at = where() + ": ";
    if (outcome.result == CURLE_OK) {
        throw_server_error(where(), outcome.status, outcome.exception_code, outcome.error_text);
    }
    // After an error the server does not read the rest of the request, so the connection may break.
    if (outcome.status != 0 && outcome.status != 200 && !outcome.error_text.empty()) {
        throw_server_error(where(), outcome.status, outcome.exception_code, outcome.error_text);
    }
    const std::string detail = base::printable(outcome.detail);
    const std::string reason = outcome.os_error != 0 ? base::error_text(outcome.os_error) : detail;
    switch (outcome.result) {
        case CURLE_COULDNT_RESOLVE_HOST:
            throw StoreError(StoreError::kUnreachable,
                             at + "there is no host of this name; check the URL");
        case CURLE_COULDNT_CONNECT:
        case CURLE_OPERATION_TIMEDOUT:
            throw StoreError(StoreError::kUnreachable,
                             at + "no server can be reached there (" + reason +
                                 "); check the host and the port of its HTTP interface (usually "
                                 "8123, or 8443 with clickhouses://), and whether it runs");
        case CURLE_PEER_FAILED_VERIFICATION:
            throw StoreError(StoreError::kOther,
                             at + "the server's certificate is not trusted (" + detail +
                                 "); use the name that it is made out to, and install its "
                                 "authority on this machine");
        case CURLE_SSL_CONNECT_ERROR:
            throw StoreError(StoreError::kOther,
                             at + "there is no TLS on this port (" + detail +
                                 "); use the port for HTTPS (usually 8443), or clickhouse://");
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_WEIRD_SERVER_REPLY:
            throw StoreError(StoreError::kOther,
                             at + "what answers there does not speak HTTP; give the port of "
                                  "ClickHouse's HTTP interface (usually 8123)");
        default:
            throw StoreError(StoreError::kUnreachable,
                             at + "the connection broke (" + detail + "); run this again");
    }
}

void Connection::State::ask_once(const Ask& ask, const std::function<void(RowReader&)>& visit,
                                 bool& has_rows) {
    Settings settings{{"wait_end_of_query", "1"}, {"buffer_size", std::string(kBytesInMemory)}};
    std::string encoding;
    // The first query, for the version, must work on any server, so it has none of these settings.
    if (version_) {
        settings["max_query_size"] = "16777216";
        settings["insert_distributed_sync"] = "1";
        // Shards of a loaded machine need longer than 50 ms, the default of old servers.
        settings["connect_timeout_with_failover_ms"] = "1000";
        if (!is_on_this_machine()) {
            settings["enable_http_compression"] = "1";
            encoding = takes_zstd() ? "zstd" : "gzip";
            settings["http_zlib_compression_level"] = "1";
        }
    }
    if (ask.settings != nullptr) {
        for (const auto& [name, value] : *ask.settings) settings[name] = value;
    }
    Transport::Request request;
    request.headers = headers();
    request.accept_encoding = std::move(encoding);
    std::string sql(ask.sql);
    if (visit) sql += " FORMAT RowBinary";
    if (ask.tables != nullptr && !ask.tables->empty()) {
        for (const auto& [name, structure, rows] : *ask.tables) {
            settings[name + "_structure"] = structure;
            settings[name + "_format"] = "RowBinary";
            request.parts.push_back({.name = name, .bytes = rows, .is_file = true});
        }
        request.parts.push_back({.name = "query", .bytes = std::move(sql)});
    } else {
        request.body = std::move(sql);
    }
    request.url = address(ask.database, settings);
    transport_->begin(std::move(request), {.stop = stop_, .deadline = {}});

    AnswerSource source(*this);
    RowReader reader(source, where());
    try {
        while (!reader.at_end()) {
            has_rows = true;
            if (!visit) {
                throw store::DamageError(where() +
                                         ": a statement got an answer; is this a ClickHouse "
                                         "server?");
            }
            visit(reader);
        }
    } catch (...) {
        transport_->abort();
        throw;
    }
}

void Connection::State::ask(const Ask& ask, const std::function<void(RowReader&)>& visit) {
    const std::size_t tries = (kPauses.size() + 1) * url_.endpoints.size();
    for (std::size_t number = 1;; ++number) {
        bool has_rows = false;
        try {
            ask_once(ask, visit, has_rows);
            return;
        } catch (const StoreError& error) {
            const Transport::Outcome& outcome = transport_->outcome();
            const bool is_safe =
                (ask.is_repeatable || outcome.never_sent()) && !has_rows && number < tries;
            if (error.kind() != StoreError::kUnreachable || !is_safe) throw;
            // A wrong host name stays wrong, so there is no second attempt.
            if (outcome.result == CURLE_COULDNT_RESOLVE_HOST && url_.endpoints.size() == 1) throw;
        }
        endpoint_ = (endpoint_ + 1) % url_.endpoints.size();
        if (number % url_.endpoints.size() == 0) {
            pause(kPauses[number / url_.endpoints.size() - 1], stop_);
        }
    }
}

const Version& Connection::State::version() {
    if (version_) return *version_;
    std::string text;
    const auto refuse = [&]() -> StoreError {
        return {StoreError::kOther, where() +
                                        ": what answers there is not a ClickHouse server; check "
                                        "the host and the port"};
    };
    try {
        ask({.sql = kAskVersion, .database = Database::kNone},
            [&](RowReader& row) { text = row.string(); });
    } catch (const store::DamageError&) {
        throw refuse();  // the answer is not RowBinary
    }
    Version version;
    const char* const end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, version.major);
    if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') throw refuse();
    const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
    if (minor.ec != std::errc() || !transport_->outcome().is_clickhouse) throw refuse();
    version_ = version;
    return *version_;
}

void Connection::State::begin_insert(std::string_view sql, const Settings& given) {
    // Finds an endpoint that works, because the insert itself is never repeated.
    ask({.sql = "SELECT 1", .database = Database::kOfUrl}, [](RowReader& row) { row.u8(); });

    Settings settings{{"insert_distributed_sync", "1"},
                      {"connect_timeout_with_failover_ms", "1000"},
                      {"query", std::string(sql) + " FORMAT RowBinary"}};
    // Without this, current servers may answer before the rows are stored.
    if (is_new_server()) settings["async_insert"] = "0";
    for (const auto& [name, value] : given) settings[name] = value;
    Transport::Request request;
    request.headers = headers();
    request.headers.push_back(takes_zstd() ? "Content-Encoding: zstd" : "Content-Encoding: gzip");
    request.streams_body = true;
    request.url = address(Database::kOfUrl, settings);
    transport_->begin(std::move(request), {.stop = stop_, .deadline = {}});
}

Connection::Connection(Url url, std::string password)
    : Connection(std::move(url), std::move(password), std::make_unique<Http>()) {}
Connection::Connection(Url url, std::string password, std::unique_ptr<Transport> transport)
    : state_(std::make_unique<State>(std::move(url), std::move(password), std::move(transport))) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

const Url& Connection::url() const { return state_->url(); }
Version Connection::version() { return state_->version(); }
bool Connection::is_new() { return state_->is_new_server(); }
std::uint64_t Connection::requests() const { return state_->requests(); }
void Connection::set_stop(std::stop_token stop) { state_->set_stop(std::move(stop)); }

void Connection::run(std::string_view sql, const std::vector<ExternalTable>& tables,
                     const Settings& settings) {
    state_->version();
    state_->ask({.sql = sql, .tables = &tables, .settings = &settings, .is_repeatable = false}, {});
}

void Connection::create_database() {
    state_->version();
    const std::string sql = std::string(kCreateDatabase) + quoted_name(url().database);
    state_->ask({.sql = sql, .database = State::Database::kNone}, {});
}

void Connection::query(std::string_view sql, const std::vector<ExternalTable>& tables,
                       const std::function<void(RowReader&)>& visit, const Settings& settings) {
    state_->version();
    state_->ask({.sql = sql, .tables = &tables, .settings = &settings}, visit);
}

void Connection::query_server(std::string_view sql, const std::vector<ExternalTable>& tables,
                              const std::function<void(RowReader&)>& visit) {
    state_->version();
    state_->ask({.sql = sql, .tables = &tables, .database = State::Database::kNone}, visit);
}

std::string quoted_name(std::string_view name) {
    std::string text = "`";
    for (const char c : name) {
        if (c == '`' || c == '\\') text += '\\';
        text += c;
    }
    return text + '`';
}

}  // namespace fendex::clickhouse
