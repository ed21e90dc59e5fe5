// Reads the columns of a row of an answer, in their order, and checks each: a value that no push
// writes never becomes an enum, an index or a size. It is an error that names the server, the
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

/// The error for data that no push writes: `what` says which.
[[nodiscard]] store::DamageError damaged(const Connection& connection, const std::string& what);

class AnswerRow {
  public:
    /// `table` is where the values come from. The arguments must outlive the row.
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
    /// The id of a game in the cluster.
    GameId game(std::string_view column = "game");
    /// The number of a game, source or error in its database; may be 0.
    std::uint64_t number(std::string_view column);
    Origin origin();
    PushNumber push();
    std::uint32_t ply(std::string_view column = "ply");
    /// Plies of a repeated position: two at least, ascending.
    std::vector<std::uint32_t> plies();
    /// codec::kGameEndsHere, or a move whose kind exists. It need not be legal.
    chess::Move next();

    // Other values.
    bool flag(std::string_view column);
    std::uint8_t u8(std::string_view column, std::uint8_t most);
    std::uint32_t u32(std::string_view column, std::uint32_t most);
    /// A number of things, or a sum. Some thousands of them can be added up.
    std::uint64_t count(std::string_view column);
    /// The same for what may be taken back.
    std::int64_t change(std::string_view column);
    /// Seconds since 1970, before the year 10,000.
    std::int64_t time(std::string_view column);
    /// Any value is right: keys, checksums, places in a file.
    std::uint64_t any_u64() { return in_.u64(); }
    std::int64_t any_i64() { return in_.i64(); }
    std::uint32_t any_u32() { return in_.u32(); }
    /// The view is valid until the next call.
    std::string_view text() { return in_.string(); }
    /// Ids of games in the cluster.
    std::vector<GameId> games(std::string_view column);
    std::vector<std::uint64_t> any_u64s() { return in_.u64s(); }
    std::vector<std::uint32_t> any_u32s() { return in_.u32s(); }
    /// A column of a type Nullable; read() reads its value.
    template <typename Read>
    auto nullable(std::string_view column, Read read) -> std::optional<decltype(read())> {
        if (flag(column)) return std::nullopt;
        return read();
    }

    /// The value of a column is wrong.
    [[noreturn]] void refuse(std::string_view column, std::uint64_t value) const;
    [[noreturn]] void refuse(std::string_view column, const std::string& value) const;
    /// What a column holds is wrong, and cannot be told in a word.
    [[noreturn]] void refuse(std::string_view column) const;
    /// The row itself is wrong: it is not one of those that were asked for, or it comes in another
    /// place among them.
    [[noreturn]] void refuse_row(std::string_view column, std::uint64_t value) const;

  private:
    void require_game(std::string_view column, GameId id) const;
    [[nodiscard]] std::string name_of(std::string_view column) const;

    const Connection& connection_;
    std::string_view table_;
    RowReader& in_;
    GameId game_ = 0;  // the row's first game, for messages; 0: none was read
};

/// Calls visit(row) for the rows of a question (Connection::query) about one table.
void read_rows(Connection& connection, std::string_view table, const std::string& sql,
               const std::vector<ExternalTable>& tables,
               const std::function<void(AnswerRow&)>& visit);
inline void read_rows(Connection& connection, std::string_view table, const std::string& sql,
                      const std::function<void(AnswerRow&)>& visit) {
    read_rows(connection, table, sql, {}, visit);
}

/// Returns the number that a question asks for.
[[nodiscard]] std::uint64_t read_count(Connection& connection, std::string_view table,
                                       const std::string& sql,
                                       const std::vector<ExternalTable>& tables = {});

/// Whether a number is a date as facts hold it: yyyymmdd with unknown parts 0.
[[nodiscard]] constexpr bool is_date(std::uint32_t date) {
    return date <= 9999'12'31 && date / 100 % 100 <= 12 && date % 100 <= 31;
}

}  // namespace fendex::clickhouse
