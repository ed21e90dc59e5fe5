#include "store/sqlite/tables/game_reader.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "codec/bits.hpp"
#include "codec/posting.hpp"
#include "replay/tag_facts.hpp"

namespace fendex::store {

namespace {

using namespace game_columns;

/// The columns after kTagColumns in a row with all columns.
enum : int { kTagsSum = kMoves, kMovesOfGame, kMovesSum };
constexpr MoveColumns kOfGame{.moves = kMovesOfGame};
/// The columns of a row with only the values that replaying a game needs.
constexpr MoveColumns kOfMoves{1, 2, 3, 4, 5};
constexpr int kSumOfMoves = 6;

static_assert(kEco - kWhite == static_cast<int>(Column::kEco));

constexpr char kRange[] = " FROM main.game WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
constexpr std::int64_t kLastGame = std::numeric_limits<std::int64_t>::max();

std::string select_header(const Connection& connection) {
    return std::string("SELECT ") + kTagColumns + ", " + sum_column(connection, "tags_sum") +
           kRange;
}
std::string select_game(const Connection& connection) {
    return std::string("SELECT ") + kTagColumns + ", " + sum_column(connection, "tags_sum") +
           ", moves, " + sum_column(connection, "moves_sum") + kRange;
}
std::string select_moves(const Connection& connection) {
    return "SELECT id, plies, variant, result, fen, moves, " + sum_column(connection, "moves_sum") +
           kRange;
}

/// From this number of games on, a scan is faster than look-ups, even if it skips half the rows.
constexpr std::size_t kFewestToScan = 4;

bool are_close_together(std::span<const GameId> games) {
    return games.size() >= kFewestToScan &&
           std::ranges::adjacent_find(games, std::greater_equal<>()) == games.end() &&
           games.back() - games.front() < 2 * games.size();
}

constexpr char kSelectShape[] = "SELECT name FROM main.tag_shape WHERE id = ?1";
constexpr std::size_t kMaxShapes = 100'000;

[[noreturn]] void throw_damaged(const Connection& connection, std::string_view what,
                                std::int64_t game) {
    connection.throw_damaged(std::string(what) + " of game " + std::to_string(game));
}

/// Reads facts from columns and checks their ranges.
codec::GameFacts read_facts(const Connection& connection, const Statement& row,
                            const MoveColumns& columns) {
    const std::int64_t plies = row.integer(columns.plies);
    const std::int64_t variant = row.integer(columns.variant);
    const std::int64_t result = row.integer(columns.result);
    if (plies < 0 || plies > std::int64_t{codec::Posting::kMaxPly}) {
        throw_damaged(connection, "number of plies", row.integer(kId));
    }
    if (variant < 0 || variant >= std::int64_t{chess::kVariants}) {
        throw_damaged(connection, "variant", row.integer(kId));
    }
    if (result < 0 || result > 3) throw_damaged(connection, "result", row.integer(kId));
    codec::GameFacts facts;
    facts.plies = static_cast<std::uint32_t>(plies);
    facts.variant = static_cast<chess::Variant>(variant);
    facts.result = static_cast<codec::Result>(result);
    return facts;
}

std::string text_of_date(std::int64_t stored) {
    return date_text(static_cast<std::uint32_t>(stored));
}

}  // namespace

GameReader::GameReader(const Connection& connection, Verify verify)
    : connection_(&connection),
      verify_(verify),
      select_header_(connection, select_header(connection)),
      select_moves_(connection, select_moves(connection)),
      select_game_(connection, select_game(connection)),
      scan_moves_(connection, select_moves(connection)),
      scan_games_(connection, select_game(connection)),
      select_shape_(connection, kSelectShape),
      players_(connection, "player"),
      events_(connection, "event"),
      sites_(connection, "site"),
      values_(connection, "tag_value") {}

void GameReader::trim_names() {
    for (NameCache* names : {&players_, &events_, &sites_, &values_}) names->trim();
}

void GameReader::use(const SnapshotCaches& caches) {
    players_.use(caches.players);
    events_.use(caches.events);
    sites_.use(caches.sites);
    values_.use(caches.tag_values);
    shapes_.clear();
}

void GameReader::require_tags_sum(const Statement& row) {
    if (verify_ == Verify::kNo) return;
    require_sum(*connection_, row, kTagsSum, tags_sum(row, digest_));
}

void GameReader::read_moves(const Statement& row, const MoveColumns& columns, int sum,
                            StoredMoves& out) {
    if (verify_ == Verify::kYes) {
        require_sum(*connection_, row, sum, moves_sum(row, columns, digest_));
    }
    out.facts = read_facts(*connection_, row, columns);
    out.start = row.text(columns.fen);
    out.moves = row.blob(columns.moves);
}

/// Visits the rows of games: with one scan if the games are close together, else with look-ups.
template <typename Visit>
void GameReader::for_each_row(std::span<const GameId> games, Statement& row, Visit visit) {
    if (!are_close_together(games)) {
        for (const GameId game : games) {
            const ResetAtEnd end(row, as_signed(game), as_signed(game));
            if (row.step()) visit(game, row);
        }
        return;
    }
    const ResetAtEnd end(row, as_signed(games.front()), as_signed(games.back()));
    AscendingIds ids(*connection_, "game", as_signed(games.front()));
    for (auto next = games.begin(); next != games.end() && row.step();) {
        const std::int64_t id = row.integer(kId);
        ids.require_next(id);
        while (next != games.end() && as_signed(*next) < id) ++next;
        if (next != games.end() && as_signed(*next) == id) visit(*next++, row);
    }
}

/// Returns the original value of a tag that has a column; nothing if the game does not have the
/// tag. The text is valid until the column of another game is read.
std::optional<std::string_view> GameReader::text(const Statement& row, int column) {
    const RowValue value = row.value(column);
    if (value.type == ValueType::kNull) return std::nullopt;
    std::string& out = texts_[static_cast<std::size_t>(column)];
    if (value.type != ValueType::kInteger) return out = row.text(column);
    switch (column) {
        case kWhite:
        case kBlack: return players_.name(value.integer);
        case kEvent: return events_.name(value.integer);
        case kSite: return sites_.name(value.integer);
        case kDate: return out = text_of_date(value.integer);
        default: return out = row.text(column);
    }
}

void GameReader::headers(std::span<const GameId> games,
                         const std::function<void(const GameHeader&)>& visit) {
    GameHeader header;
    for_each_row(games, select_header_, [&](GameId game, const Statement& row) {
        read_header(game, row, header);
        visit(header);
    });
}

void GameReader::read_header(GameId game, const Statement& row, GameHeader& out) {
    trim_names();
    require_tags_sum(row);
    const auto number = [&](int column) -> std::optional<std::int64_t> {
        const RowValue value = row.value(column);
        if (value.type != ValueType::kInteger) return std::nullopt;
        return value.integer;
    };
    out.id = game;
    out.white = text(row, kWhite);
    out.black = text(row, kBlack);
    out.event = text(row, kEvent);
    out.site = text(row, kSite);
    out.date = text(row, kDate);
    out.round = text(row, kRound);
    const codec::GameFacts facts = read_facts(*connection_, row, {});
    out.result = facts.result;
    out.white_elo = number(kWhiteElo);
    out.black_elo = number(kBlackElo);
    out.eco = text(row, kEco);
    out.plies = facts.plies;
    out.variant = facts.variant;
}

/// Computes the ranks from the columns. The facts come from the same tags (replay::read_facts), so
/// they give the same ranks, with two exceptions, for which this returns nothing: a tag occurs
/// twice (a column has its first value, the facts have the last), or there is no date but a
/// UTCDate.
std::optional<codec::GameRanks> GameReader::ranks(GameId game) {
    Statement& row = select_header_;
    const ResetAtEnd end(row, as_signed(game), as_signed(game));
    if (!row.step()) return std::nullopt;
    require_tags_sum(row);
    const auto elo = [&](int column) { return replay::elo_of(row.text(column)); };
    codec::GameRanks ranks;
    ranks.rating = std::uint64_t{elo(kWhiteElo)} + elo(kBlackElo);
    ranks.date =
        replay::date_of(row.is_integer(kDate) ? std::string_view(text_of_date(row.integer(kDate)))
                                              : row.text(kDate));
    for (const ShapeTag& tag : shape(row.integer(kShape))) {
        if (tag.column != Column::kNone) continue;
        if (tag.name == "WhiteElo" || tag.name == "BlackElo" || tag.name == "Date" ||
            (tag.name == "UTCDate" && ranks.date == 0)) {
            return std::nullopt;
        }
    }
    return ranks;
}

void GameReader::moves(std::span<const GameId> games,
                       const std::function<void(GameId, const StoredMoves&)>& visit) {
    for_each_row(games, select_moves_, [&](GameId game, const Statement& row) {
        read_moves(row, kOfMoves, kSumOfMoves, moves_);
        visit(game, moves_);
    });
}

void GameReader::games(std::span<const GameId> games,
                       const std::function<void(GameId, const StoredGame&)>& visit) {
    for_each_row(games, select_game_, [&](GameId game, const Statement& row) {
        read_game(row, game_);
        visit(game, game_);
    });
}

bool GameReader::moves(GameId game, StoredMoves& out) {
    const ResetAtEnd end(select_moves_, as_signed(game), as_signed(game));
    if (!select_moves_.step()) return false;
    read_moves(select_moves_, kOfMoves, kSumOfMoves, out);
    return true;
}

void GameReader::for_each_moves(GameId first,
                                const std::function<bool(GameId, const StoredMoves&)>& visit) {
    const ResetAtEnd end(scan_moves_, as_signed(first), kLastGame);
    StoredMoves moves;
    for (AscendingIds ids(*connection_, "game", as_signed(first)); scan_moves_.step();) {
        ids.require_next(scan_moves_.integer(kId));
        read_moves(scan_moves_, kOfMoves, kSumOfMoves, moves);
        if (!visit(static_cast<GameId>(scan_moves_.integer(kId)), moves)) break;
    }
}

bool GameReader::game(GameId game, StoredGame& out) {
    const ResetAtEnd end(select_game_, as_signed(game), as_signed(game));
    if (!select_game_.step()) return false;
    read_game(select_game_, out);
    return true;
}

void GameReader::for_each_game(GameId first,
                               const std::function<bool(GameId, const StoredGame&)>& visit) {
    const ResetAtEnd end(scan_games_, as_signed(first), kLastGame);
    StoredGame game;
    for (AscendingIds ids(*connection_, "game", as_signed(first)); scan_games_.step();) {
        ids.require_next(scan_games_.integer(kId));
        read_game(scan_games_, game);
        if (!visit(static_cast<GameId>(scan_games_.integer(kId)), game)) break;
    }
}

const std::vector<GameReader::ShapeTag>& GameReader::shape(std::int64_t id) {
    if (const auto known = shapes_.find(id); known != shapes_.end()) return known->second;
    if (shapes_.size() >= kMaxShapes) shapes_.clear();
    const ResetAtEnd end(select_shape_, id);
    if (!select_shape_.step()) {
        connection_->throw_damaged("tag_shape " + std::to_string(id) + " is missing");
    }
    std::vector<ShapeTag> tags;
    for (ShapeEntry& entry : parse_shape(select_shape_.text(0))) {
        const Column column = entry.packed ? Column::kNone : column_of(entry.name);
        tags.push_back({std::move(entry.name), column});
    }
    return shapes_[id] = std::move(tags);  // only once they are complete
}

/// Reads a game. Reuses the strings of `out`, so that reading many games allocates little.
void GameReader::read_game(const Statement& row, StoredGame& out) {
    trim_names();
    require_tags_sum(row);
    read_moves(row, kOfGame, kMovesSum, out.moves);
    const std::vector<ShapeTag>& tags = shape(row.integer(kShape));
    codec::ByteReader packed(row.blob(kTags));
    out.tags.resize(tags.size());
    for (std::size_t i = 0; i < tags.size(); ++i) {
        auto& [name, value] = out.tags[i];
        name = tags[i].name;
        const Column tag = tags[i].column;
        if (tag == Column::kResult) {
            value = codec::result_text(out.moves.facts.result);
        } else if (tag == Column::kFen) {
            value = out.moves.start;
        } else if (tag != Column::kNone) {
            value = text(row, kWhite + static_cast<int>(tag)).value_or(std::string_view());
        } else {
            const PackedValue each = read_packed(packed);
            value = each.id ? values_.name(*each.id) : each.text;
        }
    }
    if (packed.failed() || !packed.done()) throw_damaged(*connection_, "tags", row.integer(kId));
}

void GameReader::copy_rows(const GameRange& games, CopiedRows& out) {
    const ResetAtEnd end(scan_games_, as_signed(games.first), as_signed(games.last));
    for (AscendingIds ids(*connection_, "game", as_signed(games.first)); scan_games_.step();) {
        ids.require_next(scan_games_.integer(kId));
        trim_names();
        require_tags_sum(scan_games_);
        read_moves(scan_games_, kOfGame, kMovesSum, moves_);
        require_names(scan_games_);
        out.add(scan_games_, moves_);
    }
}

/// Throws StoreError if a name of the row, or a packed tag, is missing.
void GameReader::require_names(const Statement& row) {
    for (const int column : {kWhite, kBlack, kEvent, kSite}) {
        const RowValue id = row.value(column);
        if (id.type != ValueType::kInteger) continue;
        (column == kEvent ? events_ : column == kSite ? sites_ : players_).name(id.integer);
    }
    codec::ByteReader packed(row.blob(kTags));
    for (const ShapeTag& tag : shape(row.integer(kShape))) {
        if (tag.column != Column::kNone) continue;
        if (const PackedValue value = read_packed(packed); value.id) values_.name(*value.id);
    }
    if (packed.failed() || !packed.done()) throw_damaged(*connection_, "tags", row.integer(kId));
}

}  // namespace fendex::store
