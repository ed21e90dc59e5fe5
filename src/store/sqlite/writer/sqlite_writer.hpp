// The writer of a SQLite database: one class, whose functions are in a file for each subject.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite/index/indexing.hpp"
#include "store/sqlite/records/record_writer.hpp"
#include "store/sqlite/segments/segment_reader.hpp"
#include "store/sqlite/segments/segment_table.hpp"
#include "store/sqlite/segments/segmented_writer.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/derived_marks.hpp"
#include "store/sqlite/tables/error_table.hpp"
#include "store/sqlite/tables/game_reader.hpp"
#include "store/sqlite/tables/game_table.hpp"
#include "store/sqlite/tables/name_alias_table.hpp"
#include "store/sqlite/tables/player_lists.hpp"
#include "store/sqlite/tables/ply_rows_source.hpp"
#include "store/sqlite/tables/repetition_table.hpp"
#include "store/sqlite/tables/source_table.hpp"
#include "store/sqlite/writer/writer_lock.hpp"

namespace fendex::store {

class SqliteWriter final : public SegmentedWriter,
                           public PositionRecordWriter,
                           public NameJoinWriter {
  public:
    SqliteWriter(const std::string& path, std::string_view purpose, std::shared_ptr<void> open);

    // Games (writer.cpp).
    GameId next_game() const override { return totals_.last_game + 1; }
    GameId add(NewGames batch) override;
    bool takes_rows() const override { return true; }
    std::uint64_t add_notes(const NewGames& batch) override;
    void add_ply_rows(std::span<const GamePlyRows> games, const PlyRowList& rows) override {
        new_ply_rows_.set(games, rows);
        insert_plies_->run();
    }
    std::optional<PlyRows> ply_rows() const override { return ply_rows_; }
    void choose_ply_rows(PlyRows rows) override;
    codec::GameFacts facts(GameId game) override { return chunks_.facts(game); }
    bool game(GameId game, StoredGame& out) override {
        games_.write_names();
        if (!stored_games_) stored_games_.emplace(connection_);
        return stored_games_->game(game, out);
    }
    GameSums remove_games(std::span<const GameId> games) override;
    void commit() override;
    void rollback() override;

    // The ledger of sources (writer_sources.cpp).
    void begin_source(const SourceFile& file, const std::string& options,
                      std::uint64_t first_byte) override {
        end_records();
        sources_.begin(file, options, next_game(), first_byte);
    }
    void continue_source(const StoredSource& source, const SourceFile& file,
                         const std::string& options) override;
    void update_source(const SourceProgress& progress) override { sources_.update(progress); }
    SourceCounts source_counts() const override { return sources_.current(); }
    std::int64_t source() const override { return sources_.current().id; }
    GameSums retract(const SourceCounts& counts, const SourceProgress& progress) override;
    GameSums retract_row(const StoredSource& source) override;
    void set_source_file(std::int64_t source, const SourceFile& file) override {
        sources_.set_file(source, file);
    }

    // The index (writer_index.cpp).
    UnindexedGames unindexed() override {
        const GameId last = segments_.last_game();
        return {last + 1, totals_.last_game - last};
    }
    std::vector<SegmentRecord> segments(SegmentKind kind) override {
        return read_segments(connection_, kind, true);
    }
    std::int64_t begin_segment() override { return segments_.begin(); }
    void add_block(std::uint64_t first_key, unsigned part, std::string_view data) override {
        segments_.add_block(first_key, part, data);
    }
    void add_fine_sums(std::uint64_t key, std::string_view row) override {
        segments_.add_fine_sums(key, row);
    }
    void give_up_segment(std::int64_t id) override {
        segments_.give_up(id);
        replaced_ = true;
    }
    void put_segments(std::span<const SegmentRecord> segments) override;
    GameId variations_from() override { return meta("variations_from"); }
    void set_variations_from(GameId game) override { put_meta("variations_from", as_signed(game)); }
    GrowingIndex* begin_index(const IndexOptions& options) override;

    // Records of positions (writer_records.cpp).
    PositionRecordWriter* records() override { return this; }
    bool is_due() const override { return records_.is_due(); }
    void merge(const std::function<bool()>& go_on) override;
    std::uint64_t remove_all() override { return records_.remove_all(); }

    // Joined names (writer_names.cpp).
    NameJoinWriter* joined_names() override { return this; }
    std::size_t join_name(NameKind kind, std::string_view name, std::string_view canonical,
                          std::string_view origin) override;
    bool is_joined_otherwise(NameKind kind, std::string_view name,
                             std::string_view canonical) override;
    std::size_t split_name(NameKind kind, std::string_view name) override;

    // Maintenance and closing (writer_maintenance.cpp).
    bool maintain(const Maintenance& request) override;
    void close() override;
    bool close_unless_unused() override;

  private:
    struct Totals : GameSums {
        GameId last_game = 0;
        std::uint64_t errors = 0;
        std::uint64_t postings_written = 0;

        bool operator==(const Totals&) const = default;
    };

    /// The totals by their names in table meta.
    static constexpr std::pair<const char*, std::uint64_t Totals::*> kTotals[] = {
        {"games", &Totals::games},
        {"last_game", &Totals::last_game},
        {"plies", &Totals::plies},
        {"positions", &Totals::positions},
        {"errors", &Totals::errors},
        {"fingerprint", &Totals::fingerprint},
        {"postings_written", &Totals::postings_written}};

    /// So many ranges of players' games and names are made in one commit: two thirds of a second.
    static constexpr unsigned kListsOfCommit = 4;

    void begin();
    void load_state();
    void load_ply_rows();
    void insert_repetitions(const NewGames& batch, GameId first);
    void insert_ply_rows(const NewGames& batch, GameId first);
    std::uint64_t remove_errors(std::int64_t source, std::uint64_t resume_byte);
    void remove_remains();
    void index_variations_from(GameId game);
    void put_records();
    void end_records();
    void commit_transaction();
    std::vector<std::int64_t> unfinished_sources();
    void merge_runs(const std::vector<std::int64_t>& unfinished,
                    const std::function<bool()>& go_on);
    bool make_player_lists(const std::function<bool()>& stop);
    bool make_index(const Maintenance& request, const std::function<bool()>& stop);
    void drop_ply_rows();
    bool vacuum(const std::function<bool()>& stop);
    void empty_log();
    bool make_one_file();

    std::uint64_t meta(const std::string& name);
    template <typename Value>
    void put_meta(std::string_view name, Value value) {
        set_meta_.run(name, value);
    }

    std::shared_ptr<void> open_;        // only kept alive
    std::unique_ptr<WriterLock> lock_;  // destroyed last
    bool is_new_;
    Connection connection_;
    std::optional<std::int64_t> version_;  // changes with commits of other connections
    PlyRowsSource new_ply_rows_;
    NewRowsSource new_rows_;
    GameTable games_;
    std::size_t many_names_pages_ = 0;  // bytes of pages to keep once there are many names; 0: done
    std::optional<GameReader> stored_games_;  // opened when needed
    ChunkTables chunks_;
    PlayerListWriter player_lists_;
    std::array<std::uint64_t, kDerivedMarks.size()> marks_{};  // those of the database
    AnnotationWriter annotations_;
    RepetitionTable repetitions_;
    SegmentTable segments_;
    RowSums sums_;
    ErrorTable errors_;
    SourceTable sources_;
    NameAliasWriter aliases_;
    RecordWriter records_;
    bool reads_records_ = false;  // the current source has records of positions
    Statement set_meta_;
    std::optional<Statement> insert_plies_;
    std::optional<Indexing> indexing_;

    Totals totals_;
    bool replaced_ = false;  // a segment was replaced or given up since the last commit
    std::optional<PlyRows> ply_rows_;
};

}  // namespace fendex::store
