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
#include "clickhouse/client/http.hpp"
#include "clickhouse/client/local_http.hpp"
#include "clickhouse/client/server_error.hpp"
#include "clickhouse/client/transport.hpp"
#include "store/store_error.hpp"

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
constexpr std::string_view kCountDatabases = "SELECT count() FROM system.databases WHERE name = ";
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

/// If a server is on this machine, compression only costs time.
bool is_on_this_machine(const Endpoint& endpoint) {
    return endpoint.host == "localhost" || endpoint.host == "::1" ||
           endpoint.host.starts_with("127.");
}

std::unique_ptr<Transport> transport_to(const Url& url) {
    if (!url.tls && std::ranges::all_of(url.endpoints, is_on_this_machine)) {
        return std::make_unique<LocalHttp>();
    }
    return std::make_unique<Http>();
}

/// Waits. Throws base::Stopped if a stop is requested meanwhile.
void pause(milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, time, [] { return false; });
    if (stop.stop_requested()) throw base::Stopped();
}

}  // namespace

template <typename Act>
auto Connection::guarded(Act act) {
    try {
        return act();
    } catch (const base::Stopped&) {
        kill_query();
        throw;
    }
}

class Connection::Answer : public RowSource {
  public:
    explicit Answer(Connection& connection) : connection_(connection) {}

    bool append_to(std::string& bytes) override {
        if (connection_.guarded([&] { return connection_.transport_->receive(bytes); }))
            return true;
        connection_.check_outcome();
        return false;
    }

  private:
    Connection& connection_;
};

Connection::Connection(const Url& url, std::string password)
    : Connection(url, std::move(password), transport_to(url)) {}

Connection::Connection(Url url, std::string password, std::unique_ptr<Transport> transport)
    : url_(std::move(url)), password_(std::move(password)), transport_(std::move(transport)) {
    // The password becomes a line of HTTP.
    if (password_.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
        throw StoreError(StoreError::kOther, "a password has one line");
    }
}

Connection Connection::at(const Endpoint& endpoint) const {
    Url url = url_;
    url.endpoints = {endpoint};
    return {url, password_};
}

std::string Connection::where() const { return to_text(endpoint()) + "/" + url_.database; }

std::string Connection::address(Database database, const Settings& settings) {
    std::string text = (url_.tls ? "https://" : "http://") + to_text(endpoint()) + "/?";
    if (database == Database::kOfUrl) append_argument("database", url_.database, text);
    query_id_ = random_id();
    ++requests_;
    append_argument("query_id", query_id_, text);
    for (const auto& [name, value] : settings) append_argument(name, value, text);
    return text;
}

std::vector<std::string> Connection::headers() const {
    std::vector<std::string> headers;
    // The user "default" may have a password, too.
    if (!url_.user.empty() || !password_.empty()) {
        headers.push_back("X-ClickHouse-User: " + (url_.user.empty() ? "default" : url_.user));
    }
    if (!password_.empty()) headers.push_back("X-ClickHouse-Key: " + password_);
    return headers;
}

void Connection::kill_query() noexcept {
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

void Connection::check_outcome() const {
    const Transport::Outcome& outcome = transport_->outcome();
    if (outcome.succeeded()) return;
    const std::string at = where() + ": ";
    if (outcome.end == Transport::End::kAnswered) {
        throw_server_error(where(), outcome.status, outcome.exception_code, outcome.error_text);
    }
    // After an error the server does not read the rest of the request, so the connection may break.
    if (outcome.status != 0 && outcome.status != 200 && !outcome.error_text.empty()) {
        throw_server_error(where(), outcome.status, outcome.exception_code, outcome.error_text);
    }
    const std::string detail = base::printable(outcome.detail);
    const std::string reason = outcome.os_error != 0 ? base::error_text(outcome.os_error) : detail;
    switch (outcome.end) {
        case Transport::End::kNoHost:
            throw StoreError(StoreError::kUnreachable,
                             at + "there is no host of this name; check the URL");
        case Transport::End::kNotConnected:
            throw StoreError(StoreError::kUnreachable,
                             at + "no server can be reached there (" + reason +
                                 "); check the host and the port of its HTTP interface (usually "
                                 "8123, or 8443 with clickhouses://), and whether it runs");
        case Transport::End::kNotTrusted:
            throw StoreError(StoreError::kOther,
                             at + "the server's certificate is not trusted (" + detail +
                                 "); use the name that it is made out to, and install its "
                                 "authority on this machine");
        case Transport::End::kNoTls:
            throw StoreError(StoreError::kOther,
                             at + "there is no TLS on this port (" + detail +
                                 "); use the port for HTTPS (usually 8443), or clickhouse://");
        case Transport::End::kNotHttp:
            throw StoreError(StoreError::kOther,
                             at + "what answers there does not speak HTTP; give the port of "
                                  "ClickHouse's HTTP interface (usually 8123)");
        default:
            throw StoreError(StoreError::kUnreachable,
                             at + "the connection broke (" + detail + "); run this again");
    }
}

void Connection::ask_once(const Ask& ask, const std::function<void(RowReader&)>& visit,
                          bool& has_rows) {
    Settings settings{{"wait_end_of_query", "1"}, {"buffer_size", std::string(kBytesInMemory)}};
    std::string encoding;
    // The first query, for the version, must work on any server, so it has none of these settings.
    if (version_) {
        settings["max_query_size"] = "16777216";
        settings["insert_distributed_sync"] = "1";
        // Shards of a loaded machine need longer than 50 ms, the default of old servers.
        settings["connect_timeout_with_failover_ms"] = "1000";
        if (most_delay_) {
            settings["max_replica_delay_for_distributed_queries"] =
                std::to_string(most_delay_->count());
            settings["fallback_to_stale_replicas_for_distributed_queries"] = "0";
        }
        if (skip_shards_ && skips_shards()) settings["optimize_skip_unused_shards"] = "1";
        if (!is_on_this_machine(endpoint())) {
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
    if (visit) sql.append(" FORMAT ").append(ask.format);
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

    Answer source(*this);
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

void Connection::ask(const Ask& ask, const std::function<void(RowReader&)>& visit) {
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
            if (outcome.end == Transport::End::kNoHost && url_.endpoints.size() == 1) throw;
        }
        endpoint_ = (endpoint_ + 1) % url_.endpoints.size();
        if (number % url_.endpoints.size() == 0) {
            pause(kPauses[number / url_.endpoints.size() - 1], stop_);
        }
    }
}

Version Connection::version() {
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

Insert Connection::insert(std::string_view sql, const Settings& given) {
    version();
    // Finds an endpoint that works, because the insert itself is never repeated.
    ask({.sql = "SELECT 1"}, [](RowReader& row) { row.u8(); });

    // in_order: all rows of a shard go to the same replica, so that only the others lag behind.
    Settings settings{{"insert_distributed_sync", "1"},
                      {"load_balancing", "in_order"},
                      {"connect_timeout_with_failover_ms", "1000"},
                      {"query", std::string(sql) + " FORMAT RowBinary"}};
    // Without this, current servers may answer before the rows are stored.
    if (is_new()) settings["async_insert"] = "0";
    for (const auto& [name, value] : given) settings[name] = value;
    Transport::Request request;
    request.headers = headers();
    request.headers.push_back(takes_zstd() ? "Content-Encoding: zstd" : "Content-Encoding: gzip");
    request.streams_body = true;
    request.url = address(Database::kOfUrl, settings);
    transport_->begin(std::move(request), {.stop = stop_, .deadline = {}});
    // The body is always compressed, even on one machine. Servers of 2018 take a plain body that
    // was cut off for a complete one, but they refuse a compressed body that was cut off.
    const bool is_near = is_on_this_machine(endpoint());
    return {*this,
            takes_zstd() ? base::make_zstd(is_near ? -5 : 1) : base::make_gzip(is_near ? 0 : 1)};
}

Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

void Connection::run(std::string_view sql, const std::vector<ExternalTable>& tables,
                     const Settings& settings) {
    version();
    ask({.sql = sql, .tables = &tables, .settings = &settings, .is_repeatable = false}, {});
}

void Connection::create_database() {
    version();
    std::uint64_t databases = 0;
    // The name has only letters, digits and _.
    query_server(std::string(kCountDatabases) + "'" + url().database + "'", {},
                 [&](RowReader& row) { databases = row.u64(); });
    if (databases != 0) return;
    const std::string sql = std::string(kCreateDatabase) + quoted_name(url().database);
    ask({.sql = sql, .database = Database::kNone}, {});
}

void Connection::query(std::string_view sql, const std::vector<ExternalTable>& tables,
                       const std::function<void(RowReader&)>& visit, const Settings& settings) {
    version();
    ask({.sql = sql, .tables = &tables, .settings = &settings}, visit);
    if (check_) check_();
}

void Connection::query_text(std::string_view sql, std::string_view format, const Settings& settings,
                            const std::function<void(RowReader&)>& visit) {
    version();
    ask({.sql = sql, .format = format, .settings = &settings}, visit);
}

void Connection::query_server(std::string_view sql, const std::vector<ExternalTable>& tables,
                              const std::function<void(RowReader&)>& visit) {
    version();
    ask({.sql = sql, .tables = &tables, .database = Database::kNone}, visit);
}

Insert::Insert(Connection& connection, std::unique_ptr<base::Compressor> compressor)
    : connection_(connection), compressor_(std::move(compressor)) {}

Insert::~Insert() { connection_.transport_->abort(); }

void Insert::send(const std::string& packed) {
    if (packed.empty() ||
        connection_.guarded([&] { return connection_.transport_->send(packed); })) {
        return;
    }
    // The server has answered before the end of the body: the insert has failed.
    connection_.check_outcome();
    throw StoreError(
        StoreError::kUnreachable,
        to_text(connection_.url()) + ": the server did not read all rows; run this again");
}

void Insert::write(std::string_view bytes) {
    send(compressor_->add(bytes, base::Compressor::Then::kMore));
}

void Insert::finish() {
    send(compressor_->add({}, base::Compressor::Then::kEnd));
    connection_.guarded([&] { connection_.transport_->end_body(); });
    connection_.check_outcome();
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
