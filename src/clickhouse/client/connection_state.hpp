// The state that a Connection and its Inserts share. It writes requests and interprets their ends.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/client/transport.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

class Connection::State {
  public:
    State(Url url, std::string password, std::unique_ptr<Transport> transport);

    [[nodiscard]] const Url& url() const noexcept { return url_; }
    void set_stop(std::stop_token stop) { stop_ = std::move(stop); }

    [[nodiscard]] std::uint64_t requests() const noexcept { return requests_; }

    const Version& version();

    enum class Database { kOfUrl, kNone };

    /// A query or a statement. ask() sends it and reads the answer with `visit`; see
    /// Connection::query().
    struct Ask {
        std::string_view sql;
        const std::vector<ExternalTable>* tables = nullptr;
        const Settings* settings = nullptr;
        Database database = Database::kOfUrl;
        bool is_repeatable = true;
    };
    void ask(const Ask& ask, const std::function<void(RowReader&)>& visit);

    /// Begins the request of an insert, to a server that has just answered another request.
    void begin_insert(std::string_view sql, const Settings& given);
    [[nodiscard]] bool is_new_server() { return version() >= kFirstNew; }
    /// Returns whether the server has zstd. Older servers have only gzip.
    [[nodiscard]] bool takes_zstd() { return version() >= kFirstWithZstd; }
    /// Returns whether the server is on this machine. If so, compression only costs time.
    [[nodiscard]] bool is_on_this_machine() const;

    // These throw base::Stopped, or StoreError if the time is up. The server is then told to end
    // the query.
    bool receive(std::string& bytes);
    bool send(std::string_view bytes);
    void end_body();
    void abort() noexcept { transport_->abort(); }

    /// Throws if the request that has ended did not succeed.
    void check_outcome() const;

  private:
    static constexpr Version kFirstNew{19, 11};
    static constexpr Version kFirstWithZstd{21, 1};

    void ask_once(const Ask& ask, const std::function<void(RowReader&)>& visit, bool& has_rows);
    [[nodiscard]] std::string address(Database database, const Settings& settings);
    [[nodiscard]] std::vector<std::string> headers() const;
    [[nodiscard]] const Endpoint& endpoint() const { return url_.endpoints[endpoint_]; }
    [[nodiscard]] std::string where() const;
    /// Calls `act`. Ends the query on the server if `act` was stopped or its time is up.
    template <typename Act>
    auto guarded(Act act);
    void kill_query() noexcept;

    Url url_;
    std::string password_;
    std::size_t endpoint_ = 0;  // index of the one in use
    std::stop_token stop_;
    std::optional<Version> version_;
    std::uint64_t requests_ = 0;
    std::string query_id_;  // of the current request
    std::unique_ptr<Transport> transport_;
};

}  // namespace fendex::clickhouse
