// Sends statements and queries to a ClickHouse server over its HTTP interface, with libcurl.
//
// Errors are store::StoreError with one line that names the server and says what to do:
// kUnreachable (no server there, or the connection broke), kAbsent (no such database or table),
// kDamaged (a column is missing or has another type), kFull, kBusy (too many queries at once),
// kOther (password refused, time or memory limit, anything else). An answer is either complete or
// an error: the server holds it back until the query has succeeded (wait_end_of_query).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

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
    Connection(Url url, std::string password);
    /// Uses another transport than the network.
    Connection(Url url, std::string password, std::unique_ptr<Transport> transport);
    Connection(Connection&&) noexcept;
    Connection& operator=(Connection&&) noexcept;
    ~Connection();

    [[nodiscard]] const Url& url() const;

    /// Returns the server's version. Only the first call sends a query.
    Version version();
    /// Returns whether the server has column codecs (19.11 and later).
    bool is_new();

    /// Sets a token. Within about 100 ms after a stop was requested, the current request and all
    /// later ones throw base::Stopped, and the server is told to end the query.
    void set_stop(std::stop_token stop);

    /// Runs a statement that has no answer. It is repeated only if it never reached a server.
    void run(std::string_view sql, const std::vector<ExternalTable>& tables = {},
             const Settings& settings = {});

    /// Creates the URL's database if it is missing. (Other requests fail without it.)
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

    /// Begins "INSERT INTO table (columns)"; `sql` has no VALUES and no FORMAT. When finish()
    /// returns, rows through a Distributed table have reached their shards. An insert is never
    /// repeated. A server stores blocks of about a million rows at once, so a longer insert that
    /// fails may leave whole blocks behind.
    Insert insert(std::string_view sql, const Settings& settings = {});

    /// Returns the number of requests so far, for tests that count round trips.
    [[nodiscard]] std::uint64_t requests() const;

    class State;

  private:
    std::unique_ptr<State> state_;
};

/// An insert of rows into a table. If it is destroyed without finish(), the server refuses the
/// rows.
class Insert {
  public:
    Insert(Insert&&) noexcept;
    ~Insert();

    /// Sends RowBinary; a row may be split between two calls. Waits if the server is slower.
    void write(std::string_view bytes);
    /// Returns after the server has stored the rows.
    void finish();

  private:
    friend class Connection;
    class State;
    explicit Insert(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

/// Returns the name in backquotes, for SQL.
std::string quoted_name(std::string_view name);

}  // namespace fendex::clickhouse
