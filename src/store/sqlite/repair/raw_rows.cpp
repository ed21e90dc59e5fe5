#include "store/sqlite/repair/raw_rows.hpp"

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/reader/reader.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectMeta[] = "SELECT value FROM meta WHERE name = ?1";
constexpr char kSelectGames[] =
    "SELECT id FROM game WHERE id > ?1 AND id <= ?2 ORDER BY id LIMIT ?3";
constexpr char kAuditSegments[] =
    "SELECT id, kind, first_game, last_game, postings, positions, key_bits FROM segment"
    " ORDER BY kind, first_game, id";
constexpr char kSelectBlocks[] =
    "SELECT id, first_key, part, data FROM block"
    " WHERE segment = ?1 AND first_key BETWEEN ?2 AND ?3 ORDER BY first_key, part";
constexpr char kSelectBlockBefore[] =
    "SELECT id, first_key, part, data FROM block"
    " WHERE segment = ?1 AND first_key < ?2 AND part = 0 ORDER BY first_key DESC LIMIT 1";
constexpr char kSelectRepetitions[] =
    "SELECT key, count, plies, third_ply, fifth_ply FROM repetition WHERE game_id = ?1 ORDER BY "
    "key";
constexpr char kSelectPlies[] =
    "SELECT ply, key, occurrence, san, uci, fen, epd FROM ply WHERE game_id = ?1 ORDER BY ply";
constexpr char kSelectOpening[] =
    "SELECT o.name FROM game g JOIN opening o ON o.id = g.opening WHERE g.id = ?1";
constexpr char kSelectDeleted[] = "SELECT chunk, games FROM deleted ORDER BY chunk";
constexpr char kHasPlyTable[] =
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'ply'";
// Selects everything that a check depends on. Commits that change none of it do not affect a check.
constexpr char kSelectState[] =
    "SELECT group_concat(part, ';') FROM ("
    "SELECT name || '=' || quote(value) AS part FROM meta UNION ALL"
    " SELECT 's' || id || ',' || first_game || ',' || last_game FROM segment UNION ALL"
    " SELECT 'd' || chunk || ',' || hex(games) FROM deleted)";

std::optional<std::int64_t> number(const Statement& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return row.integer(column);
}

RawBlock block_of(const Statement& row) {
    return {row.integer(0), key_of_sql_order(row.integer(1)), row.integer(2), row.blob(3)};
}

Connection begun(const std::string& path) {
    Connection connection = open_database(path, Connection::Mode::kReadOnly);
    connection.run("BEGIN");
    return connection;
}

}  // namespace

RawRows::RawRows(const std::string& path)
    : connection_(begun(path)),
      deleted_(connection_),
      select_meta_(connection_, kSelectMeta),
      select_games_(connection_, kSelectGames),
      select_blocks_(connection_, kSelectBlocks),
      select_block_before_(connection_, kSelectBlockBefore),
      select_repetitions_(connection_, kSelectRepetitions),
      fine_sums_(connection_),
      row_codes_(connection_) {
    fine_sums_.load();
    if (connection_.format() >= kOpeningsFormat) {
        select_opening_.emplace(connection_, kSelectOpening);
    }
}

RawRows::~RawRows() = default;

std::string RawRows::state() { return connection_.text(kSelectState).value_or(""); }

LocalReader& RawRows::reader() {
    if (no_reader_) std::rethrow_exception(no_reader_);
    try {
        if (!reader_) reader_ = open_sqlite_reader(connection_.handle());
    } catch (const DamageError&) {
        no_reader_ = std::current_exception();
        throw;
    }
    return *reader_;
}

std::optional<std::int64_t> RawRows::meta(std::string_view name) {
    const ResetAtEnd end(select_meta_, name);
    if (!select_meta_.step() || !select_meta_.is_integer(0)) return std::nullopt;
    return select_meta_.integer(0);
}

bool RawRows::has_ply_table() { return connection_.number(kHasPlyTable) != 0; }

std::vector<GameId> RawRows::games(GameId after, GameId last, std::size_t limit) {
    const ResetAtEnd end(select_games_, as_signed(after), as_signed(last), as_signed(limit));
    std::vector<GameId> out;
    for (AscendingIds ids(connection_, "game", as_signed(after) + 1); select_games_.step();) {
        ids.require_next(select_games_.integer(0));
        out.push_back(static_cast<GameId>(select_games_.integer(0)));
    }
    return out;
}

std::int64_t RawRows::plies(std::int64_t first, std::int64_t last) {
    Statement sum(connection_,
                  "SELECT CAST(total(plies) AS INTEGER) FROM game WHERE id BETWEEN ?1 AND ?2");
    sum.bind_all(first, last);
    return sum.step() ? sum.integer(0) : 0;
}

std::vector<RawSegment> RawRows::segments() {
    Statement row(connection_, kAuditSegments);
    std::vector<RawSegment> out;
    while (row.step()) {
        out.push_back({row.integer(0), row.integer(1), row.integer(2), row.integer(3),
                       row.integer(4), row.integer(5), row.integer(6)});
        for (int column = 0; column < row.column_count(); ++column) {
            out.back().has_numbers &= row.is_integer(column);
        }
    }
    return out;
}

codec::SegmentShape RawRows::shape_of(const RawSegment& segment) const {
    const auto first = static_cast<GameId>(segment.first_game);
    codec::SegmentShape shape =
        sealed_shape({static_cast<unsigned>(segment.key_bits),
                      static_cast<std::uint64_t>(segment.last_game) - first + 1},
                     static_cast<SegmentKind>(segment.kind), first);
    shape.checked = connection_.format() >= kSealedFormat;
    return shape;
}

void RawRows::for_each_block(std::int64_t segment, std::uint64_t from, std::uint64_t to,
                             const std::function<void(const RawBlock&)>& visit) {
    const ResetAtEnd end(select_blocks_, segment, sql_order(from), sql_order(to));
    while (select_blocks_.step()) visit(block_of(select_blocks_));
}

void RawRows::block_before(std::int64_t segment, std::uint64_t key,
                           const std::function<void(const RawBlock&)>& visit) {
    const ResetAtEnd end(select_block_before_, segment, sql_order(key));
    if (select_block_before_.step()) visit(block_of(select_block_before_));
}

void RawRows::for_each_indexed(std::uint64_t key,
                               const std::function<void(std::span<const Candidate>)>& visit) {
    if (!index_) {
        deleted_.load();
        index_.emplace(connection_, SegmentKind::kMainLine, deleted_).load();
    }
    index_->for_each_group(key, index_->find(key), visit);
}

std::vector<RawRepetition> RawRows::repetitions(GameId game) {
    const ResetAtEnd end(select_repetitions_, as_signed(game));
    std::vector<RawRepetition> out;
    const Statement& row = select_repetitions_;
    while (select_repetitions_.step()) {
        out.push_back({row.integer(0), row.integer(1), std::string(row.text(2)), number(row, 3),
                       number(row, 4)});
    }
    return out;
}

void RawRows::for_each_ply(GameId game, const std::function<void(const RawPly&)>& visit) {
    if (!select_plies_) select_plies_.emplace(connection_, kSelectPlies);
    const ResetAtEnd end(*select_plies_);
    select_plies_->bind(1, as_signed(game));
    const Statement& row = *select_plies_;
    while (select_plies_->step()) {
        visit({row.integer(0), row.integer(1), row.integer(2), row.text(3), row.text(4),
               row.text(5), row.text(6)});
    }
}

void RawRows::for_each_deleted(const std::function<void(std::int64_t, std::string_view)>& visit) {
    Statement row(connection_, kSelectDeleted);
    while (row.step()) {
        const std::int64_t chunk = row.integer(0);
        const std::string_view bits = row.blob(1);
        visit(chunk, connection_.format() < kSealedFormat
                         ? bits
                         : base::unseal(bits, row_seed(Sealed::kDeleted, chunk)).value_or(""));
    }
}

void RawRows::for_each_orphan(const std::string& table,
                              const std::function<bool(std::int64_t)>& visit) {
    // Goes from game to game and not from row to row, because a game may have hundreds of rows.
    Statement next(connection_,
                   "SELECT game_id FROM " + table + " WHERE game_id > ?1 ORDER BY game_id LIMIT 1");
    Statement find(connection_, "SELECT 1 FROM game WHERE id = ?1");
    AscendingIds ids(connection_, table, INT64_MIN);
    std::int64_t game = INT64_MIN;
    while (true) {
        next.bind(1, game);
        const bool more = next.step();
        const bool is_number = more && next.is_integer(0);
        if (more) game = next.integer(0);
        next.reset();
        if (!more) return;
        // SQLite sorts texts and blobs after all numbers.
        if (!is_number) {
            connection_.throw_damaged("table " + table + " has rows whose game is not a number");
        }
        ids.require_next(game);
        find.bind(1, game);
        const bool found = find.step();
        find.reset();
        if (!found && !visit(game)) return;
    }
}

codec::GameFacts RawRows::stored_form(codec::GameFacts facts) const {
    if (connection_.format() >= kCodesFormat) return facts;
    facts.mode = codec::Mode::kUnknown;
    if (facts.time_class == codec::TimeClass::kUltraBullet) {
        facts.time_class = codec::TimeClass::kBullet;
    }
    return facts;
}

bool RawRows::codes_are_right(GameId game) {
    if (connection_.format() < kCodesFormat) return true;
    if (!player_codes_) {
        player_codes_.emplace(connection_);
        name_codes_.emplace(connection_);
        if (connection_.format() >= kOpeningsFormat) opening_codes_.emplace(connection_);
    }
    const codec::GameCodes expected = row_codes_.codes(game);
    return codec::GameCodes{player_codes_->at(game), name_codes_->at(game),
                            opening_codes_ ? opening_codes_->at(game) : expected.opening} ==
           expected;
}

bool RawRows::has_openings_of(std::uint64_t mark) {
    return connection_.format() >= kOpeningsFormat && meta(kOpeningsMeta) == as_signed(mark);
}

bool RawRows::has_tag_facts_of(std::uint64_t rule) {
    return meta(kTagFactsMeta) == as_signed(rule);
}

std::string RawRows::opening(GameId game) {
    const ResetAtEnd end(*select_opening_);
    select_opening_->bind(1, as_signed(game));
    return std::string(select_opening_->step() ? select_opening_->text(0) : std::string_view());
}

bool RawRows::has_swings_of(std::uint64_t rule) { return meta(kSwingsMeta) == as_signed(rule); }

std::uint32_t RawRows::swings(GameId game) {
    if (!has_swing_table(connection_)) return 0;
    if (!swings_) swings_.emplace(connection_);
    return swings_->at(game).front();
}

std::vector<std::string> RawRows::chunk_tables() { return store::chunk_tables(connection_); }

}  // namespace fendex::store
