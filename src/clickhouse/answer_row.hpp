// Reads the columns of a row of an answer, in their order, and checks each. A value that no push
// writes never becomes an enum, an index or a size: it is an error that names the server, the
// table, the column and the value. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "codec/game_facts.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

using store::GameId;

/// The columns of table game that AnswerRow::facts() reads.
inline constexpr char kFactColumns[] =
    "id, result, variant, time_class, mode, white_elo, black_elo, date, plies";

/// Returns the error for data that no push writes; `what` describes them.
[[nodiscard]] store::DamageError damaged(const Connection& connection, const std::string& what);

class AnswerRow {
  public:
    /// `table` is the name of the table for messages. The arguments must outlive the row.
    AnswerRow(const Connection& connection, std::string_view table, RowReader& in)
        : connection_(connection), table_(table), in_(in) {}
    AnswerRow(const AnswerRow&) = delete;
    AnswerRow& operator=(const AnswerRow&) = delete;

    // Facts of a game.
    codec::Result result();
    chess::Variant variant();
    codec::TimeClass time_class();
    codec::Mode mode();
    std::uint16_t elo(std::string_view column);
    /// Unknown parts are 0.
    std::uint32_t date(std::string_view column = "date");
    /// Reads kFactColumns; returns the id.
    GameId facts(codec::GameFacts& out);

    // Numbers of games, pushes and plies.
    /// Reads the id of a game in the cluster.
    GameId game(std::string_view column = "game");
    /// Reads the number of a game, source or error in its database; it may be 0.
    std::uint64_t number(std::string_view column);
    Origin origin();
    PushNumber push();
    std::uint32_t ply(std::string_view column = "ply");
    /// Reads the plies of a repeated position: at least two, ascending.
    std::vector<std::uint32_t> plies();
    /// Reads codec::kGameEndsHere, or a move of a kind that exists. The move may be illegal.
    chess::Move next();

    // Other values.
    bool flag(std::string_view column);
    std::uint8_t u8(std::string_view column, std::uint8_t most);
    std::uint32_t u32(std::string_view column, std::uint32_t most);
    /// Reads a count or a sum. Thousands of them can be added without overflow.
    std::uint64_t count(std::string_view column);
    /// Reads a change of a count. It is negative if games were taken back.
    std::int64_t change(std::string_view column);
    /// Reads a time in seconds since 1970, before the year 10,000.
    std::int64_t time(std::string_view column);
    // Columns in which any value is right: keys, checksums, places in a file.
    std::uint64_t any_u64() { return in_.u64(); }
    std::int64_t any_i64() { return in_.i64(); }
    std::uint32_t any_u32() { return in_.u32(); }
    /// The view is valid until the next call.
    std::string_view text() { return in_.string(); }
    /// Reads ids of games in the cluster.
    std::vector<GameId> games(std::string_view column);
    std::vector<std::uint64_t> any_u64s() { return in_.u64s(); }
    std::vector<std::uint32_t> any_u32s() { return in_.u32s(); }
    /// Reads a column of a type Nullable; read() reads its value if it is not NULL.
    template <typename Read>
    auto nullable(std::string_view column, Read read) -> std::optional<decltype(read())> {
        if (flag(column)) return std::nullopt;
        return read();
    }

    /// Throws the error for a wrong value of a column.
    [[noreturn]] void refuse(std::string_view column, std::uint64_t value) const;
    [[noreturn]] void refuse(std::string_view column, const std::string& value) const;
    /// Throws the error for a wrong value that is not printed.
    [[noreturn]] void refuse(std::string_view column) const;
    /// Throws the error for a wrong row: one that the query did not ask for, or that is out of
    /// order.
    [[noreturn]] void refuse_row(std::string_view column, std::uint64_t value) const;

  private:
    void require_game(std::string_view column, GameId id) const;
    [[nodiscard]] std::string name_of(std::string_view column) const;

    const Connection& connection_;
    std::string_view table_;
    RowReader& in_;
    GameId game_ = 0;  // the row's first game, for messages; 0: none was read
};

/// Runs a query (Connection::query) about one table and calls visit(row) for each row.
void read_rows(Connection& connection, std::string_view table, const std::string& sql,
               const std::vector<ExternalTable>& tables,
               const std::function<void(AnswerRow&)>& visit, const Settings& settings = {});
inline void read_rows(Connection& connection, std::string_view table, const std::string& sql,
                      const std::function<void(AnswerRow&)>& visit) {
    read_rows(connection, table, sql, {}, visit);
}

/// Runs a query whose answer is one number, and returns it.
[[nodiscard]] std::uint64_t read_count(Connection& connection, std::string_view table,
                                       const std::string& sql,
                                       const std::vector<ExternalTable>& tables = {});

/// Returns whether facts may have this date.
[[nodiscard]] constexpr bool is_date(codec::Date date) {
    return date.year() <= 9999 && date.month() <= 12 && date.day() <= 31;
}

}  // namespace fendex::clickhouse
