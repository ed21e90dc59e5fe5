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
constexpr char kTagColumns[] = ", white, black, event, site, round, eco, termination, tags";
constexpr char kAnnotationColumns[] = ", annotation";

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

const GameRows::Row* GameRows::Batch::find(GameId game) const {
    const auto found = rows.find(game);
    return found == rows.end() ? nullptr : &found->second;
}

/// Reads the columns after the facts, in the order of select().
void GameRows::read(AnswerRow& in, unsigned parts, Row& out) {
    store::StoredMoves& moves = out.game.moves;
    moves.facts.result = out.facts.result;
    moves.facts.variant = out.facts.variant;
    moves.facts.plies = out.facts.plies;
    if ((parts & (kMoves | kTags)) != 0) moves.start = in.text();
    if ((parts & kMoves) != 0) moves.moves = in.text();
    if ((parts & kTags) != 0) {
        std::string texts[8];
        for (std::string& text : texts) text = in.text();
        const TagColumns columns{.white = texts[0],
                                 .black = texts[1],
                                 .event = texts[2],
                                 .site = texts[3],
                                 .round = texts[4],
                                 .eco = texts[5],
                                 .termination = texts[6],
                                 .start = moves.start,
                                 .facts = out.facts};
        if (!decode_tags(texts[7], columns, out.game.tags)) in.refuse("tags");
    }
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

/// Returns a kept batch that has these parts of all these games.
std::shared_ptr<const GameRows::Batch> GameRows::kept(unsigned parts,
                                                      std::span<const GameId> games) {
    for (const std::shared_ptr<const Batch>& each : kept_) {
        if (each && (each->parts & parts) == parts &&
            std::ranges::all_of(games, [&](GameId id) { return each->covers(id); })) {
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
        std::ranges::sort(out->games);
    }
    select(parts, "id IN " + sql_list(out->games), [&](GameId game, Row&& row) {
        return out->covers(game) && out->rows.emplace(game, std::move(row)).second;
    });
    kept_[parts] = out;
    return out;
}

template <typename Visit>
void GameRows::for_each_listed(unsigned parts, std::span<const GameId> games, Visit visit) {
    while (!games.empty()) {
        const auto piece = games.first(std::min(games.size(), ExpectedGames::kMost));
        games = games.subspan(piece.size());
        // A shared pointer, because visit() may fetch other games and replace the batch.
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
