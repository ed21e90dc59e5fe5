#include "store/game_reader.hpp"

#include "codec/bits.hpp"
#include "codec/posting.hpp"

namespace fendex::store {

namespace {

// All of them begin with the same columns, in this order.
constexpr char kSelectHeader[] =
    "SELECT id, plies, variant, result, white, black, event, site, date, round, white_elo,"
    " black_elo, eco FROM main.game WHERE id = ?1";
constexpr char kSelectGame[] =
    "SELECT id, plies, variant, result, white, black, event, site, date, round, white_elo,"
    " black_elo, eco, shape, tags, fen, moves FROM main.game WHERE id = ?1";
constexpr char kScanGames[] =
    "SELECT id, plies, variant, result, white, black, event, site, date, round, white_elo,"
    " black_elo, eco, shape, tags, fen, moves FROM main.game WHERE id >= ?1 ORDER BY id";
enum : int {
    kId,
    kPlies,
    kVariant,
    kResult,
    kWhite,
    kBlack,
    kEvent,
    kSite,
    kDate,
    kRound,
    kWhiteElo,
    kBlackElo,
    kEco,
    kShape,
    kTags,
    kFen,
};
constexpr char kSelectMoves[] =
    "SELECT id, plies, variant, result, fen, moves FROM main.game WHERE id = ?1";
constexpr char kScanMoves[] =
    "SELECT id, plies, variant, result, fen, moves FROM main.game WHERE id >= ?1 ORDER BY id";
constexpr int kFenOfMoves = 4;

constexpr char kSelectShape[] = "SELECT name FROM main.tag_shape WHERE id = ?1";
constexpr std::size_t kMaxShapes = 100'000;

[[noreturn]] void throw_damaged(const Connection& connection, std::string_view what,
                                std::int64_t game) {
    throw StoreError(connection.path() + ": damaged: " + std::string(what) + " of game " +
                     std::to_string(game));
}

/// What the columns say that all begin with: numbers are what they can be.
codec::GameFacts read_facts(const Connection& connection, const Statement& row) {
    const std::int64_t plies = row.integer(kPlies);
    const std::int64_t variant = row.integer(kVariant);
    const std::int64_t result = row.integer(kResult);
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

/// The start and the moves are in the columns from `fen` on.
void read_moves(const Connection& connection, const Statement& row, int fen, StoredMoves& out) {
    out.facts = read_facts(connection, row);
    out.start = row.text(fen);
    out.moves = row.blob(fen + 1);
}

}  // namespace

std::string_view NameCache::name(std::int64_t id) {
    auto known = names_.find(id);
    if (known == names_.end()) {
        const ResetAtEnd end(select_);
        select_.bind(1, id);
        if (!select_.step()) {
            throw StoreError(connection_->path() + ": damaged: " + table_ + " " +
                             std::to_string(id) + " is not there");
        }
        known = names_.emplace(id, select_.text(0)).first;
    }
    return known->second;
}

GameReader::GameReader(const Connection& connection)
    : connection_(&connection),
      select_header_(connection, kSelectHeader),
      select_moves_(connection, kSelectMoves),
      select_game_(connection, kSelectGame),
      scan_moves_(connection, kScanMoves),
      scan_games_(connection, kScanGames),
      select_shape_(connection, kSelectShape),
      players_(connection, "player"),
      events_(connection, "event"),
      sites_(connection, "site"),
      values_(connection, "tag_value") {}

void GameReader::trim_names() {
    for (NameCache* names : {&players_, &events_, &sites_, &values_}) names->trim();
}

void GameReader::forget_names() {
    for (NameCache* names : {&players_, &events_, &sites_, &values_}) names->forget();
}

void GameReader::let_go() { select_header_.reset(); }

bool GameReader::header(GameId game, GameHeader& out) {
    Statement& row = select_header_;
    row.reset();
    trim_names();
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
    out.white = name(kWhite, players_);
    out.black = name(kBlack, players_);
    out.event = name(kEvent, events_);
    out.site = name(kSite, sites_);
    if (row.is_integer(kDate)) {
        date_ = date_text(row.integer(kDate));
        out.date = date_;
    } else {
        out.date = text(kDate);
    }
    out.round = text(kRound);
    const codec::GameFacts facts = read_facts(*connection_, row);
    out.result = facts.result;
    out.white_elo = number(kWhiteElo);
    out.black_elo = number(kBlackElo);
    out.eco = text(kEco);
    out.plies = facts.plies;
    out.variant = facts.variant;
    return true;
}

bool GameReader::moves(GameId game, StoredMoves& out) {
    const ResetAtEnd end(select_moves_);
    select_moves_.bind(1, static_cast<std::int64_t>(game));
    if (!select_moves_.step()) return false;
    read_moves(*connection_, select_moves_, kFenOfMoves, out);
    return true;
}

void GameReader::for_each_moves(GameId first,
                                const std::function<bool(GameId, const StoredMoves&)>& visit) {
    const ResetAtEnd end(scan_moves_);
    scan_moves_.bind(1, static_cast<std::int64_t>(first));
    StoredMoves moves;
    while (scan_moves_.step()) {
        read_moves(*connection_, scan_moves_, kFenOfMoves, moves);
        if (!visit(static_cast<GameId>(scan_moves_.integer(kId)), moves)) break;
    }
}

bool GameReader::game(GameId game, StoredGame& out) {
    const ResetAtEnd end(select_game_);
    select_game_.bind(1, static_cast<std::int64_t>(game));
    if (!select_game_.step()) return false;
    read_game(select_game_, out);
    return true;
}

void GameReader::for_each_game(GameId first,
                               const std::function<bool(GameId, const StoredGame&)>& visit) {
    const ResetAtEnd end(scan_games_);
    scan_games_.bind(1, static_cast<std::int64_t>(first));
    StoredGame game;
    while (scan_games_.step()) {
        read_game(scan_games_, game);
        if (!visit(static_cast<GameId>(scan_games_.integer(kId)), game)) break;
    }
}

const std::vector<GameReader::ShapeTag>& GameReader::shape(std::int64_t id) {
    if (const auto known = shapes_.find(id); known != shapes_.end()) return known->second;
    if (shapes_.size() >= kMaxShapes) shapes_.clear();
    const ResetAtEnd end(select_shape_);
    select_shape_.bind(1, id);
    if (!select_shape_.step()) {
        throw StoreError(connection_->path() + ": damaged: tag_shape " + std::to_string(id) +
                         " is not there");
    }
    std::vector<ShapeTag>& tags = shapes_[id];
    for (ShapeEntry& entry : parse_shape(select_shape_.text(0))) {
        const Column column = entry.packed ? Column::kNone : column_of(entry.name);
        tags.push_back({std::move(entry.name), column});
    }
    return tags;
}

/// Strings of `out` are written over: one that is used again has their room already.
void GameReader::read_game(const Statement& row, StoredGame& out) {
    trim_names();
    read_moves(*connection_, row, kFen, out.moves);
    const std::vector<ShapeTag>& tags = shape(row.integer(kShape));
    codec::ByteReader packed(row.blob(kTags));
    out.tags.resize(tags.size());
    for (std::size_t i = 0; i < tags.size(); ++i) {
        auto& [name, value] = out.tags[i];
        name = tags[i].name;
        if (tags[i].column != Column::kNone) {
            read_column(row, tags[i].column, out.moves, value);
        } else if (const std::uint64_t code = packed.varint(); (code & 1) == 0) {
            value = packed.bytes(code >> 1);
        } else {
            value = values_.name(static_cast<std::int64_t>(code >> 1));
        }
    }
    if (packed.failed() || !packed.done()) throw_damaged(*connection_, "tags", row.integer(kId));
}

/// A tag's value out of its column, as it was.
void GameReader::read_column(const Statement& row, Column column, const StoredMoves& moves,
                             std::string& out) {
    const auto name = [&](int at, NameCache& names) {
        out = row.is_integer(at) ? names.name(row.integer(at)) : row.text(at);
    };
    switch (column) {
        case Column::kWhite: name(kWhite, players_); break;
        case Column::kBlack: name(kBlack, players_); break;
        case Column::kEvent: name(kEvent, events_); break;
        case Column::kSite: name(kSite, sites_); break;
        case Column::kDate:
            if (row.is_integer(kDate)) {
                out = date_text(row.integer(kDate));
            } else {
                out = row.text(kDate);
            }
            break;
        case Column::kRound: out = row.text(kRound); break;
        case Column::kResult: out = codec::result_text(moves.facts.result); break;
        case Column::kWhiteElo: out = row.text(kWhiteElo); break;
        case Column::kBlackElo: out = row.text(kBlackElo); break;
        case Column::kEco: out = row.text(kEco); break;
        case Column::kFen: out = moves.start; break;
        case Column::kNone: out.clear(); break;
    }
}

}  // namespace fendex::store
