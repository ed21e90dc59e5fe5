#include "store/sqlite/repair/salvage.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "schema_sql.hpp"
#include "store/sqlite/file/api.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/records/record_rows.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/name_alias_table.hpp"
#include "store/sqlite/writer/database_copy.hpp"
#include "store/sqlite/writer/writer_connection.hpp"

namespace fendex::store {

namespace {

struct SalvagedTable {
    const char* name;
    const char* key;
};

/// The tables that a repair cannot compute; and `segment`, which shows the indexed variations, and
/// `opening`, because the checksum of names includes it.
constexpr SalvagedTable kSalvaged[] = {
    {"import_error", "id"}, {"source", "id"},    {"game", "id"},      {"annotation", "game_id"},
    {"dictionary", "id"},   {"segment", "id"},   {"player", "id"},    {"event", "id"},
    {"site", "id"},         {"tag_value", "id"}, {"tag_shape", "id"}, {"opening", "id"}};

/// Their tables are made with the first records.
constexpr SalvagedTable kSalvagedRecords[] = {{"record_block", "first_key"},
                                              {"record_run", "id"},
                                              {"record_run_block", "id"},
                                              {"record_source", "source"}};

/// Its table is made with the first swing. A repair can compute only those of annotated games.
constexpr SalvagedTable kSalvagedSwings{"game_swing", "chunk"};

/// Its table is made when names are first joined.
constexpr SalvagedTable kSalvagedAliases{"name_alias", "name"};

constexpr char kInsertSalvageError[] =
    "INSERT INTO import_error(source, byte, line, reason, text) VALUES (0, 0, 0, ?1, '')";
constexpr int kPagesAtOnce = 256;

/// Opens a file that may be shorter than its header says. SQLite does so only if the connection may
/// change the list of tables.
Connection open_damaged(const std::string& path, Connection::Mode mode) {
    Connection connection(path, mode);
    sqlite3_db_config(connection.handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    connection.run("PRAGMA writable_schema = ON");
    return connection;
}

/// Copies the rows of a table in the order of their keys.
class TableCopy {
  public:
    /// Called with the first and the last key of rows that cannot be read. There is no last key if
    /// no later row can be read.
    using Lost = std::function<void(std::int64_t first, std::optional<std::int64_t> last)>;

    TableCopy(Connection& from, Connection& to, const SalvagedTable& table)
        : to_(to),
          scan_(from, select_from(table) + " >= ?1 ORDER BY " + table.key),
          find_(from, select_from(table) + " = ?1"),
          count_(from, std::string("SELECT count(*) FROM main.") + table.name + " NOT INDEXED"),
          insert_(to, insert_into(table, scan_.column_count())),
          required_(required_columns(to, table.name)),
          key_(key_column(scan_, table.key)),
          next_(first_key_of(table)) {}

    void run(const Lost& lost) {
        while (!copy_on(lost)) {
            if (!gap_) gap_ = next_;
            if (!skip()) break;
        }
        if (!gap_ && !had_gap_ && has_more_rows()) gap_ = next_;
        if (gap_) lost(*gap_, std::nullopt);
    }

  private:
    /// More than the rows of a page. After this number of keys the steps grow, because not only a
    /// page of rows is damaged, but a page that leads to others.
    static constexpr unsigned kSmallSteps = 1 << 12;
    static constexpr unsigned kMostTries = kSmallSteps + 61;

    static std::int64_t first_key_of(const SalvagedTable& table) {
        if (std::string_view(table.key) == "first_key") return kFirst;
        return std::string_view(table.key) == "chunk" ? 0 : 1;
    }

    static std::string select_from(const SalvagedTable& table) {
        return std::string("SELECT * FROM main.") + table.name + " WHERE " + table.key;
    }

    /// A column that is never NULL.
    struct Required {
        int column = 0;
        ValueType type = ValueType::kNull;
    };

    static std::vector<Required> required_columns(const Connection& to, const char* table) {
        std::vector<Required> out;
        Statement column(to, std::string("PRAGMA main.table_info(") + table + ")");
        while (column.step()) {
            if (column.integer(3) == 0) continue;
            out.push_back({static_cast<int>(column.integer(0)), type_of(column.text(2))});
        }
        return out;
    }

    static ValueType type_of(std::string_view declared) {
        if (declared == "TEXT") return ValueType::kText;
        return declared == "BLOB" ? ValueType::kBlob : ValueType::kInteger;
    }

    static std::string insert_into(const SalvagedTable& table, int columns) {
        std::string values = "?1";
        for (int n = 2; n <= columns; ++n) values += ", ?" + std::to_string(n);
        return std::string("INSERT OR IGNORE INTO main.") + table.name + " VALUES (" + values + ")";
    }

    static int key_column(const Statement& row, std::string_view key) {
        int column = 0;
        while (row.column_name(column) != key) ++column;
        return column;
    }

    /// Copies the rows from next_ on. Returns false if one of them cannot be read.
    bool copy_on(const Lost& lost) {
        const ResetAtEnd end(scan_);
        try {
            scan_.bind(1, next_);
            while (scan_.step()) {
                const std::int64_t id = scan_.integer(key_);
                if (id < next_) return false;  // the pages are not in order
                if (gap_) lost(*gap_, id - 1);
                had_gap_ |= gap_.has_value();
                gap_.reset();
                tries_ = 0;
                ++rows_;
                if (!insert_row()) lost(id, id);
                if (id == kLast) return true;
                next_ = id + 1;
            }
            return true;
        } catch (const MalformedFileError&) {
            return false;
        }
    }

    /// Returns whether there are rows that a search by key did not find, for example because a part
    /// of a page is zeros.
    bool has_more_rows() {
        const ResetAtEnd end(count_);
        try {
            return count_.step() && count_.integer(0) > rows_;
        } catch (const MalformedFileError&) {
            return true;
        }
    }

    bool insert_row() {
        if (!is_of_table()) return false;
        for (int column = 0; column < scan_.column_count(); ++column) {
            insert_.bind(column + 1, scan_.value(column));
        }
        for (const Required& each : required_) {
            if (scan_.is_null(each.column)) bind_empty(each);
        }
        insert_.run();
        return to_.changes() != 0;
    }

    /// Returns false for a row of another table: a damaged page may lead to a page of that table. A
    /// row with only one wrong value is accepted, because a changed bit damages only one value.
    bool is_of_table() const {
        const auto wrong = std::ranges::count_if(
            required_, [&](const Required& each) { return scan_.type(each.column) != each.type; });
        return wrong == 0 || (wrong == 1 && required_.size() > 1);
    }

    /// Binds an empty value for one that is lost. The checksum of the row will not match.
    void bind_empty(const Required& column) {
        switch (column.type) {
            case ValueType::kText: return insert_.bind(column.column + 1, std::string_view());
            case ValueType::kBlob: return insert_.bind(column.column + 1, Blob{{}});
            default: return insert_.bind(column.column + 1, std::int64_t{0});
        }
    }

    /// Advances next_ to the first key after it that can be read. Returns false if there is none.
    bool skip() {
        std::int64_t step = 1;
        do {
            if (++tries_ > kMostTries) return false;
            if (tries_ > kSmallSteps) step = std::int64_t{1} << (tries_ - kSmallSteps);
            if (next_ > kLast - step) return false;
            next_ += step;
        } while (!is_readable(next_));
        for (std::int64_t low = next_ - step + 1; low < next_;) {
            const std::int64_t middle = low + (next_ - low) / 2;
            if (is_readable(middle)) {
                next_ = middle;
            } else {
                low = middle + 1;
            }
        }
        return true;
    }

    /// Returns whether a search for the key succeeds, with or without a row.
    bool is_readable(std::int64_t key) {
        const ResetAtEnd end(find_, key);
        try {
            find_.step();
            return true;
        } catch (const MalformedFileError&) {
            return false;
        }
    }

    static constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

    Connection& to_;
    Statement scan_;
    Statement find_;
    Statement count_;
    Statement insert_;
    std::vector<Required> required_;
    int key_;
    std::int64_t next_;                // all rows with smaller keys are copied or lost
    std::optional<std::int64_t> gap_;  // the first key of the lost rows directly before next_
    bool had_gap_ = false;
    unsigned tries_ = 0;     // since the last row
    std::int64_t rows_ = 0;  // met so far
};

class Salvage {
  public:
    Salvage(const std::string& from, const std::string& to)
        : from_(open_damaged(from, Connection::Mode::kReadOnly)), to_(open_for_writing(to)) {
        require_fendex(from_);
        if (from_.format() == kFormatVersion) return;
        throw StoreError(StoreError::kOlderFormat,
                         from + ": the file itself is damaged, and has format " +
                             std::to_string(from_.format()) +
                             ": only files of the present format can be written anew; restore a "
                             "backup, or import the games again");
    }

    std::uint64_t run() {
        from_.run("BEGIN");
        to_.run("BEGIN IMMEDIATE");
        copy_meta();
        for (const SalvagedTable& table : kSalvaged) copy(table);
        if (has_record_tables(from_)) {
            to_.run(sql::kRecordsSql);
            for (const SalvagedTable& table : kSalvagedRecords) copy(table);
        }
        if (has_swing_table(from_)) {
            to_.run(sql::kSwingSql);
            copy(kSalvagedSwings);
        }
        if (has_alias_table(from_)) {
            to_.run(sql::kNamesSql);
            copy(kSalvagedAliases);
        }
        require_a_game();
        record_lost();
        keep_others();
        to_.run("COMMIT");
        return lost_.size();
    }

  private:
    struct Lost {
        std::string table;
        std::int64_t first;
        std::optional<std::int64_t> last;
    };

    void copy(const SalvagedTable& table) {
        TableCopy(from_, to_, table).run([&](std::int64_t first, std::optional<std::int64_t> last) {
            lost_.push_back({table.name, first, last});
        });
    }

    /// Copies table meta. A repair computes lost values again, except the id: if that is lost, the
    /// database gets a new one.
    void copy_meta() {
        Statement select(from_, "SELECT name, value FROM main.meta");
        Statement put(to_, "INSERT OR REPLACE INTO meta(name, value) VALUES (?1, ?2)");
        try {
            while (select.step()) {
                if (select.type(0) != ValueType::kText) continue;
                put.run(select.text(0), select.value(1));
            }
        } catch (const MalformedFileError&) {
            lost_.push_back({"meta", 1, std::nullopt});
        }
        to_.run(std::string("INSERT OR IGNORE INTO meta(name, value) VALUES ('ply_rows', '") +
                (has_ply_table() ? "yes" : "no") + "')");
    }

    bool has_ply_table() {
        return from_.integer("SELECT 1 FROM main.sqlite_schema WHERE name = 'ply'").has_value();
    }

    void require_a_game() {
        const bool lost =
            std::ranges::any_of(lost_, [](const Lost& each) { return each.table == "game"; });
        if (lost && !to_.integer("SELECT 1 FROM game LIMIT 1")) {
            throw MalformedFileError(from_.path() + ": no game can be read");
        }
    }

    /// Records lost rows as import errors. If the checksums are current, adds these errors to them.
    void record_lost() {
        RowSums sums(to_);
        const bool has_sums = StoredSums(to_).state() == StoredSums::State::kCurrent;
        if (has_sums) sums.load();
        for (const Lost& each : lost_) {
            record(each);
            if (has_sums) sums.errors().add(to_.last_inserted_id());
        }
        if (has_sums) sums.put(sums.names());
    }

    void record(const Lost& lost) {
        const auto game = to_.integer("SELECT value FROM meta WHERE name = 'last_game'");
        const bool games = lost.table == "game";
        std::optional<std::int64_t> last = lost.last;
        if (games && !last && game && *game >= lost.first) last = game;
        const bool one = last == lost.first;
        const std::string range = (one ? " " : "s ") + std::to_string(lost.first) +
                                  (one    ? ""
                                   : last ? " to " + std::to_string(*last)
                                          : " and later");
        const std::string what = lost.table == "meta" ? "counters and options (table meta)"
                                 : games              ? "game" + range
                                                      : "row" + range + " of table " + lost.table;
        const std::string reason = "repair: the file was malformed: " + what + " could not be read";
        Statement insert(to_, kInsertSalvageError);
        insert.run(reason);
    }

    /// Creates the indexes and views of other programs again. Their tables are not copied, because
    /// nothing is known about them.
    void keep_others() {
        std::vector<std::string> statements;
        std::string names = "''";
        Statement ours(to_, "SELECT name FROM main.sqlite_schema");
        while (ours.step()) names += ", '" + std::string(ours.text(0)) + "'";
        Statement others(
            from_, "SELECT type, name, sql FROM main.sqlite_schema WHERE name NOT IN (" + names +
                       ", 'ply') AND substr(name, 1, 7) <> 'sqlite_'" + " ORDER BY type = 'view'");
        while (others.step()) {
            if (others.text(0) == "table") {
                throw DamageError(from_.path() + ": the file itself is damaged, and table '" +
                                  std::string(others.text(1)) +
                                  "' of another program in it would be lost: save and drop it, and "
                                  "run this again");
            }
            statements.emplace_back(others.text(2));
        }
        for (const std::string& each : statements) to_.run(each);
    }

    Connection from_;
    Connection to_;
    std::vector<Lost> lost_;
};

}  // namespace

std::uint64_t salvage(const std::string& from, const std::string& to) {
    return Salvage(from, to).run();
}

void replace_content(const std::string& from, const std::string& to) {
    Connection source(from, Connection::Mode::kReadOnly);
    Connection target = open_damaged(to, Connection::Mode::kReadWrite);
    target.run("PRAGMA synchronous = FULL");
    static_cast<void>(
        copy_pages(source, target, kPagesAtOnce, [](double) { return true; }));  // nobody stops it
}

}  // namespace fendex::store
