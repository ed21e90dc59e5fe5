#include <algorithm>
#include <filesystem>
#include <queue>
#include <unordered_map>

#include "store/database.hpp"
#include "store/game_row.hpp"
#include "store/store_reader.hpp"
#include "store/stored_walk.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectSegments[] =
    "SELECT id, first_game, last_game, key_bits, positions FROM segment WHERE kind = 0 ORDER BY id";
// The last row before a key's own parts: a block, or a part of another position with rows of its
// own.
constexpr char kSelectBlock[] =
    "SELECT first_key, part, data FROM block WHERE segment = ?1 AND (first_key, part) <= (?2, 0)"
    " ORDER BY first_key DESC, part DESC LIMIT 1";
constexpr char kSelectPart[] =
    "SELECT data FROM block WHERE segment = ?1 AND first_key = ?2 AND part = ?3";
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

constexpr std::size_t kMaxCachedNames = 500'000;

struct Segment {
    std::int64_t id = 0;
    GameId first_game = 1;
    codec::SegmentShape shape;
};

/// A position with rows of its own, in one segment.
struct BigPosition {
    const Segment* segment = nullptr;
    codec::PositionSummary summary;
};

bool earlier(const Candidate& a, const Candidate& b) {
    return std::pair(a.game, a.ply.value_or(0)) < std::pair(b.game, b.ply.value_or(0));
}

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
          select_segments_(connection_, kSelectSegments),
          select_block_(connection_, kSelectBlock),
          select_part_(connection_, kSelectPart),
          select_header_(connection_, kSelectHeader),
          select_moves_(connection_, kSelectMoves),
          scan_moves_(connection_, kScanMoves),
          select_tags_(connection_, kSelectTags),
          select_value_(connection_, kSelectValue),
          players_(connection_, "player"),
          events_(connection_, "event"),
          sites_(connection_, "site") {
        connection_.run("PRAGMA cache_size = -65536");
        begin();
    }

    StoreInfo info() override;
    std::unique_ptr<CandidateCursor> candidates(std::uint64_t key) override;
    PositionOverview overview(std::uint64_t key) override;
    bool header(GameId game, GameHeader& out) override;
    bool moves(GameId game, StoredMoves& out) override;
    bool game(GameId game, StoredGame& out) override;
    void for_each_moves(GameId first,
                        const std::function<bool(GameId, const StoredMoves&)>& visit) override;

    void refresh() override {
        connection_.run("COMMIT");
        begin();
    }

    /// Appends the postings of a chunk of a big position.
    void read_part(const Segment& segment, std::uint64_t key, unsigned part,
                   std::vector<codec::Posting>& out) {
        select_part_.bind(1, segment.id);
        select_part_.bind(2, sql_order(key));
        select_part_.bind(3, part);
        const bool ok = select_part_.step() &&
                        codec::decode_big_postings(select_part_.blob(0), segment.shape, key, out) ==
                            codec::BlockStatus::kOk;
        select_part_.reset();
        if (!ok) damaged(segment, key);
    }

  private:
    void begin() {
        connection_.run("BEGIN");
        segments_.clear();
        indexed_games_ = 0;
        distinct_ = 0;
        while (select_segments_.step()) {
            const auto first = static_cast<GameId>(select_segments_.integer(1));
            const auto last = static_cast<GameId>(select_segments_.integer(2));
            const std::int64_t key_bits = select_segments_.integer(3);
            if (key_bits < 8 || key_bits > 48 || first < 1 || last < first ||
                last - first >= codec::Posting::kMaxGames) {
                throw StoreError(connection_.path() + ": damaged: segment " +
                                 std::to_string(select_segments_.integer(0)));
            }
            segments_.push_back({select_segments_.integer(0),
                                 first,
                                 {static_cast<unsigned>(key_bits), last - first + 1}});
            indexed_games_ = std::max(indexed_games_, last);
            distinct_ += static_cast<std::uint64_t>(select_segments_.integer(4));
        }
        select_segments_.reset();
        games_ = meta("games");
    }

    std::uint64_t meta(const std::string& name) {
        return static_cast<std::uint64_t>(
            connection_.integer("SELECT value FROM meta WHERE name = '" + name + "'").value_or(0));
    }

    [[noreturn]] void damaged(const Segment& segment, std::uint64_t key) {
        throw StoreError(connection_.path() + ": damaged: segment " + std::to_string(segment.id) +
                         ", block of key " + std::to_string(key));
    }

    void look_up(const Segment& segment, std::uint64_t key, std::vector<Candidate>& candidates,
                 std::vector<BigPosition>& big);
    codec::PositionSummary summary(const Segment& segment, std::uint64_t key);
    void scan_unindexed(std::uint64_t key, std::vector<Candidate>& out);
    void find_all(std::uint64_t key, std::vector<Candidate>& small, std::vector<BigPosition>& big);

    Connection connection_;
    Statement select_segments_;
    Statement select_block_;
    Statement select_part_;
    Statement select_header_;
    Statement select_moves_;
    Statement scan_moves_;
    Statement select_tags_;
    Statement select_value_;
    NameCache players_;
    NameCache events_;
    NameCache sites_;
    std::vector<Segment> segments_;
    GameId indexed_games_ = 0;
    GameId games_ = 0;
    std::uint64_t distinct_ = 0;
    std::string date_;
    std::string round_;
};

/// Merges the groups of the big positions and the small lists into the order of games.
class MergingCursor final : public CandidateCursor {
  public:
    MergingCursor(SqliteReader& reader, std::uint64_t key, std::vector<Candidate> small,
                  const std::vector<BigPosition>& big)
        : reader_(reader), key_(key) {
        std::sort(small.begin(), small.end(), earlier);
        if (!small.empty()) {
            Stream& stream = streams_.emplace_back();
            stream.ready = std::move(small);
            queue_.push(0);
        }
        for (const BigPosition& position : big) {
            unsigned part = 2;
            for (const codec::GroupSummary& group : position.summary.groups) {
                const std::size_t index = streams_.size();
                Stream& stream = streams_.emplace_back();
                stream.segment = *position.segment;
                stream.part = part;
                part += group.chunks;
                stream.end_part = part;
                if (refill(stream)) queue_.push(index);
            }
        }
    }

    bool next(Candidate& out) override {
        if (queue_.empty()) return false;
        const std::size_t index = queue_.top();
        queue_.pop();
        Stream& stream = streams_[index];
        out = stream.front();
        ++stream.position;
        if (stream.position < stream.ready.size() || refill(stream)) queue_.push(index);
        return true;
    }

  private:
    /// One group's postings, chunk by chunk.
    struct Stream {
        std::vector<Candidate> ready;
        std::size_t position = 0;
        Segment segment;
        unsigned part = 0;
        unsigned end_part = 0;
        const Candidate& front() const { return ready[position]; }
    };
    struct Later {
        const std::vector<Stream>* streams;
        bool operator()(std::size_t a, std::size_t b) const {
            return earlier((*streams)[b].front(), (*streams)[a].front());
        }
    };

    bool refill(Stream& stream) {
        stream.ready.clear();
        stream.position = 0;
        if (stream.part == stream.end_part) return false;
        postings_.clear();
        reader_.read_part(stream.segment, key_, stream.part++, postings_);
        for (const codec::Posting& p : postings_) {
            stream.ready.push_back({stream.segment.first_game + p.game(), p.ply(), p.next()});
        }
        return !stream.ready.empty();
    }

    SqliteReader& reader_;
    std::uint64_t key_;
    std::vector<Stream> streams_;
    std::priority_queue<std::size_t, std::vector<std::size_t>, Later> queue_{Later{&streams_}};
    std::vector<codec::Posting> postings_;
};

void SqliteReader::look_up(const Segment& segment, std::uint64_t key,
                           std::vector<Candidate>& candidates, std::vector<BigPosition>& big) {
    std::int64_t before = sql_order(segment.shape.short_key(key));
    while (true) {
        select_block_.bind(1, segment.id);
        select_block_.bind(2, before);
        if (!select_block_.step()) break;
        if (select_block_.integer(1) != 0) {
            // A big position stands between the block and the key. Its block may begin with it.
            before = select_block_.integer(0);
            select_block_.reset();
            continue;
        }
        codec::KeyMatch match;
        if (codec::look_up(select_block_.blob(2), segment.shape, key, match) !=
            codec::BlockStatus::kOk) {
            select_block_.reset();
            damaged(segment, key);
        }
        select_block_.reset();
        for (const std::uint32_t game : match.singletons) {
            candidates.push_back({segment.first_game + game, std::nullopt, {}});
        }
        for (const codec::Posting& p : match.postings) {
            candidates.push_back({segment.first_game + p.game(), p.ply(), p.next()});
        }
        if (match.big) big.push_back({&segment, summary(segment, key)});
        return;
    }
    select_block_.reset();
}

codec::PositionSummary SqliteReader::summary(const Segment& segment, std::uint64_t key) {
    select_part_.bind(1, segment.id);
    select_part_.bind(2, sql_order(key));
    select_part_.bind(3, 1);
    std::optional<codec::PositionSummary> summary;
    if (select_part_.step()) summary = codec::decode_summary(select_part_.blob(0));
    select_part_.reset();
    if (!summary) damaged(segment, key);
    return std::move(*summary);
}

/// Games whose import was cut off before its segment was written: their moves are the index.
void SqliteReader::scan_unindexed(std::uint64_t key, std::vector<Candidate>& out) {
    if (indexed_games_ == games_) return;
    for_each_moves(indexed_games_ + 1, [&](GameId game, const StoredMoves& moves) {
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

void SqliteReader::find_all(std::uint64_t key, std::vector<Candidate>& small,
                            std::vector<BigPosition>& big) {
    for (const Segment& segment : segments_) look_up(segment, key, small, big);
    scan_unindexed(key, small);
}

std::unique_ptr<CandidateCursor> SqliteReader::candidates(std::uint64_t key) {
    std::vector<Candidate> small;
    std::vector<BigPosition> big;
    find_all(key, small, big);
    return std::make_unique<MergingCursor>(*this, key, std::move(small), big);
}

PositionOverview SqliteReader::overview(std::uint64_t key) {
    PositionOverview out;
    std::vector<BigPosition> big;
    find_all(key, out.candidates, big);
    std::sort(out.candidates.begin(), out.candidates.end(), earlier);
    for (BigPosition& position : big) out.summaries.push_back(std::move(position.summary));
    return out;
}

StoreInfo SqliteReader::info() {
    StoreInfo info;
    info.games = games_;
    info.plies = meta("plies");
    info.positions = meta("positions");
    info.errors = meta("errors");
    info.fingerprint = meta("fingerprint");
    info.distinct_positions = distinct_;
    info.segments = segments_.size();
    info.unindexed_games = games_ - indexed_games_;
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
