#include "store/sqlite/upgrade/upgrade.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "codec/swing.hpp"
#include "replay/stored_swings.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file/interrupter.hpp"
#include "store/sqlite/file/schema_check.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/tables/annotation_table.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/derived_marks.hpp"
#include "store/sqlite/tables/game_openings.hpp"
#include "store/sqlite/tables/game_reader.hpp"
#include "store/sqlite/tables/player_lists.hpp"
#include "store/sqlite/tables/row_codes.hpp"
#include "store/sqlite/upgrade/checksum_upgrade.hpp"
#include "store/sqlite/upgrade/rewritten_table.hpp"
#include "store/sqlite/writer/writer_connection.hpp"
#include "store/sqlite/writer/writer_lock.hpp"

namespace fendex::store {

namespace {

constexpr std::uint64_t kRowsBetweenStops = 256;
/// Needed disk space as a multiple of the file: everything that is written also goes to SQLite's
/// log, and a new table exists beside the one that it replaces.
constexpr std::uint64_t kFilesNeeded = 2;

/// Copies a game's row from version 5 on.
constexpr char kInsertWithOpening[] =
    "INSERT INTO game SELECT id, white, black, event, site, date, round, result, white_elo,"
    " black_elo, eco, plies, variant, fen, shape, tags, moves, tags_sum, moves_sum, ?2"
    " FROM fendex_old_game WHERE id = ?1";

class Upgrade {
  public:
    Upgrade(const std::string& path, const UpgradeOptions& options)
        : options_(options),
          lock_(path, "upgrade"),
          connection_(open_any_version(path, Connection::Mode::kReadWrite)) {}

    UpgradeReport run() {
        report_.from = connection_.format();
        if (report_.from == kFormatVersion &&
            std::ranges::all_of(kDerivedMarks,
                                [&](const DerivedMark& mark) { return is_ours(mark); })) {
            report_.end = UpgradeReport::End::kNothingToDo;
            return report_;
        }
        announce();
        use_log(connection_);
        connection_.run("PRAGMA synchronous = FULL");
        connection_.run("PRAGMA cache_size = -65536");
        connection_.integer("PRAGMA secure_delete = FAST");
        // Renaming a table does not change views and triggers of other programs.
        connection_.run("PRAGMA legacy_alter_table = ON");
        connection_.run("BEGIN IMMEDIATE");
        try {
            require_same_format(connection_);
            {
                const Interrupter interrupter({connection_.handle()}, options_.stop);
                rewrite();
            }
            connection_.run("COMMIT");
        } catch (const Interrupted&) {
            roll_back();
            report_.end = UpgradeReport::End::kStopped;
        } catch (const StoreError&) {
            roll_back();
            // Some interrupted statements report another error: ALTER TABLE names its current
            // table.
            if (!options_.stop || !options_.stop()) {
                close();
                throw;
            }
            report_.end = UpgradeReport::End::kStopped;
        }
        close();
        return report_;
    }

  private:
    void announce() {
        const std::uint64_t page = connection_.number("PRAGMA main.page_size");
        const std::uint64_t used = (connection_.number("PRAGMA main.page_count") -
                                    connection_.number("PRAGMA main.freelist_count")) *
                                   page;
        if (options_.announce) {
            options_.announce({report_.from, kFormatVersion,
                               connection_.number("PRAGMA main.page_count") * page,
                               used * kFilesNeeded});
        }
    }

    void rewrite() {
        const bool has_codes = connection_.format() >= kCodesFormat;
        const bool keeps_openings =
            connection_.format() == kFormatVersion && is_ours(kOpeningsMark);
        rows_ = (keeps_openings ? 2U
                 : has_codes    ? 5U
                                : 6U) *
                connection_.number("SELECT count(*) FROM game");
        last_game_ =
            std::min<GameId>(connection_.number("SELECT value FROM meta WHERE name = 'last_game'"),
                             static_cast<GameId>(most_rows(connection_)));
        if (!keeps_openings) {
            find_openings();
            if (connection_.format() < kSealedFormat) {
                for (const char* table : {"annotation", "import_error", "block"}) {
                    rows_ += connection_.number(std::string("SELECT count(*) FROM ") + table);
                }
                report_.dropped_segments =
                    add_checksums(connection_, *openings_, [this] { count_row(); });
            } else {
                add_openings();
            }
            if (!has_codes) add_codes();
            add_opening_codes();
        }
        read_facts();
        find_swings();
        connection_.run("PRAGMA user_version = " + std::to_string(kFormatVersion));
        require_fendex(connection_);
        finish_sums();
    }

    bool is_ours(const DerivedMark& mark) {
        return connection_.number(std::string("SELECT value FROM meta WHERE name = '") + mark.meta +
                                  '\'') == mark.ours;
    }

    /// Finds the opening of each game. This must be done before the rows are written. Views of
    /// other programs stay.
    void find_openings() {
        const LocatedSum sum_before = connection_.format() < kOpeningsFormat
                                          ? LocatedSum()
                                          : sum_of_names(connection_, kOpenings);
        connection_.run("DROP TABLE IF EXISTS main.opening");
        connection_.run(create_statement("opening"));
        openings_.emplace(connection_, last_game_, [this] { count_row(); });
        names_sum_change_ = openings_->names_sum() - sum_before;
        connection_.run("DROP VIEW main.games");
        connection_.run(statement_of_schema("CREATE VIEW games AS", ";\n"));
    }

    /// Upgrades to version 7.
    void add_openings() {
        rewrite_table(connection_, "game", [&] {
            Statement select(connection_, "SELECT id FROM fendex_old_game ORDER BY id");
            Statement insert(connection_, kInsertWithOpening);
            while (select.step()) {
                insert.run(select.integer(0), openings_->id(select.integer(0)));
                count_row();
            }
        });
    }

    /// Updates the checksum of names for the new names and ids of openings. All other checksums
    /// stay, so that a check still finds earlier changes. Some earlier versions have no checksums,
    /// or only that of names.
    void finish_sums() {
        RowSums sums(connection_);
        sums.load();
        if (!sums.are_stored()) PlayerListWriter(connection_).drop();
        LocatedSum names = sums.names();
        if (meta_state(connection_).has_names_sum) names.sum += names_sum_change_.sum;
        if (sums.are_stored()) names.place += names_sum_change_.place;
        Statement put(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES (?1, ?2)");
        for (const DerivedMark& mark : kDerivedMarks) {
            put.run(mark.meta, as_signed(mark.ours));
        }
        sums.put(names);
    }

    void add_opening_codes() {
        connection_.run("DROP TABLE IF EXISTS main.game_opening");
        connection_.run(create_statement("game_opening"));
        ChunkWriter<OpeningChunks> openings(connection_);
        openings.begin(0);
        for (GameId game = 1; game <= last_game_; ++game) {
            const std::optional<std::int64_t> id = openings_->id(as_signed(game));
            openings.add({id ? codec::code_of_id(*id) : codec::kNoCode});
            count_row();
        }
        openings.flush();
    }

    /// Upgrades from version 5 to 6: adds codes of names.
    void add_codes() {
        for (const char* const table : kCodeTables) connection_.run(create_statement(table));
        ChunkWriter<PlayerChunks> players(connection_);
        ChunkWriter<NameChunks> names(connection_);
        players.begin(0);
        names.begin(0);
        RowCodes row_codes(connection_);
        for (GameId game = 1; game <= last_game_; ++game) {
            const codec::GameCodes codes = row_codes.codes(game);
            players.add(codes.players);
            names.add(codes.names);
            count_row();
        }
        players.flush();
        names.flush();
    }

    /// Computes the facts again from the tags: version 6 added mode and ultraBullet, and the rules
    /// for time controls have changed since.
    void read_facts() {
        ChunkWriter<FactChunks> facts(connection_);
        facts.begin(0);
        FactReader old_facts(connection_);
        RowFacts row_facts(connection_, GameReader::Verify::kNo);
        for (GameId game = 1; game <= last_game_; ++game) {
            facts.add(facts_of(game, row_facts, old_facts));
            count_row();
        }
        facts.flush();
    }

    /// Finds the swings of the games whose annotations are kept. Those of others stay.
    void find_swings() {
        std::optional<SwingReader> old_swings;
        if (has_swing_table(connection_)) old_swings.emplace(connection_);
        SwingWriter swings(connection_);
        swings.begin(0);
        GameReader games(connection_, GameReader::Verify::kNo);
        AnnotationReader annotations(connection_);
        StoredMoves moves;
        std::string annotation;
        for (GameId game = 1; game <= last_game_; ++game) {
            std::uint32_t code = 0;
            // The upgrade does not change a damaged annotation, so a check still finds the damage.
            if (old_swings) is_read([&] { code = old_swings->at(game).front(); });
            is_read([&] {
                if (annotations.read(game, annotation) && games.moves(game, moves)) {
                    code = codec::code_of_swings(replay::swings_of_stored(moves, annotation));
                }
            });
            swings.add(code);
            count_row();
        }
        swings.flush();
    }

    template <typename Read>
    static bool is_read(Read read) {
        try {
            read();
            return true;
        } catch (const DamageError&) {
            return false;
        }
    }

    /// Returns the facts of a game's row. If the row is damaged, returns the stored facts, or empty
    /// ones. The upgrade does not change such a row, so a check still finds the damage.
    static codec::GameFacts facts_of(GameId game, RowFacts& by_row, FactReader& stored) {
        codec::GameFacts facts;
        if (is_read([&] { by_row.facts(game, facts); })) return facts;
        if (is_read([&] { facts = stored.at(game); })) return facts;
        return {};
    }

    /// Counts a written row.
    void count_row() {
        if (++done_ % kRowsBetweenStops != 0) return;
        if (options_.stop && options_.stop()) throw Interrupted();
        if (options_.progress) {
            options_.progress(static_cast<double>(done_) / static_cast<double>(rows_ + 1));
        }
    }

    /// Rolls back after an error. SQLite may have done so already.
    void roll_back() {
        try {
            connection_.run("ROLLBACK");
        } catch (const StoreError&) {
        }
    }

    /// Empties the log, if there is no reader.
    void close() {
        try {
            connection_.run("PRAGMA busy_timeout = 0");
            connection_.text("PRAGMA wal_checkpoint(TRUNCATE)");
        } catch (const StoreError&) {
        }
    }

    const UpgradeOptions& options_;
    WriterLock lock_;
    Connection connection_;
    UpgradeReport report_;
    GameId last_game_ = 0;
    std::optional<GameOpenings> openings_;
    LocatedSum names_sum_change_;
    std::uint64_t rows_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace

UpgradeReport upgrade_database(const std::string& path, const UpgradeOptions& options) {
    return Upgrade(path, options).run();
}

}  // namespace fendex::store
