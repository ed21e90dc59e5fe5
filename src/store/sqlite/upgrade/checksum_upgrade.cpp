#include "store/sqlite/upgrade/checksum_upgrade.hpp"

#include <string>

#include "store/broken_game.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/sums/seals.hpp"
#include "store/sqlite/upgrade/rewritten_table.hpp"
#include "store/sqlite/upgrade/segment_upgrade.hpp"

namespace fendex::store {

namespace {

/// Copies a game's row of version 4.
constexpr char kInsertUpgradedGame[] =
    "INSERT INTO game SELECT *, ?2, ?3, ?4 FROM fendex_old_game WHERE id = ?1";
constexpr char kInsertUpgradedError[] =
    "INSERT INTO import_error SELECT *, 0 FROM fendex_old_import_error WHERE id = ?1";
constexpr char kUpgradeMeta[] =
    "INSERT OR REPLACE INTO meta(name, value) VALUES ('id', lower(hex(randomblob(16)))),"
    " ('annotation_bytes', (SELECT ifnull(sum(length(data)), 0) FROM annotation))";

/// A table of blobs, its key, and its column of blobs.
struct BlobTable {
    SealedTable table;
    const char* key;
    const char* blob;
};
constexpr BlobTable kBlobTables[] = {
    {kFactTable, "chunk", "data"},         {kSignatureTable, "chunk", "data"},
    {kDeletedTable, "chunk", "games"},     {kDictionaryTable, "id", "data"},
    {kAnnotationTable, "game_id", "data"},
};

using CountRow = std::function<void()>;

void seal(Connection& connection, const CountRow& count_row, const BlobTable& blobs) {
    const std::string name = blobs.table.name;
    const std::string columns = std::string(blobs.key) + ", " + blobs.blob;
    rewrite_table(connection, name, [&] {
        Statement select(connection, "SELECT " + columns + " FROM " + kOldTable + name +
                                         " ORDER BY " + blobs.key);
        Statement insert(connection, "INSERT INTO " + name + "(" + columns + ") VALUES (?1, ?2)");
        std::string bytes;
        while (select.step()) {
            const std::int64_t id = select.integer(0);
            bytes = select.blob(1);
            base::seal(bytes, row_seed(blobs.table.what, id));
            insert.run(id, Blob{bytes});
            count_row();
        }
    });
}

void rewrite_games(Connection& connection, const CountRow& count_row,
                   const GameOpenings& openings) {
    rewrite_table(connection, "game", [&] {
        Statement select(connection, std::string("SELECT ") + kTagColumns +
                                         ", moves FROM fendex_old_game ORDER BY id");
        Statement insert(connection, kInsertUpgradedGame);
        RowDigest digest;
        while (select.step()) {
            insert.run(select.integer(game_columns::kId), tags_sum(select, digest),
                       moves_sum(select, {}, digest),
                       openings.id(select.integer(game_columns::kId)));
            count_row();
        }
    });
}

void rewrite_errors(Connection& connection, const CountRow& count_row) {
    rewrite_table(connection, "import_error", [&] {
        Statement select(connection, "SELECT id, pgn FROM fendex_old_import_error ORDER BY id");
        Statement insert(connection, kInsertUpgradedError);
        Statement update(connection, "UPDATE import_error SET pgn = ?2 WHERE id = ?1");
        while (select.step()) {
            insert.run(select.integer(0));
            if (const auto text = unpack_broken_game(select.blob(1)); text && !select.is_null(1)) {
                const std::string packed = pack_broken_game(*text);
                update.run(select.integer(0), Blob{packed});
            }
            count_row();
        }
    });
}

}  // namespace

std::uint64_t add_checksums(Connection& connection, const GameOpenings& openings,
                            const CountRow& count_row) {
    const std::uint64_t dropped_segments = SegmentUpgrade(connection, count_row).run();
    for (const BlobTable& each : kBlobTables) seal(connection, count_row, each);
    rewrite_games(connection, count_row, openings);
    rewrite_errors(connection, count_row);
    rewrite_table(connection, "source", [&] {
        connection.run("INSERT INTO source SELECT *, NULL FROM fendex_old_source ORDER BY id");
    });
    connection.run(kUpgradeMeta);
    connection.set_format(kSealedFormat);
    return dropped_segments;
}

}  // namespace fendex::store
