// Rewrites the tables of a damaged database from its games, in one transaction: readers see the old
// state or the whole new one. The caller determines the games; this class stores them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/game_range.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/repair/repair_annotations.hpp"
#include "store/sqlite/repair/repair_doubts.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/deleted_games.hpp"
#include "store/sqlite/tables/game_reader.hpp"
#include "store/sqlite/tables/name_table.hpp"
#include "store/sqlite/tables/ply_rows_source.hpp"
#include "store/sqlite/tables/repetition_table.hpp"
#include "store/sqlite/tables/row_codes.hpp"
#include "store/sqlite/writer/writer_lock.hpp"

namespace fendex::store {

/// New values for the counters of table `meta`.
struct RepairedTotals : GameSums {
    GameId last_game = 0;
    /// The value of SegmentedWriter::variations_from() until the index is rebuilt.
    GameId variations_from = 0;
};

class RepairTables {
  public:
    /// Begins the transaction. Clears the index and everything else that can be computed from
    /// games. Throws StoreError, which says what to do, if SQLite's own structure is damaged.
    explicit RepairTables(const std::string& path);

    /// Adds placeholders for missing names that games refer to. Resets impossible values of
    /// columns. Returns the number of changed rows.
    std::uint64_t repair_columns();

    /// Makes the tables of records of positions whole. What was damaged becomes import errors.
    /// Returns its number.
    std::uint64_t repair_records();

    /// Removes damaged rows of joined names; they become import errors. Call it after
    /// repair_columns(). Returns the number of damaged rows.
    std::uint64_t repair_joined_names();

    /// Renumbers games with impossible numbers: they follow the last game, in their order. With
    /// their old numbers, facts would be written for all numbers below. Returns how many games were
    /// renumbered.
    std::uint64_t repair_numbers();
    /// Returns the largest number of a game. Call it after repair_numbers().
    GameId last_game() const { return last_game_; }
    /// Returns the games whose variations must be indexed again.
    std::vector<GameRange> variations() const;
    /// Returns the next existing game; empty after the last.
    std::optional<GameId> next_game(GameId after);
    GameReader& games() { return games_; }
    /// Returns the length of the game by its old facts; empty if they are damaged.
    std::optional<std::uint32_t> plies_by_facts(GameId game);

    /// Removes the packed tags, which cannot be read; the game keeps the tags in columns.
    void drop_packed_tags(GameId game);
    RepairAnnotations& annotations() { return annotations_; }
    /// Overwrites the moves and facts of a game's row.
    void put(GameId game, const codec::GameFacts& facts, std::string_view start,
             std::string_view moves);
    /// Writes the checksums of the game's current row. Returns true if they were right already.
    bool seal(GameId game);
    void add_error(GameId game, std::optional<std::uint32_t> ply, std::string_view reason);

    /// Returns the code of the stored swings of a game; empty if they are damaged.
    std::optional<std::uint32_t> stored_swings(GameId game);

    /// Adds facts, signature, opening and the code of the swings of a game. Call it in the order of
    /// games. Missing games are marked as deleted.
    void add(GameId game, const codec::GameFacts& facts, const codec::GameSignature& signature,
             std::string_view opening, std::uint32_t swings);
    RepetitionTable& repetitions() { return repetitions_; }
    bool has_ply_rows() const { return insert_plies_.has_value(); }
    void add_ply_rows(GameId game, const PlyRowList& rows);

    /// Repairs the ledger, counters and the rest, and commits. Returns the data that may have
    /// changed since the import; they are also recorded as import errors.
    std::vector<Doubt> finish(const RepairedTotals& totals);

  private:
    void begin();
    void add_error(std::string_view reason);
    bool is_sealed(GameId game);
    void drop_unreadable_texts();
    void collect_variations();
    void repair_sources(GameId last_game);
    std::vector<Doubt> record_doubts(GameId last_game);
    void skip_to(GameId game);
    void put_opening(GameId game, std::string_view text);

    WriterLock lock_;
    Connection connection_;
    GameReader games_;
    FactReader old_facts_;
    std::optional<SwingReader> old_swings_;  // empty if there is no table
    RepairAnnotations annotations_;
    ChunkTables chunks_;
    RowCodes codes_;
    NewRowsSource new_rows_;
    LocatedSum openings_sum_;
    NameTable openings_;
    Statement update_opening_;
    RepetitionTable repetitions_;
    PlyRowsSource new_plies_;
    Statement select_sums_;
    Statement update_sums_;
    RowDigest digest_;
    std::int64_t tags_sum_ = 0;
    std::int64_t moves_sum_ = 0;
    std::optional<Statement> insert_plies_;
    GameId next_ = 1;  // the game whose facts are written next
    GameId last_game_ = 0;
    std::vector<GameRange> variations_;
    std::optional<RepairDoubts> doubts_;
    DeletedGames deleted_;
};

}  // namespace fendex::store
