#include <unordered_map>

#include "store/database.hpp"
#include "store/fact_table.hpp"
#include "store/game_row.hpp"
#include "store/segment_reader.hpp"
#include "store/store_reader.hpp"
#include "store/stored_walk.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectHeader[] =
    "SELECT white, black, event, site, date, round, result, white_elo, black_elo, eco, plies, "
    "variant"
    " FROM game WHERE id = ?1";
constexpr char kSelectMoves[] = "SELECT plies, variant, fen, moves, result FROM game WHERE id = ?1";
constexpr char kScanMoves[] =
    "SELECT id, plies, variant, fen, moves, result FROM game WHERE id >= ?1 ORDER BY id";
constexpr char kSelectTags[] =
    "SELECT tags, (SELECT name FROM tag_shape WHERE id = shape) FROM game"
    " WHERE id = ?1";
constexpr char kSelectValue[] = "SELECT name FROM tag_value WHERE id = ?1";
constexpr char kSelectSources[] = "SELECT id, path, first_game, games FROM source ORDER BY id";

constexpr std::size_t kMaxCachedNames = 500'000;

class NameCache {
  public:
    NameCache(Connection& connection, const std::string& table)
        : select_(connection, "SELECT name FROM " + table + " WHERE id = ?1") {}

    /// Bounds the memory; views handed out before are gone.
    void trim() {
        if (names_.size() >= kMaxCachedNames) names_.clear();
    }
    std::string_view name(std::int64_t id) {
        auto known = names_.find(id);
        if (known == names_.end()) {
            select_.bind(1, id);
            const bool found = select_.step();
            known = names_.emplace(id, found ? std::string(select_.text(0)) : std::string()).first;
            select_.reset();
        }
        return known->second;
    }

  private:
    Statement select_;
    std::unordered_map<std::int64_t, std::string> names_;
};

class SqliteReader final : public StoreReader {
  public:
    explicit SqliteReader(const std::string& path)
        : connection_(open_database(path, Connection::Mode::kReadOnly)),
          select_header_(connection_, kSelectHeader),
          select_moves_(connection_, kSelectMoves),
          scan_moves_(connection_, kScanMoves),
          select_tags_(connection_, kSelectTags),
          select_value_(connection_, kSelectValue),
          select_sources_(connection_, kSelectSources),
          players_(connection_, "player"),
          events_(connection_, "event"),
          sites_(connection_, "site"),
          segments_(connection_),
          facts_(connection_) {
        connection_.run("PRAGMA cache_size = -65536");
        begin();
    }

    StoreInfo info() override;
    std::unique_ptr<CandidateCursor> candidates(std::uint64_t key) override;
    void for_each_candidate_group(
        std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) override;
    PositionOverview overview(std::uint64_t key) override;
    codec::GameFacts facts(GameId game) override { return facts_.facts(game); }
    std::vector<StoredSource> sources() override;
    bool header(GameId game, GameHeader& out) override;
    bool moves(GameId game, StoredMoves& out) override;
    bool game(GameId game, StoredGame& out) override;
    void for_each_moves(GameId first,
                        const std::function<bool(GameId, const StoredMoves&)>& visit) override;

    void refresh() override {
        connection_.run("COMMIT");
        begin();
    }

  private:
    void begin() {
        connection_.run("BEGIN");
        segments_.load();
        facts_.forget();
        games_ = meta("games");
    }

    std::uint64_t meta(const std::string& name) {
        return static_cast<std::uint64_t>(
            connection_.integer("SELECT value FROM meta WHERE name = '" + name + "'").value_or(0));
    }

    void scan_unindexed(std::uint64_t key, std::vector<Candidate>& out);
    KeyPostings find_all(std::uint64_t key);

    Connection connection_;
    Statement select_header_;
    Statement select_moves_;
    Statement scan_moves_;
    Statement select_tags_;
    Statement select_value_;
    Statement select_sources_;
    NameCache players_;
    NameCache events_;
    NameCache sites_;
    SegmentReader segments_;
    FactReader facts_;
    GameId games_ = 0;
    std::string date_;
    std::string round_;
};

/// Games whose import was cut off before its segment was written: their moves are the index.
void SqliteReader::scan_unindexed(std::uint64_t key, std::vector<Candidate>& out) {
    if (segments_.indexed_games() == games_) return;
    for_each_moves(segments_.indexed_games() + 1, [&](GameId game, const StoredMoves& moves) {
        if (moves.facts.variant == chess::Variant::kOther) return true;
        codec::GameWalk at = walk(game, moves);
        for (;; at.advance()) {
            if (at.position().key() == key) out.push_back({game, at.ply(), at.next_move()});
            if (at.at_end()) break;
        }
        require_intact(game, at);
        return true;
    });
}

KeyPostings SqliteReader::find_all(std::uint64_t key) {
    KeyPostings out = segments_.find(key);
    scan_unindexed(key, out.small);
    return out;
}

std::unique_ptr<CandidateCursor> SqliteReader::candidates(std::uint64_t key) {
    return segments_.merge(key, find_all(key));
}

void SqliteReader::for_each_candidate_group(
    std::uint64_t key, const std::function<void(std::span<const Candidate>)>& visit) {
    KeyPostings postings = find_all(key);
    std::vector<Candidate> chunk;
    for (const BigPosition& position : postings.big) {
        std::uint64_t chunks = 0;
        for (const codec::GroupSummary& group : position.summary.groups) chunks += group.chunks;
        for (unsigned part = 2; part < 2 + chunks; ++part) {
            chunk.clear();
            segments_.read_chunk(position.segment, key, part, chunk);
            visit(chunk);
        }
    }
    sort_candidates(postings.small);
    if (!postings.small.empty()) visit(postings.small);
}

PositionOverview SqliteReader::overview(std::uint64_t key) {
    KeyPostings postings = find_all(key);
    PositionOverview out;
    sort_candidates(postings.small);
    out.candidates = std::move(postings.small);
    for (BigPosition& position : postings.big) out.summaries.push_back(std::move(position.summary));
    return out;
}

std::vector<StoredSource> SqliteReader::sources() {
    std::vector<StoredSource> out;
    while (select_sources_.step()) {
        out.push_back({select_sources_.integer(0), std::string(select_sources_.text(1)),
                       static_cast<GameId>(select_sources_.integer(2)),
                       static_cast<std::uint64_t>(select_sources_.integer(3))});
    }
    select_sources_.reset();
    return out;
}

StoreInfo SqliteReader::info() {
    StoreInfo info;
    info.games = games_;
    info.plies = meta("plies");
    info.positions = meta("positions");
    info.errors = meta("errors");
    info.fingerprint = meta("fingerprint");
    info.distinct_positions = segments_.distinct_positions();
    info.segments = segments_.segments();
    info.unindexed_games = games_ - segments_.indexed_games();
    const auto number = [&](std::string_view sql) {
        return static_cast<std::uint64_t>(connection_.integer(sql).value_or(0));
    };
    info.sources = number("SELECT count(*) FROM source");
    info.players = number("SELECT count(*) FROM player");
    info.bytes = number("PRAGMA page_count") * number("PRAGMA page_size");
    if (const auto rows = connection_.text("SELECT value FROM meta WHERE name = 'ply_rows'")) {
        info.ply_rows = *rows == "yes" ? PlyRows::kYes : PlyRows::kNo;
    }
    return info;
}

bool SqliteReader::header(GameId game, GameHeader& out) {
    Statement& row = select_header_;
    row.reset();
    for (NameCache* names : {&players_, &events_, &sites_}) names->trim();
    row.bind(1, static_cast<std::int64_t>(game));
    out = {};
    if (!row.step()) return false;
    const auto name = [&](int column, NameCache& names) -> std::optional<std::string_view> {
        if (row.is_null(column)) return std::nullopt;
        return row.is_integer(column) ? names.name(row.integer(column)) : row.text(column);
    };
    const auto text = [&](int column) -> std::optional<std::string_view> {
        if (row.is_null(column)) return std::nullopt;
        return row.text(column);
    };
    const auto number = [&](int column) -> std::optional<std::int64_t> {
        if (!row.is_integer(column)) return std::nullopt;
        return row.integer(column);
    };
    out.id = game;
    out.white = name(0, players_);
    out.black = name(1, players_);
    out.event = name(2, events_);
    out.site = name(3, sites_);
    if (row.is_integer(4)) {
        date_ = date_text(row.integer(4));
        out.date = date_;
    } else {
        out.date = text(4);
    }
    out.round = text(5);
    out.result = static_cast<codec::Result>(row.integer(6) & 3);
    out.white_elo = number(7);
    out.black_elo = number(8);
    out.eco = text(9);
    out.plies = static_cast<std::uint32_t>(row.integer(10));
    out.variant = static_cast<chess::Variant>(row.integer(11));
    return true;
}

namespace {

/// Columns plies, variant, fen, moves, result from `first` on.
void read_moves(const Statement& row, int first, StoredMoves& out) {
    out.facts = {};
    out.facts.plies = static_cast<std::uint32_t>(row.integer(first));
    out.facts.variant = static_cast<chess::Variant>(row.integer(first + 1));
    out.start = row.text(first + 2);
    out.moves = row.blob(first + 3);
    out.facts.result = static_cast<codec::Result>(row.integer(first + 4) & 3);
}

}  // namespace

bool SqliteReader::moves(GameId game, StoredMoves& out) {
    select_moves_.bind(1, static_cast<std::int64_t>(game));
    const bool found = select_moves_.step();
    if (found) read_moves(select_moves_, 0, out);
    select_moves_.reset();
    return found;
}

void SqliteReader::for_each_moves(GameId first,
                                  const std::function<bool(GameId, const StoredMoves&)>& visit) {
    scan_moves_.reset();  // a visit that threw has left it open
    scan_moves_.bind(1, static_cast<std::int64_t>(first));
    StoredMoves moves;
    while (scan_moves_.step()) {
        read_moves(scan_moves_, 1, moves);
        if (!visit(static_cast<GameId>(scan_moves_.integer(0)), moves)) break;
    }
    scan_moves_.reset();
}

bool SqliteReader::game(GameId game, StoredGame& out) {
    out = {};
    GameHeader columns;
    if (!moves(game, out.moves) || !header(game, columns)) return false;
    // The columns again, as text and by their tag: what header() could not read as a number too.
    const auto column_text = [&](Column column) -> std::string {
        const Statement& row = select_header_;
        switch (column) {
            case Column::kWhite: return std::string(columns.white.value_or(""));
            case Column::kBlack: return std::string(columns.black.value_or(""));
            case Column::kEvent: return std::string(columns.event.value_or(""));
            case Column::kSite: return std::string(columns.site.value_or(""));
            case Column::kDate: return std::string(columns.date.value_or(""));
            case Column::kRound: return std::string(columns.round.value_or(""));
            case Column::kResult: return std::string(codec::result_text(columns.result));
            case Column::kWhiteElo: return std::string(row.text(7));
            case Column::kBlackElo: return std::string(row.text(8));
            case Column::kEco: return std::string(columns.eco.value_or(""));
            case Column::kFen: return out.moves.start;
            case Column::kNone: break;
        }
        return {};
    };
    select_tags_.bind(1, static_cast<std::int64_t>(game));
    if (!select_tags_.step()) return false;
    codec::ByteReader packed(select_tags_.blob(0));
    for (const ShapeEntry& entry : parse_shape(select_tags_.text(1))) {
        std::string value;
        if (!entry.packed) {
            value = column_text(column_of(entry.name));
        } else if (const std::uint64_t code = packed.varint(); (code & 1) == 0) {
            value = packed.bytes(code >> 1);
        } else {
            select_value_.bind(1, static_cast<std::int64_t>(code >> 1));
            if (select_value_.step()) value = select_value_.text(0);
            select_value_.reset();
        }
        out.tags.emplace_back(entry.name, std::move(value));
    }
    select_tags_.reset();
    if (packed.failed()) {
        throw StoreError(connection_.path() + ": damaged: tags of game " + std::to_string(game));
    }
    return true;
}

}  // namespace

std::unique_ptr<StoreReader> open_reader(const std::string& path) {
    return std::make_unique<SqliteReader>(path);
}

}  // namespace fendex::store
