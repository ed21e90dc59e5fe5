#include "store/sqlite/tables/game_table.hpp"

#include <algorithm>

#include "codec/bits.hpp"
#include "store/sqlite/tables/game_row.hpp"

namespace fendex::store {

namespace {

using namespace game_columns;

constexpr char kRowColumns[] =
    "id, white, black, event, site, date, round, result, white_elo, black_elo, eco, plies, variant,"
    " fen, shape, tags, moves, tags_sum, moves_sum, opening";
enum : int { kTagsSum = kMoves + 1, kMovesSum, kOpening, kColumnsOfRow };

}  // namespace

GameTable::GameTable(Connection& connection, NewRowsSource& source)
    : source_(source),
      players_(connection, source, kPlayers, names_sum_),
      events_(connection, source, kEvents, names_sum_),
      sites_(connection, source, kSites, names_sum_),
      values_(connection, source, kTagValues, names_sum_),
      shapes_(connection, source, kTagShapes, names_sum_),
      openings_(connection, source, kOpenings, names_sum_),
      translator_({players_, events_, sites_, values_, shapes_}),
      insert_(NewRowsSource::insert_into(connection, "game", kRowColumns)),
      rows_(kColumnsOfRow) {}

template <typename Call>
void GameTable::for_each_names(Call call) {
    for (NameTable* const names : {&players_, &events_, &sites_, &values_, &shapes_, &openings_}) {
        call(*names);
    }
}

void GameTable::limit_names(std::size_t bytes) {
    most_name_bytes_ = bytes;
    for_each_names([&](NameTable& names) { names.limit(bytes); });
}

void GameTable::write_names() {
    for_each_names([](NameTable& names) { names.write(); });
}

NameTable& GameTable::names(NameKind kind) {
    if (kind == NameKind::kPlayer) return players_;
    return kind == NameKind::kEvent ? events_ : sites_;
}

void GameTable::forget_names() {
    for_each_names([](NameTable& names) { names.forget(); });
    translator_.forget();
    last_shape_ = kNoShape;
    rows_.clear();
}

/// Forgets the ids of all names if they take too much memory. They are read again when needed.
void GameTable::bound_names() {
    std::size_t bytes = translator_.cached_bytes();
    for_each_names([&](const NameTable& names) { bytes += names.cached_bytes(); });
    if (bytes > most_name_bytes_) {
        for_each_names([](NameTable& names) { names.forget_cached(); });
        translator_.forget();
    }
}

void GameTable::insert(GameId id, const NewGames& batch, const NewGame& game) {
    bound_names();
    row_ = rows_.add();
    set(kId, as_signed(id));
    set(kResult, static_cast<std::int64_t>(game.facts.result));
    set(kPlies, game.facts.plies);
    set(kVariant, static_cast<std::int64_t>(game.facts.variant));
    if (!game.start.empty()) set(kFen, game.start);
    shape_.clear();
    packed_.clear();
    codes_.names[codec::kTerminationName] = codec::kNoCode;
    unsigned bound = 0;
    for (const TagPair& tag : game.tags.of(batch.tags)) {
        const Column column = column_of(tag.name);
        const unsigned bit = 1U << static_cast<unsigned>(column);
        const bool in_column =
            column != Column::kNone && (bound & bit) == 0 && set_column(column, tag.value, game);
        bound |= bit;
        if (!shape_.empty()) shape_ += '\n';
        if (!in_column) {
            shape_ += '+';
            pack_value(tag);
        }
        shape_ += tag.name;
    }
    set(kShape, shape_id());
    if (!packed_.empty()) at(kTags) = RowValue::of_blob(rows_.keep(packed_));
    at(kMoves) = RowValue::of_blob(game.moves.of(batch.moves));
    end_row(game.opening);
}

void GameTable::insert(GameId id, const CopiedRows& rows, std::size_t index,
                       std::string_view opening) {
    bound_names();
    row_ = rows_.add();
    std::ranges::copy(rows.row(index), row_.begin());
    translator_.translate(rows.names, row_, rows_, codes_.names);
    set(kId, as_signed(id));
    end_row(opening);
}

void GameTable::end_row(std::string_view opening) {
    set_sums();
    set_opening(opening);
    codes_.players = {code_of_value(at(kWhite)), code_of_value(at(kBlack))};
    codes_.names[codec::kEventName] = code_of_value(at(kEvent));
    codes_.names[codec::kSiteName] = code_of_value(at(kSite));
    codes_.names[codec::kEcoName] = codec::code_of_eco(at(kEco).bytes);
}

/// Sets the checksums (game_sums.hpp).
void GameTable::set_sums() {
    const std::int64_t id = at(kId).integer;
    digest_.begin();
    for (int column = kWhite; column <= kTags; ++column) digest_.add(at(column));
    set(kTagsSum, digest_.sum(Sealed::kTags, id));
    digest_.begin();
    for (const int column : {kPlies, kVariant, kResult, kFen}) digest_.add(at(column));
    digest_.append(at(kMoves).bytes);
    set(kMovesSum, digest_.sum(Sealed::kMoves, id));
}

void GameTable::set_opening(std::string_view text) {
    codes_.opening = {codec::kNoCode};
    if (text.empty()) return;
    const std::int64_t id = openings_.id(text);
    codes_.opening = {codec::code_of_id(id)};
    set(kOpening, id);
}

bool GameTable::set_column(Column column, std::string_view value, const NewGame& game) {
    const auto number_or_text = [&](int at, std::optional<std::int64_t> number) {
        if (number) {
            set(at, *number);
        } else {
            set(at, value);
        }
    };
    switch (column) {
        case Column::kWhite: set(kWhite, players_.id(value)); return true;
        case Column::kBlack: set(kBlack, players_.id(value)); return true;
        case Column::kEvent: set(kEvent, events_.id(value)); return true;
        case Column::kSite:
            if (is_web_address(value)) {
                set(kSite, value);
            } else {
                set(kSite, sites_.id(value));
            }
            return true;
        case Column::kDate: {
            const std::optional<codec::Date> date = exact_date(value);
            number_or_text(kDate, date ? std::optional(date->number()) : std::nullopt);
            return true;
        }
        case Column::kRound: number_or_text(kRound, exact_number(value)); return true;
        case Column::kResult: return value == codec::result_text(game.facts.result);
        case Column::kWhiteElo: number_or_text(kWhiteElo, exact_number(value)); return true;
        case Column::kBlackElo: number_or_text(kBlackElo, exact_number(value)); return true;
        case Column::kEco: set(kEco, value); return true;
        case Column::kFen: return value == game.start;
        case Column::kNone: break;
    }
    return false;
}

void GameTable::pack_value(const TagPair& tag) {
    PackedValue value{std::nullopt, tag.value};
    if (is_shared_value(tag.name, tag.value)) value.id = values_.id(tag.value);
    put_packed(value, packed_);
    if (tag.name == kTerminationTag) add_termination(code_of(value), codes_.names);
}

std::int64_t GameTable::shape_id() {
    if (shape_ != last_shape_) {
        last_shape_id_ = shapes_.id(shape_);
        last_shape_ = shape_;
    }
    return last_shape_id_;
}

}  // namespace fendex::store
