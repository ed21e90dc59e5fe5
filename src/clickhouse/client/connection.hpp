// Sends statements and queries to a ClickHouse server over its HTTP interface, with libcurl.
//
// Errors are store::StoreError with one line that names the server and says what to do:
// kUnreachable (no server there, or the connection broke), kAbsent (no such database or table),
// kDamaged (a column is missing or has another type), kFull, kBusy (too many queries at once),
// kOther (password refused, time or memory limit, anything else). An answer is either complete or
// an error: the server holds it back until the query has succeeded (wait_end_of_query).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/compressor.hpp"
#include "clickhouse/client/row_binary.hpp"
#include "clickhouse/client/url.hpp"

namespace fendex::clickhouse {

/// Values that are sent with a query, which reads them as the table `name`; a subquery that runs on
/// shards needs GLOBAL IN. The SQL must then be shorter than 128 KiB, a limit of current servers.
struct ExternalTable {
    std::string name;
    std::string structure;  // "id UInt64, name String"
    std::string rows;       // RowBinary
};

using Settings = std::map<std::string, std::string>;

struct Version {
    unsigned major = 0;
    unsigned minor = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
    friend auto operator<=>(const Version&, const Version&) = default;
};

class Insert;
class Transport;

/// One connection, kept open between requests. For one thread at a time, and one request at a time:
/// send no query inside a visit or while an Insert is open.
class Connection {
  public:
    /// Connects at the first request.
    Connection(const Url& url, std::string password);
    /// Uses another transport than the network.
    Connection(Url url, std::string password, std::unique_ptr<Transport> transport);
    Connection(Connection&&) noexcept;
    Connection& operator=(Connection&&) noexcept;
    ~Connection();

    [[nodiscard]] const Url& url() const { return url_; }
    /// Returns a new connection to another server, with the same user, password and database.
    [[nodiscard]] Connection at(const Endpoint& endpoint) const;
    /// Returns a new connection to the same servers.
    [[nodiscard]] Connection again() const { return {url_, password_}; }

    /// Returns the server's version. Only the first call sends a query.
    Version version();
    /// Returns whether the server has column codecs (19.11 and later).
    bool is_new() { return version() >= kFirstNew; }
    /// Returns whether the server can send a query only to the shards that may have its rows.
    bool skips_shards() { return version() >= kFirstToSkipShards; }
    /// Says whether it does so, which is wrong if rows are on other shards than those on which
    /// Distributed tables would put them now. Without this call it does not.
    void skip_shards(bool skip) { skip_shards_ = skip; }
    /// Says whether the tables are replicated. If so, queries leave out replicas that are
    /// `delay` behind; without this call they ask any.
    void leave_out_stale(std::chrono::seconds delay) { most_delay_ = delay; }

    /// Sets a token. Within about 100 ms after a stop was requested, the current request and all
    /// later ones throw base::Stopped, and the server is told to end the query.
    void set_stop(std::stop_token stop) { stop_ = std::move(stop); }
    [[nodiscard]] const std::stop_token& stop() const { return stop_; }
    /// Sets a function that query() calls after the last row. If it throws, so does query().
    void set_check(std::function<void()> check) { check_ = std::move(check); }

    /// Runs a statement that has no answer. It is repeated only if it never reached a server.
    void run(std::string_view sql, const std::vector<ExternalTable>& tables = {},
             const Settings& settings = {});

    /// Creates the URL's database if it is missing; if not, the user need not have the right to.
    /// (Other requests fail without it.)
    void create_database();

    /// Calls `visit` for each row; it must read all columns. `sql` has no FORMAT. The answer
    /// streams: about a row and a network buffer are in memory. If the connection fails before the
    /// first row, the query is repeated, with pauses and on the next endpoint.
    void query(std::string_view sql, const std::vector<ExternalTable>& tables,
               const std::function<void(RowReader&)>& visit, const Settings& settings = {});
    void query(std::string_view sql, const std::function<void(RowReader&)>& visit) {
        query(sql, {}, visit);
    }

    /// Like query(), but for tables of the server itself, such as system.clusters: the URL's
    /// database may be missing.
    void query_server(std::string_view sql, const std::vector<ExternalTable>& tables,
                      const std::function<void(RowReader&)>& visit);

    /// Like query(), but the answer is in a text format, and `visit` is called for each line.
    void query_text(std::string_view sql, std::string_view format, const Settings& settings,
                    const std::function<void(RowReader&)>& visit);

    /// Begins "INSERT INTO table (columns)"; `sql` has no VALUES and no FORMAT. When finish()
    /// returns, rows through a Distributed table have reached their shards. An insert is never
    /// repeated. A server stores blocks of about a million rows at once, so a longer insert that
    /// fails may leave whole blocks behind.
    Insert insert(std::string_view sql, const Settings& given = {});

    /// Returns the number of requests so far, for tests that count round trips.
    [[nodiscard]] std::uint64_t requests() const { return requests_; }

  private:
    friend class Insert;

    static constexpr Version kFirstNew{19, 11};
    static constexpr Version kFirstWithZstd{21, 1};
    static constexpr Version kFirstToSkipShards{21, 1};

    enum class Database { kOfUrl, kNone };

    /// A query or a statement. ask() sends it and reads the answer with `visit`; see query().
    struct Ask {
        std::string_view sql;
        std::string_view format = "RowBinary";
        const std::vector<ExternalTable>* tables = nullptr;
        const Settings* settings = nullptr;
        Database database = Database::kOfUrl;
        bool is_repeatable = true;
    };
    class Answer;

    void ask(const Ask& ask, const std::function<void(RowReader&)>& visit);
    void ask_once(const Ask& ask, const std::function<void(RowReader&)>& visit, bool& has_rows);
    [[nodiscard]] std::string address(Database database, const Settings& settings);
    [[nodiscard]] std::vector<std::string> headers() const;
    [[nodiscard]] const Endpoint& endpoint() const { return url_.endpoints[endpoint_]; }
    [[nodiscard]] std::string where() const;
    /// Returns whether the server has zstd. Older servers have only gzip.
    [[nodiscard]] bool takes_zstd() { return version() >= kFirstWithZstd; }
    /// Calls `act`, a step of a request. If it throws base::Stopped, the server is told to end the
    /// query.
    template <typename Act>
    auto guarded(Act act);
    void kill_query() noexcept;
    /// Throws if the request that has ended did not succeed.
    void check_outcome() const;

    Url url_;
    std::string password_;
    std::size_t endpoint_ = 0;  // index of the one in use
    std::stop_token stop_;
    std::function<void()> check_;
    std::optional<Version> version_;
    bool skip_shards_ = false;
    std::optional<std::chrono::seconds> most_delay_;
    std::uint64_t requests_ = 0;
    std::string query_id_;  // of the current request
    std::unique_ptr<Transport> transport_;
};

/// An insert of rows into a table. If it is destroyed without finish(), the server refuses the
/// rows.
class Insert {
  public:
    Insert(const Insert&) = delete;
    Insert& operator=(const Insert&) = delete;
    ~Insert();

    /// Sends RowBinary; a row may be split between two calls. Waits if the server is slower.
    void write(std::string_view bytes);
    /// Returns after the server has stored the rows.
    void finish();

  private:
    friend class Connection;
    Insert(Connection& connection, std::unique_ptr<base::Compressor> compressor);
    void send(const std::string& packed);

    Connection& connection_;
    std::unique_ptr<base::Compressor> compressor_;
};

/// Returns the name in backquotes, for SQL.
std::string quoted_name(std::string_view name);

}  // namespace fendex::clickhouse
