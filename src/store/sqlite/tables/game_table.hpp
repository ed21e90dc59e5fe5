// Writes games as rows of table `game`, and the tables of names. Tags are stored in columns, as ids
// of names, or packed. Belongs to the writer's connection and thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/game_codes.hpp"
#include "store/game_column.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/memory_shares.hpp"
#include "store/sqlite/file/new_rows.hpp"
#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/tables/copied_rows.hpp"
#include "store/sqlite/tables/name_table.hpp"
#include "store/sqlite/tables/row_translator.hpp"

namespace fendex::store {

enum class Column;

class GameTable {
  public:
    GameTable(Connection& connection, NewRowsSource& source);
    GameTable(const GameTable&) = delete;
    GameTable& operator=(const GameTable&) = delete;

    // Rows are written by write(). Until then, what they were made of must be valid.
    void insert(GameId id, const NewGames& batch, const NewGame& game);
    /// Inserts a game that another database has.
    void insert(GameId id, const CopiedRows& rows, std::size_t index, std::string_view opening);
    void write() { source_.run(insert_, rows_); }
    /// Writes new names. Must be called before a commit.
    void write_names();
    /// Returns the codes of the game that was inserted last.
    const codec::GameCodes& codes() const { return codes_; }
    /// Forgets names that a rollback has undone.
    void forget_names();
    /// Limits the memory of names whose ids are kept.
    void limit_names(std::size_t bytes);
    /// Returns the names of players, events or sites. New ones are written by write_names().
    NameTable& names(NameKind kind);
    /// Returns whether the index of a table of names is larger than a usual cache.
    [[nodiscard]] bool has_many_names() const { return players_.is_large(); }
    /// Returns the checksum of all names for meta, including names that were inserted.
    const LocatedSum& names_sum() const { return names_sum_; }
    void set_names_sum(const LocatedSum& sum) { names_sum_ = sum; }

  private:
    /// A shape that no game has.
    static constexpr char kNoShape[] = "\n";

    /// Sets a column to the value of a tag. Returns false if the column could not restore the value
    /// exactly; then the value must be packed.
    bool set_column(Column column, std::string_view value, const NewGame& game);
    void pack_value(const TagPair& tag);
    std::int64_t shape_id();
    void read_codes();
    template <typename Call>
    void for_each_names(Call call);
    void bound_names();

    RowValue& at(int column) { return row_[static_cast<std::size_t>(column)]; }
    void set(int column, std::int64_t number) { at(column) = RowValue::of_number(number); }
    void set(int column, std::string_view text) { at(column) = RowValue::of_text(text); }
    void end_row(std::string_view opening);
    void set_sums();
    void set_opening(std::string_view text);

    NewRowsSource& source_;
    LocatedSum names_sum_;
    NameTable players_;
    NameTable events_;
    NameTable sites_;
    NameTable values_;
    NameTable shapes_;
    NameTable openings_;
    RowTranslator translator_;
    std::size_t most_name_bytes_ = names_memory(std::size_t{1} << 30);
    Statement insert_;
    NewRows rows_;
    std::span<RowValue> row_;  // the last of them
    RowDigest digest_;
    std::string shape_;
    std::string last_shape_ = kNoShape;
    std::int64_t last_shape_id_ = 0;
    std::string packed_;
    codec::GameCodes codes_;
};

}  // namespace fendex::store
