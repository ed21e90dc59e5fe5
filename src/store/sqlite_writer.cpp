#include <filesystem>
#include <map>
#include <vector>

#include "codec/bits.hpp"
#include "schema_sql.hpp"
#include "store/database.hpp"
#include "store/game_row.hpp"
#include "store/name_table.hpp"
#include "store/ply_rows_source.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

namespace {

constexpr char kInsertGame[] =
    "INSERT INTO game(id, white, black, event, site, date, round, result, white_elo, black_elo, "
    "eco,"
    " plies, variant, fen, shape, tags, moves)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";
constexpr char kInsertRepetition[] =
    "INSERT INTO repetition(game_id, key, count, plies) VALUES (?1, ?2, ?3, ?4)";
constexpr char kInsertError[] =
    "INSERT INTO import_error(source, game_id, byte, line, ply, reason, text)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr char kInsertBlock[] =
    "INSERT INTO block(segment, first_key, part, data) VALUES (?1, ?2, ?3, ?4)";
constexpr char kInsertSegment[] =
    "INSERT INTO segment(id, kind, first_game, last_game, postings, positions, key_bits)"
    " VALUES (?1, 0, ?2, ?3, ?4, ?5, ?6)";
constexpr char kInsertSource[] =
    "INSERT INTO source(id, path, size, modified, bytes, first_game, games, plies, errors, "
    "complete)"
    " VALUES (?1, ?2, ?3, ?4, 0, ?5, 0, 0, 0, 0)";
constexpr char kUpdateSource[] =
    "UPDATE source SET bytes = ?2, games = ?3, plies = ?4, errors = ?5, complete = ?6 WHERE id = "
    "?1";
constexpr char kReplaceFacts[] = "INSERT OR REPLACE INTO fact(chunk, data) VALUES (?1, ?2)";
constexpr char kReadFacts[] = "SELECT data FROM fact WHERE chunk = ?1";
constexpr char kSetMeta[] = "INSERT OR REPLACE INTO meta(name, value) VALUES (?1, ?2)";
constexpr char kInsertPlies[] =
    "INSERT INTO ply(game_id, ply, san, uci, key, fen, epd)"
    " SELECT game_id, ply, san, uci, key, fen, epd FROM new_ply";

constexpr std::size_t kMaxCachedFactChunks = 2048;

std::uint64_t chunk_of(GameId game) { return (game - 1) / codec::kFactsPerChunk; }
std::size_t index_in_chunk(GameId game) { return (game - 1) % codec::kFactsPerChunk; }

std::string plies_text(const std::vector<std::uint32_t>& plies) {
    std::string out;
    for (const std::uint32_t ply : plies) {
        out += out.empty() ? '[' : ',';
        out += std::to_string(ply);
    }
    return out + ']';
}

std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

void create_database(Connection& connection) {
    connection.run("PRAGMA page_size = " + std::to_string(kPageSize));
    connection.run("BEGIN IMMEDIATE");
    // Another process may have been first.
    if (connection.integer("PRAGMA user_version").value_or(0) == 0) {
        connection.run("PRAGMA application_id = " + std::to_string(kApplicationId));
        connection.run("PRAGMA user_version = " + std::to_string(kFormatVersion));
        connection.run(sql::kSchemaSql);
    }
    connection.run("COMMIT");
}

Connection open_or_create(const std::string& path) {
    std::error_code error;
    const bool exists = std::filesystem::exists(path, error);
    const bool empty = exists && std::filesystem::is_regular_file(path, error) &&
                       std::filesystem::file_size(path, error) == 0;
    if (!exists || empty) {
        Connection connection(path, Connection::Mode::kCreate);
        create_database(connection);
    }
    return open_database(path, Connection::Mode::kReadWrite);
}

class SqliteWriter final : public StoreWriter {
  public:
    explicit SqliteWriter(const std::string& path)
        : connection_(configured(path)),
          new_ply_rows_(connection_),
          players_(connection_, "player"),
          events_(connection_, "event"),
          sites_(connection_, "site"),
          values_(connection_, "tag_value"),
          shapes_(connection_, "tag_shape"),
          insert_game_(connection_, kInsertGame),
          insert_repetition_(connection_, kInsertRepetition),
          insert_error_(connection_, kInsertError),
          insert_block_(connection_, kInsertBlock),
          insert_segment_(connection_, kInsertSegment),
          insert_source_(connection_, kInsertSource),
          update_source_(connection_, kUpdateSource),
          replace_facts_(connection_, kReplaceFacts),
          read_facts_(connection_, kReadFacts),
          set_meta_(connection_, kSetMeta) {
        connection_.run("BEGIN IMMEDIATE");
        load_state();
        // What an import that was killed had written of its segment.
        connection_.run(
            "DELETE FROM block WHERE segment > (SELECT ifnull(max(id), 0) FROM segment)");
    }

    ~SqliteWriter() override = default;

    GameId next_game() const override { return totals_.games + 1; }
    std::optional<PlyRows> ply_rows() const override { return ply_rows_; }

    void choose_ply_rows(PlyRows rows) override {
        put_meta("ply_rows", std::string_view(rows == PlyRows::kYes ? "yes" : "no"));
        if (rows == PlyRows::kYes) connection_.run(sql::kPlySql);
        load_ply_rows();
    }

    void drop_ply_rows() override {
        insert_plies_.reset();
        connection_.run("DROP TABLE ply");
        choose_ply_rows(PlyRows::kNo);
        connection_.run("COMMIT");
        connection_.run("VACUUM");
        connection_.run("BEGIN IMMEDIATE");
    }

    UnindexedGames unindexed() override {
        const auto last = static_cast<GameId>(
            connection_.integer("SELECT max(last_game) FROM segment WHERE kind = 0").value_or(0));
        return {last + 1, totals_.games - last};
    }

    void begin_source(const SourceRecord& source) override {
        source_id_ = connection_.integer("SELECT max(id) FROM source").value_or(0) + 1;
        source_totals_ = {};
        insert_source_.bind(1, source_id_);
        insert_source_.bind(2, source.path);
        bind_optional(insert_source_, 3, source.size);
        bind_optional(insert_source_, 4, source.modified);
        insert_source_.bind(5, as_signed(next_game()));
        insert_source_.run();
    }

    void update_source(std::uint64_t bytes, bool complete) override {
        update_source_.bind(1, source_id_);
        update_source_.bind(2, as_signed(bytes));
        update_source_.bind(3, as_signed(source_totals_.games));
        update_source_.bind(4, as_signed(source_totals_.plies));
        update_source_.bind(5, as_signed(source_totals_.errors));
        update_source_.bind(6, complete ? 1 : 0);
        update_source_.run();
    }

    void add(const NewGames& batch) override {
        for (const NewGame& game : batch.games) {
            insert_game(batch, game);
            add_facts(game.facts);
            ++totals_.games;
        }
        for (const NewRepetition& each : batch.repetitions) insert_repetition(each);
        for (const ImportError& each : batch.errors) insert_error(each);
        if (!batch.ply_rows.empty()) {
            new_ply_rows_.set(&batch);
            insert_plies_->run();
        }
        for (Totals* totals : {&totals_, &source_totals_}) {
            totals->plies += batch.plies;
            totals->positions += batch.positions;
            totals->errors += batch.errors.size();
            totals->fingerprint += batch.fingerprint;
        }
        source_totals_.games += batch.games.size();
    }

    codec::GameFacts facts(GameId game) override {
        const std::uint64_t chunk = chunk_of(game);
        if (chunk == open_chunk_) return open_facts_[index_in_chunk(game)];
        auto cached = fact_cache_.find(chunk);
        if (cached == fact_cache_.end()) {
            if (fact_cache_.size() >= kMaxCachedFactChunks) fact_cache_.clear();
            read_facts_.bind(1, as_signed(chunk));
            if (!read_facts_.step()) {
                throw StoreError(connection_.path() + ": no facts of game " + std::to_string(game));
            }
            cached = fact_cache_.emplace(chunk, read_facts_.blob(0)).first;
            read_facts_.reset();
        }
        const codec::FactsChunk facts(cached->second);
        if (index_in_chunk(game) >= facts.size()) {
            throw StoreError(connection_.path() + ": damaged facts of game " +
                             std::to_string(game));
        }
        return facts[index_in_chunk(game)];
    }

    void begin_segment() override {
        segment_id_ = connection_.integer("SELECT max(id) FROM segment").value_or(0) + 1;
    }

    void add_block(std::uint64_t first_key, unsigned part, std::string_view data) override {
        insert_block_.bind(1, segment_id_);
        insert_block_.bind(2, sql_order(first_key));
        insert_block_.bind(3, part);
        insert_block_.bind_blob(4, data);
        insert_block_.run();
    }

    void end_segment(const SegmentRecord& segment) override {
        insert_segment_.bind(1, segment_id_);
        insert_segment_.bind(2, as_signed(segment.first_game));
        insert_segment_.bind(3, as_signed(segment.last_game));
        insert_segment_.bind(4, as_signed(segment.postings));
        insert_segment_.bind(5, as_signed(segment.positions));
        insert_segment_.bind(6, segment.shape.key_bits);
        insert_segment_.run();
    }

    void commit() override {
        if (!open_facts_.empty()) write_open_facts();
        put_meta("games", as_signed(totals_.games));
        put_meta("plies", as_signed(totals_.plies));
        put_meta("positions", as_signed(totals_.positions));
        put_meta("errors", as_signed(totals_.errors));
        put_meta("fingerprint", as_signed(totals_.fingerprint));
        connection_.run("COMMIT");
        connection_.run("BEGIN IMMEDIATE");
    }

    void rollback() override {
        connection_.run("ROLLBACK");
        connection_.run("BEGIN IMMEDIATE");
        players_.forget(connection_, "player");
        events_.forget(connection_, "event");
        sites_.forget(connection_, "site");
        values_.forget(connection_, "tag_value");
        shapes_.forget(connection_, "tag_shape");
        last_shape_ = "\n";
        load_state();
    }

    void close() override {
        connection_.run("COMMIT");
        insert_plies_.reset();
        // Who is reading is waited for, but not long: the log may stay until the last of them is
        // done.
        connection_.run("PRAGMA busy_timeout = 1000");
        try {
            connection_.text("PRAGMA wal_checkpoint(TRUNCATE)");
            connection_.text("PRAGMA journal_mode = DELETE");
        } catch (const StoreError&) {
        }
    }

  private:
    struct Totals {
        std::uint64_t games = 0;
        std::uint64_t plies = 0;
        std::uint64_t positions = 0;
        std::uint64_t errors = 0;
        std::uint64_t fingerprint = 0;
    };

    static Connection configured(const std::string& path) {
        Connection connection = open_or_create(path);
        connection.text("PRAGMA journal_mode = WAL");
        // In WAL mode: every commit is durable against the process and the power going away.
        connection.run("PRAGMA synchronous = FULL");
        connection.run("PRAGMA cache_size = -16384");
        return connection;
    }

    template <typename Value>
    static void bind_optional(Statement& statement, int column, const std::optional<Value>& value) {
        if (value) {
            statement.bind(column, static_cast<std::int64_t>(*value));
        } else {
            statement.bind_null(column);
        }
    }

    void load_state() {
        const auto meta = [&](const char* name) {
            return static_cast<std::uint64_t>(
                connection_
                    .integer("SELECT value FROM meta WHERE name = '" + std::string(name) + "'")
                    .value_or(0));
        };
        totals_ = {meta("games"), meta("plies"), meta("positions"), meta("errors"),
                   meta("fingerprint")};
        fact_cache_.clear();
        open_facts_.clear();
        open_chunk_ = chunk_of(next_game());
        if (index_in_chunk(next_game()) != 0) load_open_facts();
        load_ply_rows();
    }

    void load_open_facts() {
        read_facts_.bind(1, as_signed(open_chunk_));
        const bool found = read_facts_.step();
        const codec::FactsChunk chunk(found ? read_facts_.blob(0) : std::string_view{});
        if (chunk.size() != index_in_chunk(next_game())) {
            throw StoreError(connection_.path() + ": damaged: facts do not match the games");
        }
        for (std::size_t i = 0; i < chunk.size(); ++i) open_facts_.push_back(chunk[i]);
        read_facts_.reset();
    }

    void load_ply_rows() {
        const auto value = connection_.text("SELECT value FROM meta WHERE name = 'ply_rows'");
        ply_rows_ = !value            ? std::nullopt
                    : *value == "yes" ? std::optional(PlyRows::kYes)
                                      : std::optional(PlyRows::kNo);
        if (ply_rows_ == PlyRows::kYes && !insert_plies_)
            insert_plies_.emplace(connection_, kInsertPlies);
        if (ply_rows_ != PlyRows::kYes) insert_plies_.reset();
    }

    template <typename Value>
    void put_meta(std::string_view name, Value value) {
        set_meta_.bind(1, name);
        set_meta_.bind(2, value);
        set_meta_.run();
    }

    void insert_game(const NewGames& batch, const NewGame& game) {
        Statement& row = insert_game_;
        row.bind(1, as_signed(next_game()));
        for (int column = 2; column <= 11; ++column) row.bind_null(column);
        row.bind(8, static_cast<std::int64_t>(game.facts.result));
        row.bind(12, game.facts.plies);
        row.bind(13, static_cast<std::int64_t>(game.facts.variant));
        if (game.start.empty()) {
            row.bind_null(14);
        } else {
            row.bind(14, game.start);
        }
        shape_.clear();
        packed_.clear();
        unsigned bound = 0;
        for (std::size_t i = 0; i < game.tags.size; ++i) {
            const TagPair& tag = batch.tags[game.tags.begin + i];
            const Column column = column_of(tag.name);
            const unsigned bit = 1U << static_cast<unsigned>(column);
            const bool in_column = column != Column::kNone && (bound & bit) == 0 &&
                                   bind_column(column, tag.value, game);
            bound |= bit;
            if (!shape_.empty()) shape_ += '\n';
            if (!in_column) {
                shape_ += '+';
                pack_value(tag);
            }
            shape_ += tag.name;
        }
        row.bind(15, shape_id());
        if (packed_.empty()) {
            row.bind_null(16);
        } else {
            row.bind_blob(16, packed_);
        }
        row.bind_blob(17, std::string_view(batch.moves).substr(game.moves.begin, game.moves.size));
        row.run();
    }

    /// False where the column cannot give the value back: then it is packed.
    bool bind_column(Column column, std::string_view value, const NewGame& game) {
        Statement& row = insert_game_;
        const auto number_or_text = [&](int at, std::optional<std::int64_t> number) {
            if (number) {
                row.bind(at, *number);
            } else {
                row.bind(at, value);
            }
        };
        switch (column) {
            case Column::kWhite: row.bind(2, players_.id(value)); return true;
            case Column::kBlack: row.bind(3, players_.id(value)); return true;
            case Column::kEvent: row.bind(4, events_.id(value)); return true;
            case Column::kSite:
                if (is_web_address(value)) {
                    row.bind(5, value);
                } else {
                    row.bind(5, sites_.id(value));
                }
                return true;
            case Column::kDate: number_or_text(6, exact_date(value)); return true;
            case Column::kRound: number_or_text(7, exact_number(value)); return true;
            case Column::kResult: return value == codec::result_text(game.facts.result);
            case Column::kWhiteElo: number_or_text(9, exact_number(value)); return true;
            case Column::kBlackElo: number_or_text(10, exact_number(value)); return true;
            case Column::kEco: row.bind(11, value); return true;
            case Column::kFen: return value == game.start;
            case Column::kNone: break;
        }
        return false;
    }

    void pack_value(const TagPair& tag) {
        if (is_shared_value(tag.name, tag.value)) {
            codec::put_varint(static_cast<std::uint64_t>(values_.id(tag.value)) << 1 | 1, packed_);
        } else {
            codec::put_varint(tag.value.size() << 1, packed_);
            packed_ += tag.value;
        }
    }

    std::int64_t shape_id() {
        if (shape_ != last_shape_) {
            last_shape_id_ = shapes_.id(shape_);
            last_shape_ = shape_;
        }
        return last_shape_id_;
    }

    void add_facts(const codec::GameFacts& facts) {
        open_facts_.push_back(facts);
        if (open_facts_.size() == codec::kFactsPerChunk) {
            write_open_facts();
            open_facts_.clear();
            ++open_chunk_;
        }
    }

    void write_open_facts() {
        const std::string data = codec::encode_facts(open_facts_);
        replace_facts_.bind(1, as_signed(open_chunk_));
        replace_facts_.bind_blob(2, data);
        replace_facts_.run();
    }

    void insert_repetition(const NewRepetition& each) {
        const std::string plies = plies_text(each.plies);
        insert_repetition_.bind(1, as_signed(each.game));
        insert_repetition_.bind(2, as_signed(each.key));
        insert_repetition_.bind(3, as_signed(each.plies.size()));
        insert_repetition_.bind(4, plies);
        insert_repetition_.run();
    }

    void insert_error(const ImportError& each) {
        insert_error_.bind(1, source_id_);
        bind_optional(insert_error_, 2, each.game);
        insert_error_.bind(3, as_signed(each.byte));
        insert_error_.bind(4, as_signed(each.line));
        bind_optional(insert_error_, 5, each.ply);
        insert_error_.bind(6, each.reason);
        insert_error_.bind(7, each.text);
        insert_error_.run();
    }

    Connection connection_;
    PlyRowsSource new_ply_rows_;
    NameTable players_;
    NameTable events_;
    NameTable sites_;
    NameTable values_;
    NameTable shapes_;
    Statement insert_game_;
    Statement insert_repetition_;
    Statement insert_error_;
    Statement insert_block_;
    Statement insert_segment_;
    Statement insert_source_;
    Statement update_source_;
    Statement replace_facts_;
    Statement read_facts_;
    Statement set_meta_;
    std::optional<Statement> insert_plies_;

    Totals totals_;
    Totals source_totals_;
    std::int64_t source_id_ = 0;
    std::int64_t segment_id_ = 0;
    std::optional<PlyRows> ply_rows_;
    std::uint64_t open_chunk_ = 0;
    std::vector<codec::GameFacts> open_facts_;
    std::map<std::uint64_t, std::string> fact_cache_;
    std::string shape_;
    std::string last_shape_ = "\n";  // no game has this one
    std::int64_t last_shape_id_ = 0;
    std::string packed_;
};

}  // namespace

std::unique_ptr<StoreWriter> open_writer(const std::string& path) {
    return std::make_unique<SqliteWriter>(path);
}

}  // namespace fendex::store
