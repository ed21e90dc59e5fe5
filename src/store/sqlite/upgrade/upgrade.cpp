#include "store/sqlite/upgrade/upgrade.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codec/big_position.hpp"
#include "schema_sql.hpp"
#include "store/broken_game.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file/interrupter.hpp"
#include "store/sqlite/file/schema_check.hpp"
#include "store/sqlite/segments/segment_table.hpp"
#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/derived_marks.hpp"
#include "store/sqlite/tables/game_openings.hpp"
#include "store/sqlite/tables/row_codes.hpp"
#include "store/sqlite/writer/writer_connection.hpp"
#include "store/sqlite/writer/writer_lock.hpp"

namespace fendex::store {

namespace {

constexpr char kOldTable[] = "fendex_old_";
constexpr std::uint64_t kRowsBetweenStops = 256;
/// Needed disk space as a multiple of the file: everything that is written also goes to SQLite's
/// log, and a new table exists beside the one that it replaces.
constexpr std::uint64_t kFilesNeeded = 2;

constexpr char kSelectOldBlocks[] =
    "SELECT id, first_key, part, data FROM block WHERE segment = ?1 ORDER BY first_key, part";
/// Copies a game's row of version 4.
constexpr char kInsertUpgradedGame[] =
    "INSERT INTO game SELECT *, ?2, ?3, ?4 FROM fendex_old_game WHERE id = ?1";
/// Copies a game's row from version 5 on.
constexpr char kInsertWithOpening[] =
    "INSERT INTO game SELECT id, white, black, event, site, date, round, result, white_elo,"
    " black_elo, eco, plies, variant, fen, shape, tags, moves, tags_sum, moves_sum, ?2"
    " FROM fendex_old_game WHERE id = ?1";
constexpr char kInsertUpgradedError[] =
    "INSERT INTO import_error SELECT *, 0 FROM fendex_old_import_error WHERE id = ?1";
constexpr char kUpgradeMeta[] =
    "INSERT OR REPLACE INTO meta(name, value) VALUES ('id', lower(hex(randomblob(16)))),"
    " ('annotation_bytes', (SELECT ifnull(sum(length(data)), 0) FROM annotation))";

/// A table of blobs, its key, and the kind of checksum.
struct SealedTable {
    const char* name;
    const char* key;
    const char* blob;
    Sealed what;
};
constexpr SealedTable kSealedTables[] = {
    {"fact", "chunk", "data", Sealed::kFact},
    {"signature", "chunk", "data", Sealed::kSignature},
    {"deleted", "chunk", "games", Sealed::kDeleted},
    {"dictionary", "id", "data", Sealed::kDictionary},
    {"annotation", "game_id", "data", Sealed::kAnnotation},
};

struct DamagedSegment {};

/// Returns the statement of schema.sql that begins and ends with these words.
std::string statement_of_schema(const std::string& first_words, std::string_view end) {
    const std::string_view schema = sql::kSchemaSql;
    const std::size_t begin = schema.find(first_words);
    return std::string(schema.substr(begin, schema.find(end, begin) + 1 - begin));
}
std::string create_statement(const std::string& table) {
    return statement_of_schema("CREATE TABLE " + table + "(", ");\n");
}

std::string quoted_name(std::string_view name) {
    std::string out = "\"";
    for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

class Upgrade {
  public:
    Upgrade(const std::string& path, const UpgradeOptions& options)
        : options_(options),
          lock_(path, "upgrade"),
          connection_(open_any_version(path, Connection::Mode::kReadWrite)) {}

    UpgradeReport run() {
        report_.from = connection_.format();
        if (report_.from == kFormatVersion &&
            std::all_of(kDerivedMarks.begin(), kDerivedMarks.end(),
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
    std::uint64_t number(const std::string& sql) {
        return static_cast<std::uint64_t>(connection_.integer(sql).value_or(0));
    }

    void announce() {
        const std::uint64_t page = number("PRAGMA main.page_size");
        const std::uint64_t used =
            (number("PRAGMA main.page_count") - number("PRAGMA main.freelist_count")) * page;
        if (options_.announce) {
            options_.announce({report_.from, kFormatVersion,
                               number("PRAGMA main.page_count") * page, used * kFilesNeeded});
        }
    }

    void rewrite() {
        const bool has_codes = connection_.format() >= kCodesFormat;
        const bool keeps_openings =
            connection_.format() == kFormatVersion && is_ours(kOpeningsMark);
        rows_ = (keeps_openings ? 1U : has_codes ? 4U : 5U) * number("SELECT count(*) FROM game");
        last_game_ = std::min<GameId>(number("SELECT value FROM meta WHERE name = 'last_game'"),
                                      static_cast<GameId>(most_rows(connection_)));
        if (!keeps_openings) {
            find_openings();
            if (connection_.format() < kSealedFormat) {
                add_checksums();
            } else {
                add_openings();
            }
            if (!has_codes) add_codes();
            add_opening_codes();
        }
        read_facts();
        connection_.run("PRAGMA user_version = " + std::to_string(kFormatVersion));
        require_fendex(connection_);
        finish_sums();
    }

    bool is_ours(const DerivedMark& mark) {
        return number(std::string("SELECT value FROM meta WHERE name = '") + mark.meta + '\'') ==
               mark.ours();
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
        rewrite_table("game", [&] {
            Statement select(connection_, "SELECT id FROM fendex_old_game ORDER BY id");
            Statement insert(connection_, kInsertWithOpening);
            while (select.step()) {
                insert.bind(1, select.integer(0));
                bind_opening(insert, 2, select.integer(0));
                insert.run();
                count_row();
            }
        });
    }

    void bind_opening(Statement& insert, int parameter, std::int64_t game) {
        const std::int64_t id = openings_->id(game);
        if (id == 0) {
            insert.bind_null(parameter);
        } else {
            insert.bind(parameter, id);
        }
    }

    /// Updates the checksum of names for the new names and ids of openings. All other checksums
    /// stay, so that a check still finds earlier changes. Some earlier versions have no checksums,
    /// or only that of names.
    void finish_sums() {
        RowSums sums(connection_);
        sums.load();
        LocatedSum names = sums.names();
        if (meta_state(connection_).has_names_sum) names.sum += names_sum_change_.sum;
        if (sums.are_stored()) names.place += names_sum_change_.place;
        Statement put(connection_, "INSERT OR REPLACE INTO meta(name, value) VALUES (?1, ?2)");
        for (const DerivedMark& mark : kDerivedMarks) {
            put.bind(1, std::string_view(mark.meta));
            put.bind(2, as_signed(mark.ours()));
            put.run();
        }
        sums.put(names);
    }

    /// Upgrades from version 4 to 5.
    void add_checksums() {
        for (const char* table : {"annotation", "import_error", "block"}) {
            rows_ += number(std::string("SELECT count(*) FROM ") + table);
        }
        rewrite_blocks();
        for (const SealedTable& table : kSealedTables) seal(table);
        rewrite_games();
        rewrite_errors();
        rewrite_table("source", [&] {
            connection_.run("INSERT INTO source SELECT *, NULL FROM fendex_old_source ORDER BY id");
        });
        connection_.run(kUpgradeMeta);
        connection_.set_format(kSealedFormat);
    }

    void add_opening_codes() {
        connection_.run("DROP TABLE IF EXISTS main.game_opening");
        connection_.run(create_statement("game_opening"));
        ChunkWriter<OpeningChunks> openings(connection_);
        openings.begin(0);
        for (GameId game = 1; game <= last_game_; ++game) {
            const std::int64_t opening = openings_->id(as_signed(game));
            openings.add({opening == 0 ? codec::kNoCode : codec::code_of_id(opening)});
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

    /// Returns the facts of a game's row. If the row is damaged, returns the stored facts, or empty
    /// ones. The upgrade does not change such a row, so a check still finds the damage.
    static codec::GameFacts facts_of(GameId game, RowFacts& by_row, FactReader& stored) {
        codec::GameFacts facts;
        const auto is_read = [](auto read) {
            try {
                read();
                return true;
            } catch (const DamageError&) {
                return false;
            }
        };
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

    /// Creates the table again. copy() inserts the rows of the old table, in its order. If rows
    /// grew in their full pages instead, many pages would become half empty.
    template <typename Copy>
    void rewrite_table(const std::string& table, Copy copy) {
        std::vector<std::pair<std::string, std::string>> indexes;  // of other programs
        {
            Statement select(connection_,
                             "SELECT name, sql FROM main.sqlite_schema WHERE type = 'index'"
                             " AND tbl_name = ?1 COLLATE NOCASE AND sql IS NOT NULL");
            select.bind(1, std::string_view(table));
            while (select.step()) indexes.emplace_back(select.text(0), select.text(1));
        }
        for (const auto& [name, sql] : indexes) {
            connection_.run("DROP INDEX main." + quoted_name(name));
        }
        const std::string old = kOldTable + table;
        connection_.run("ALTER TABLE main." + table + " RENAME TO " + old);
        connection_.run(create_statement(table));
        copy();
        // DROP TABLE alone cannot be interrupted, and takes long for a large table.
        connection_.run("DELETE FROM main." + old + " WHERE true");
        connection_.run("DROP TABLE main." + old);
        for (const auto& [name, sql] : indexes) connection_.run(sql);
    }

    void seal(const SealedTable& table) {
        const std::string name = table.name;
        const std::string columns = std::string(table.key) + ", " + table.blob;
        rewrite_table(name, [&] {
            Statement select(connection_, "SELECT " + columns + " FROM " + kOldTable + name +
                                              " ORDER BY " + table.key);
            Statement insert(connection_,
                             "INSERT INTO " + name + "(" + columns + ") VALUES (?1, ?2)");
            std::string bytes;
            while (select.step()) {
                const std::int64_t id = select.integer(0);
                bytes = select.blob(1);
                base::seal(bytes, row_seed(table.what, id));
                insert.bind(1, id);
                insert.bind_blob(2, bytes);
                insert.run();
                count_row();
            }
        });
    }

    void rewrite_games() {
        rewrite_table("game", [&] {
            Statement select(connection_, std::string("SELECT ") + kTagColumns +
                                              ", moves FROM fendex_old_game ORDER BY id");
            Statement insert(connection_, kInsertUpgradedGame);
            RowDigest digest;
            while (select.step()) {
                insert.bind(1, select.integer(game_columns::kId));
                insert.bind(2, tags_sum(select, digest));
                insert.bind(3, moves_sum(select, {}, digest));
                bind_opening(insert, 4, select.integer(game_columns::kId));
                insert.run();
                count_row();
            }
        });
    }

    void rewrite_errors() {
        rewrite_table("import_error", [&] {
            Statement select(connection_,
                             "SELECT id, pgn FROM fendex_old_import_error ORDER BY id");
            Statement insert(connection_, kInsertUpgradedError);
            Statement update(connection_, "UPDATE import_error SET pgn = ?2 WHERE id = ?1");
            while (select.step()) {
                insert.bind(1, select.integer(0));
                insert.run();
                if (const auto text = unpack_broken_game(select.blob(1));
                    text && !select.is_null(1)) {
                    const std::string packed = pack_broken_game(*text);
                    update.bind(1, select.integer(0));
                    update.bind_blob(2, packed);
                    update.run();
                }
                count_row();
            }
        });
    }

    struct OldSegment {
        std::int64_t id = 0;
        SegmentKind kind = SegmentKind::kMainLine;
        std::int64_t first_game = 0;
        std::int64_t last_game = 0;
        std::int64_t key_bits = 0;
    };

    void rewrite_blocks() {
        connection_.run("DELETE FROM block WHERE segment NOT IN (SELECT id FROM segment)");
        std::vector<OldSegment> segments;
        {
            Statement select(connection_,
                             "SELECT id, kind, first_game, last_game, key_bits FROM segment"
                             " ORDER BY kind, first_game");
            while (select.step()) {
                segments.push_back({select.integer(0), static_cast<SegmentKind>(select.integer(1)),
                                    select.integer(2), select.integer(3), select.integer(4)});
            }
        }
        // If a segment is dropped, the later ones are dropped, too: main lines have no gaps.
        bool dropping = false;
        for (const OldSegment& segment : segments) {
            const bool main_line = segment.kind == SegmentKind::kMainLine;
            connection_.run("SAVEPOINT segment");
            try {
                if (main_line && dropping) throw DamagedSegment();
                rewrite_segment(segment);
            } catch (const DamagedSegment&) {
                connection_.run("ROLLBACK TO segment");
                drop(segment);
                if (main_line) dropping = true;
            }
            connection_.run("RELEASE segment");
        }
    }

    void drop(const OldSegment& segment) {
        const std::string id = std::to_string(segment.id);
        connection_.run("DELETE FROM segment WHERE id = " + id);
        connection_.run("DELETE FROM block WHERE segment = " + id);
        if (segment.kind == SegmentKind::kVariations) {
            // Annotated games are searched one by one from the first game of the segment on.
            connection_.run(
                "INSERT INTO meta(name, value) VALUES ('variations_from', max(1, " +
                std::to_string(segment.first_game) +
                ")) ON CONFLICT(name) DO UPDATE SET value ="
                " CASE value WHEN 0 THEN excluded.value ELSE min(value, excluded.value) END");
        }
        ++report_.dropped_segments;
    }

    /// Copies the rows of a segment to a new one, with checksums.
    void rewrite_segment(const OldSegment& segment) {
        if (segment.first_game < 1 || segment.last_game < segment.first_game ||
            segment.last_game - segment.first_game >= std::int64_t{codec::Posting::kMaxGames} ||
            segment.key_bits < 8 || segment.key_bits > 48) {
            throw DamagedSegment();
        }
        codec::SegmentShape old_shape{
            static_cast<unsigned>(segment.key_bits),
            static_cast<std::uint64_t>(segment.last_game - segment.first_game) + 1};
        shape_ = sealed_shape(old_shape, segment.kind, static_cast<GameId>(segment.first_game));
        old_shape.checked = false;
        SegmentTable rows(connection_);
        const std::int64_t id = rows.begin();
        codec::BlockBuilder builder(shape_);
        std::optional<std::pair<std::uint64_t, std::int64_t>> last;
        std::optional<std::uint64_t> last_run;
        Statement select(connection_, kSelectOldBlocks);
        Statement remove(connection_, "DELETE FROM block WHERE id = ?1");
        select.bind(1, segment.id);
        while (select.step()) {
            const std::pair at{key_of_sql_order(select.integer(1)), select.integer(2)};
            if (last && at <= *last) throw DamagedSegment();
            last = at;
            const auto& [key, part] = at;
            if (part == 0) {
                add_runs(select.blob(3), old_shape, last_run, builder, rows);
            } else {
                add_part(select.blob(3), old_shape, key, part, rows);
            }
            remove.bind(1, select.integer(0));
            remove.run();
            count_row();
        }
        flush(builder, codec::kNoKey, rows);
        connection_.run("UPDATE segment SET id = " + std::to_string(id) +
                        " WHERE id = " + std::to_string(segment.id));
    }

    static void flush(codec::BlockBuilder& builder, std::uint64_t end, SegmentTable& rows) {
        if (builder.empty()) return;
        const codec::Block block = builder.take(end);
        rows.add_block(block.first_key, 0, block.data);
    }

    static void add_runs(std::string_view block, const codec::SegmentShape& old_shape,
                         std::optional<std::uint64_t>& last_run, codec::BlockBuilder& builder,
                         SegmentTable& rows) {
        const auto ignore = [](const codec::BlockEntry&) {};
        if (codec::for_each_entry(block, old_shape, ignore) != codec::BlockStatus::kOk) {
            throw DamagedSegment();
        }
        const codec::detail::Directory directory(block, old_shape);
        for (std::size_t i = 0; i < directory.size(); ++i) {
            const codec::KeyRun run{directory.first_key(i), std::string(directory.bytes(i))};
            if (last_run && run.first_key <= *last_run) throw DamagedSegment();
            last_run = run.first_key;
            if (builder.add(run)) continue;
            flush(builder, run.first_key, rows);
            static_cast<void>(builder.add(run));  // fits an empty builder
        }
    }

    void add_part(std::string_view data, const codec::SegmentShape& old_shape, std::uint64_t key,
                  std::int64_t part, SegmentTable& rows) {
        chunk_.clear();
        const bool is_good = part == 1 ? codec::decode_summary(data).has_value()
                                       : codec::decode_big_postings(data, old_shape, key, chunk_) ==
                                             codec::BlockStatus::kOk;
        if (part < 0 || part > INT32_MAX || !is_good) throw DamagedSegment();
        const auto number = static_cast<unsigned>(part);
        std::string bytes(data);
        base::seal(bytes, part_seed(shape_, key, number));
        rows.add_block(key, number, bytes);
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
    codec::SegmentShape shape_;
    std::vector<codec::Posting> chunk_;
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
