#include "store/game_table.hpp"

#include "codec/bits.hpp"
#include "store/game_row.hpp"

namespace fendex::store {

namespace {

constexpr char kInsertGame[] =
    "INSERT INTO game(id, white, black, event, site, date, round, result, white_elo, black_elo, "
    "eco,"
    " plies, variant, fen, shape, tags, moves)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

}  // namespace

GameTable::GameTable(Connection& connection)
    : connection_(&connection),
      players_(connection, "player"),
      events_(connection, "event"),
      sites_(connection, "site"),
      values_(connection, "tag_value"),
      shapes_(connection, "tag_shape"),
      insert_(connection, kInsertGame) {}

void GameTable::forget_names() {
    players_.forget(*connection_, "player");
    events_.forget(*connection_, "event");
    sites_.forget(*connection_, "site");
    values_.forget(*connection_, "tag_value");
    shapes_.forget(*connection_, "tag_shape");
    last_shape_ = kNoShape;
}

void GameTable::insert(GameId id, const NewGames& batch, const NewGame& game) {
    Statement& row = insert_;
    row.bind(1, static_cast<std::int64_t>(id));
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
        const bool in_column =
            column != Column::kNone && (bound & bit) == 0 && bind_column(column, tag.value, game);
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

bool GameTable::bind_column(Column column, std::string_view value, const NewGame& game) {
    Statement& row = insert_;
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

void GameTable::pack_value(const TagPair& tag) {
    if (is_shared_value(tag.name, tag.value)) {
        codec::put_varint(static_cast<std::uint64_t>(values_.id(tag.value)) << 1 | 1, packed_);
    } else {
        codec::put_varint(tag.value.size() << 1, packed_);
        packed_ += tag.value;
    }
}

std::int64_t GameTable::shape_id() {
    if (shape_ != last_shape_) {
        last_shape_id_ = shapes_.id(shape_);
        last_shape_ = shape_;
    }
    return last_shape_id_;
}

}  // namespace fendex::store
