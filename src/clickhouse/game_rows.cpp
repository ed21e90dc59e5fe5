#include "clickhouse/game_rows.hpp"

#include <algorithm>
#include <utility>

#include "clickhouse/game_tags.hpp"
#include "clickhouse/sql_text.hpp"
#include "codec/posting.hpp"

namespace fendex::clickhouse {

namespace {

// The columns of table game; facts are always read.
constexpr char kFactColumns[] =
    "id, result, variant, time_class, mode, white_elo, black_elo, date, plies";
constexpr char kStartColumn[] = ", start";
constexpr char kMoveColumns[] = ", moves";
constexpr char kTagColumns[] = ", white, black, event, site, round, eco, termination, tags";
constexpr char kAnnotationColumns[] = ", annotation";

/// Bytes that a piece of a scan should have: much more than a round trip costs, and little memory.
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::uint64_t kFewestInPiece = 64;
constexpr std::uint64_t kFirstInPiece = 1024;
constexpr std::uint64_t kMostInPiece = std::uint64_t{1} << 18;

std::size_t bytes_of(const store::StoredGame& game) {
    std::size_t bytes = 200 + game.moves.moves.size();
    for (const auto& [name, value] : game.tags) bytes += name.size() + value.size() + 64;
    return bytes;
}

}  // namespace

bool GameRows::Batch::covers(GameId game) const {
    return std::binary_search(games.begin(), games.end(), game);
}

const GameRows::Row* GameRows::Batch::find(GameId game) const {
    const auto found = rows.find(game);
    return found == rows.end() ? nullptr : &found->second;
}

/// Columns in the order of select().
void GameRows::read(RowReader& in, unsigned parts, GameId game, Row& out) {
    const Connection& connection = session_->connection();
    const std::uint8_t result = in.u8();
    const std::uint8_t variant = in.u8();
    const std::uint8_t time_class = in.u8();
    const std::uint8_t mode = in.u8();
    if (result > static_cast<std::uint8_t>(codec::Result::kDraw)) {
        throw_damaged(connection, "result", game);
    }
    if (variant >= chess::kVariants) throw_damaged(connection, "variant", game);
    if (time_class > static_cast<std::uint8_t>(codec::TimeClass::kUltraBullet)) {
        throw_damaged(connection, "time class", game);
    }
    if (mode > static_cast<std::uint8_t>(codec::Mode::kCasual)) {
        throw_damaged(connection, "mode", game);
    }
    out.facts.result = static_cast<codec::Result>(result);
    out.facts.variant = static_cast<chess::Variant>(variant);
    out.facts.time_class = static_cast<codec::TimeClass>(time_class);
    out.facts.mode = static_cast<codec::Mode>(mode);
    out.facts.white_elo = in.u16();
    out.facts.black_elo = in.u16();
    out.facts.date = in.u32();
    out.facts.plies = in.u32();
    if (out.facts.plies > codec::Posting::kMaxPly) {
        throw_damaged(connection, "number of plies", game);
    }
    store::StoredMoves& moves = out.game.moves;
    moves.facts.result = out.facts.result;
    moves.facts.variant = out.facts.variant;
    moves.facts.plies = out.facts.plies;
    if ((parts & (kMoves | kTags)) != 0) moves.start = in.string();
    if ((parts & kMoves) != 0) moves.moves = in.string();
    if ((parts & kTags) != 0) {
        std::string texts[8];
        for (std::string& text : texts) text = in.string();
        const TagColumns columns{.white = texts[0],
                                 .black = texts[1],
                                 .event = texts[2],
                                 .site = texts[3],
                                 .round = texts[4],
                                 .eco = texts[5],
                                 .termination = texts[6],
                                 .start = moves.start,
                                 .facts = out.facts};
        decode_tags(game, texts[7], columns, out.game.tags);
    }
    if ((parts & kAnnotation) != 0) out.annotation = in.string();
}

template <typename Take>
void GameRows::select(unsigned parts, const std::string& condition, Take take) {
    const Snapshot& snapshot = session_->snapshot();
    std::string sql = std::string("SELECT ") + kFactColumns;
    if ((parts & (kMoves | kTags)) != 0) sql += kStartColumn;
    if ((parts & kMoves) != 0) sql += kMoveColumns;
    if ((parts & kTags) != 0) sql += kTagColumns;
    if ((parts & kAnnotation) != 0) sql += kAnnotationColumns;
    sql += " FROM game WHERE " + snapshot.sql_pushes() + " AND " + condition +
           snapshot.sql_and_present("id");
    session_->connection().query(sql, [&](RowReader& in) {
        const GameId game = in.u64();
        Row row;
        read(in, parts, game, row);
        take(game, std::move(row));
    });
}

/// Returns a kept batch that has these parts of all these games.
std::shared_ptr<const GameRows::Batch> GameRows::kept(unsigned parts,
                                                      std::span<const GameId> games) {
    for (const std::shared_ptr<const Batch>& each : kept_) {
        if (each && (each->parts & parts) == parts &&
            std::all_of(games.begin(), games.end(), [&](GameId id) { return each->covers(id); })) {
            return each;
        }
    }
    return nullptr;
}

std::shared_ptr<const GameRows::Batch> GameRows::batch(unsigned parts,
                                                       std::span<const GameId> games) {
    if (auto known = kept(parts, games)) return known;
    auto out = std::make_shared<Batch>();
    out->parts = parts;
    if (games.size() == 1) {
        out->games = expected_->with(games.front());
    } else {
        expected_->set(games);
        out->games.assign(games.begin(), games.end());
        std::sort(out->games.begin(), out->games.end());
    }
    select(parts, "id IN " + sql_list(out->games),
           [&](GameId game, Row&& row) { out->rows.insert_or_assign(game, std::move(row)); });
    kept_[parts] = out;
    return out;
}

template <typename Visit>
void GameRows::for_each_listed(unsigned parts, std::span<const GameId> games, Visit visit) {
    while (!games.empty()) {
        const auto piece = games.first(std::min(games.size(), ExpectedGames::kMost));
        games = games.subspan(piece.size());
        // Shared, because visit() may fetch other games.
        const std::shared_ptr<const Batch> rows = batch(parts, piece);
        for (const GameId game : piece) {
            if (const Row* row = rows->find(game)) visit(game, *row);
        }
    }
}

void GameRows::headers(std::span<const GameId> games,
                       const std::function<void(const store::GameHeader&)>& visit) {
    for_each_listed(kTags, games, [&](GameId game, const Row& row) {
        visit(header_of(game, row.game.tags, row.facts));
    });
}

void GameRows::moves(std::span<const GameId> games,
                     const std::function<void(GameId, const store::StoredMoves&)>& visit) {
    for_each_listed(kMoves, games,
                    [&](GameId game, const Row& row) { visit(game, row.game.moves); });
}

void GameRows::games(std::span<const GameId> games,
                     const std::function<void(GameId, const store::StoredGame&)>& visit) {
    for_each_listed(kMoves | kTags, games,
                    [&](GameId game, const Row& row) { visit(game, row.game); });
}

void GameRows::annotations(std::span<const GameId> games,
                           const std::function<void(GameId, std::string_view)>& visit) {
    for_each_listed(kAnnotation, games, [&](GameId game, const Row& row) {
        if (!row.annotation.empty()) visit(game, row.annotation);
    });
}

bool GameRows::exists(GameId game) { return batch_of(kFacts, game)->find(game) != nullptr; }

codec::GameFacts GameRows::facts(GameId game) {
    const std::shared_ptr<const Batch> rows = batch_of(kFacts, game);
    const Row* row = rows->find(game);
    return row != nullptr ? row->facts : codec::GameFacts{};
}

bool GameRows::annotation(GameId game, std::string& stream) {
    const std::shared_ptr<const Batch> rows = batch_of(kAnnotation, game);
    const Row* row = rows->find(game);
    if (row == nullptr || row->annotation.empty()) return false;
    stream = row->annotation;
    return true;
}

/// Reads pieces of about kPieceBytes, each with one query.
template <typename Visit>
void GameRows::scan(unsigned parts, GameId first, Visit visit) {
    const std::string only = parts == kAnnotation ? " AND annotation != ''" : "";
    // A copy: visit() may refresh the reader.
    const std::vector<store::GameRange> ranges = session_->snapshot().ranges();
    std::uint64_t width = kFirstInPiece;
    for (store::GameRange rest : ranges) {
        rest.first = std::max(rest.first, first);
        while (const auto piece = store::take_front(rest, width)) {
            std::vector<std::pair<GameId, Row>> rows;
            std::size_t bytes = 0;
            select(parts, "id " + sql_between(*piece) + only, [&](GameId game, Row&& row) {
                bytes += bytes_of(row.game) + row.annotation.size();
                rows.emplace_back(game, std::move(row));
            });
            std::sort(rows.begin(), rows.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; });
            std::vector<GameId> games;
            games.reserve(rows.size());
            for (const auto& [game, row] : rows) games.push_back(game);
            expected_->set(games);
            for (const auto& [game, row] : rows) {
                if (!visit(game, row)) return;
            }
            if (bytes < kPieceBytes / 2) width = std::min(2 * width, kMostInPiece);
            if (bytes > 2 * kPieceBytes) width = std::max(width / 2, kFewestInPiece);
        }
    }
}

void GameRows::for_each_moves(GameId first,
                              const std::function<bool(GameId, const store::StoredMoves&)>& visit) {
    scan(kMoves, first, [&](GameId game, const Row& row) { return visit(game, row.game.moves); });
}

void GameRows::for_each_game(GameId first,
                             const std::function<bool(GameId, const store::StoredGame&)>& visit) {
    scan(kMoves | kTags, first, [&](GameId game, const Row& row) { return visit(game, row.game); });
}

void GameRows::for_each_annotation(GameId first,
                                   const std::function<bool(GameId, std::string_view)>& visit) {
    scan(kAnnotation, first,
         [&](GameId game, const Row& row) { return visit(game, row.annotation); });
}

}  // namespace fendex::clickhouse
