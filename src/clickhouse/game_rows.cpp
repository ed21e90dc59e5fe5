#include "clickhouse/game_rows.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/game_tags.hpp"
#include "clickhouse/sql_text.hpp"

namespace fendex::clickhouse {

namespace {

// Columns of table game. kFactColumns are always read; these are read if they are needed.
constexpr char kStartColumn[] = ", start";
constexpr char kMoveColumns[] = ", moves";

constexpr char kAnnotationColumns[] = ", annotation";

/// A caller that replays so few games will soon name some of them; to read their tags, too, costs
/// less than another query.
constexpr std::size_t kSoonNamed = 100;

/// Target size of a piece of a scan: large against the cost of a round trip, but little memory.
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::uint64_t kFewestInPiece = 64;
constexpr std::uint64_t kFirstInPiece = 1024;
constexpr std::uint64_t kMostInPiece = std::uint64_t{1} << 18;

std::size_t bytes_of(const store::StoredGame& game) {
    std::size_t bytes = 200 + game.moves.moves.size();
    for (const auto& [name, value] : game.tags) bytes += name.size() + value.size() + 64;
    return bytes;
}

/// Throws if a game has two rows. `rows` are sorted by game.
template <typename Rows>
void require_once(const Connection& connection, const Rows& rows) {
    const auto twice = std::ranges::adjacent_find(
        rows, [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice == rows.end()) return;
    throw damaged(connection, "table game has game " + std::to_string(twice->first) + " twice");
}

}  // namespace

bool GameRows::Batch::covers(GameId game) const { return std::ranges::binary_search(games, game); }

/// Reads the columns after the facts, in the order of select().
void GameRows::read(AnswerRow& in, unsigned parts, Row& out) {
    store::StoredMoves& moves = out.game.moves;
    moves.facts.result = out.facts.result;
    moves.facts.variant = out.facts.variant;
    moves.facts.plies = out.facts.plies;
    if ((parts & (kMoves | kTags)) != 0) moves.start = in.text();
    if ((parts & kMoves) != 0) moves.moves = in.text();
    if ((parts & kTags) != 0) read_tags(in, moves.start, out.facts, out.game.tags);

    if ((parts & kAnnotation) != 0) out.annotation = in.text();
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
    read_rows(session_->connection(), "game", sql, [&](AnswerRow& in) {
        Row row;
        const GameId game = in.facts(row.facts);
        read(in, parts, row);
        if (!take(game, std::move(row))) in.refuse_row("id", game);
    });
}

/// Returns a batch that has these parts of all these games.
std::shared_ptr<const GameRows::Batch> GameRows::batch(unsigned parts,
                                                       std::span<const GameId> games) {
    for (const std::shared_ptr<const Batch>& each : kept_) {
        if (each && (each->parts & parts) == parts &&
            std::ranges::all_of(games, [&](GameId id) { return each->covers(id); })) {
            return each;
        }
    }
    auto out = std::make_shared<Batch>();
    if (games.size() == 1) {
        out->games = expected_->with(games.front());
    } else {
        expected_->set(games);
        out->games.assign(games.begin(), games.end());
        std::ranges::sort(out->games);
    }
    const std::size_t asked = out->games.size();
    if (parts == kMoves && asked > 1 && asked <= kSoonNamed) parts |= kTags;
    out->parts = parts;
    select(parts, "id IN " + sql_list(out->games), [&](GameId game, Row&& row) {
        return out->covers(game) && out->rows.emplace(game, std::move(row)).second;
    });
    kept_[parts] = out;
    return out;
}

void GameRows::list(unsigned parts, std::span<const GameId> games,
                    const std::function<void(GameId, const Row&)>& visit) {
    while (!games.empty()) {
        const auto piece = games.first(std::min(games.size(), ExpectedGames::kMost));
        games = games.subspan(piece.size());
        // A shared pointer, because visit() may fetch other games and replace the batch.
        const std::shared_ptr<const Batch> fetched = batch(parts, piece);
        for (const GameId game : piece) {
            const auto row = fetched->rows.find(game);
            if (row != fetched->rows.end()) visit(game, row->second);
        }
    }
}

/// Reads pieces of about kPieceBytes, each with one query.
void GameRows::scan(unsigned parts, GameId first,
                    const std::function<bool(GameId, const Row&)>& visit) {
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
                return piece->first <= game && game <= piece->last;
            });
            std::ranges::sort(rows, {}, &std::pair<GameId, Row>::first);
            require_once(session_->connection(), rows);
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

}  // namespace fendex::clickhouse
