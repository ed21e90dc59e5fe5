// The tables of a damaged database, written anew from its games in one transaction: readers see all
// of it or nothing. Whoever repairs says what the games are; here is how it is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/game_range.hpp"
#include "store/sqlite/annotation_table.hpp"
#include "store/sqlite/chunk_table.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/deleted_games.hpp"
#include "store/sqlite/game_reader.hpp"
#include "store/sqlite/ply_rows_source.hpp"
#include "store/sqlite/repetition_table.hpp"
#include "store/sqlite/writer_lock.hpp"

namespace fendex::store {

/// What the counters of table `meta` are to be.
struct RepairedTotals {
    GameId last_game = 0;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;
    std::uint64_t fingerprint = 0;
    /// As StoreWriter::variations_from(), until the index is made.
    GameId variations_from = 0;
};

class RepairTables {
  public:
    /// Begins the transaction, in which nothing is left of the index, nor of what follows from
    /// games. Throws StoreError where SQLite's own structure is damaged, and says what to do.
    explicit RepairTables(const std::string& path);

    /// Names that games refer to and that are not there get a name that says so; columns that no
    /// game can have are reset. Returns how many of them.
    std::uint64_t repair_columns();

    /// Gives games whose numbers cannot be theirs the numbers behind the last one, in their order:
    /// a number too large would have facts written for all below it. Returns how many games these
    /// are.
    std::uint64_t repair_numbers();
    /// Games are numbered from 1 to this, after repair_numbers().
    GameId last_game() const { return last_game_; }
    /// Games whose variations are to be indexed again.
    std::vector<GameRange> variations() const;
    /// The next game there is; empty behind the last.
    std::optional<GameId> next_game(GameId after);
    GameReader& games() { return games_; }
    /// The length that the facts had; empty where they are damaged.
    std::optional<std::uint32_t> plies_by_facts(GameId game);

    /// The game keeps the tags that have a column: the others cannot be read.
    void drop_packed_tags(GameId game);
    /// What became of what stands around the moves: it is taken away if it cannot be read.
    enum class Annotation { kIntact, kDoubtful, kLost };
    Annotation keep_annotation(GameId game);
    /// Writes a game's row over.
    void put(GameId game, const codec::GameFacts& facts, std::string_view start,
             std::string_view moves);
    /// Writes the checksums of the game's row, as it is now. True if they were right already.
    bool seal(GameId game);
    void add_error(GameId game, std::optional<std::uint32_t> ply, std::string_view reason);

    /// In the order of the games; those between them are taken for deleted.
    void add(GameId game, const codec::GameFacts& facts, const codec::GameSignature& signature);
    RepetitionTable& repetitions() { return repetitions_; }
    bool has_ply_rows() const { return insert_plies_.has_value(); }
    void add_ply_rows(GameId game, const PlyRowList& rows);

    /// Ledger, counters and what is left; commits.
    void finish(const RepairedTotals& totals);

  private:
    void begin();
    bool is_sealed(GameId game);
    bool has_readable_annotation(GameId game);
    bool seal_blob(const char* table, const char* key, Sealed what, std::int64_t id);
    void seal_dictionaries();
    void drop_unreadable_texts();
    void collect_variations();
    void repair_sources(GameId last_game);
    void skip_to(GameId game);

    WriterLock lock_;
    Connection connection_;
    GameReader games_;
    FactReader old_facts_;
    AnnotationReader annotations_;
    std::string annotation_;
    FactWriter facts_;
    SignatureWriter signatures_;
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
    bool dictionary_is_doubtful_ = false;
    DeletedGames deleted_;
};

}  // namespace fendex::store
