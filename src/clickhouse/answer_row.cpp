#include "clickhouse/answer_row.hpp"

#include <algorithm>
#include <functional>

#include "codec/posting.hpp"

namespace fendex::clickhouse {

namespace {

constexpr std::uint16_t kMostElo = 9999;  // replay::elo_of()
/// The largest count that is exact as a number of JSON.
constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 53;

}  // namespace

store::DamageError damaged(const Connection& connection, const std::string& what) {
    const std::string url = to_text(connection.url());
    return store::DamageError(
        url + ": damaged: " + what + "; `fendex push DB " + url +
        " --check` compares it with its database, --replace sends all games again");
}

std::string AnswerRow::name_of(std::string_view column) const {
    std::string name = std::string(table_) + '.' + std::string(column);
    if (game_ != 0) name += " of game " + std::to_string(game_);
    return name;
}

void AnswerRow::refuse(std::string_view column, std::uint64_t value) const {
    refuse(column, std::to_string(value));
}

void AnswerRow::refuse(std::string_view column, const std::string& value) const {
    throw damaged(connection_, name_of(column) + " is " + value + ", which no push writes");
}

void AnswerRow::refuse(std::string_view column) const {
    throw damaged(connection_, name_of(column) + " is not what a push writes");
}

void AnswerRow::refuse_row(std::string_view column, std::uint64_t value) const {
    throw damaged(connection_, "a row with " + std::string(table_) + '.' + std::string(column) +
                                   " = " + std::to_string(value) + " does not belong there");
}

codec::Result AnswerRow::result() {
    return static_cast<codec::Result>(
        u8("result", static_cast<std::uint8_t>(codec::Result::kDraw)));
}

chess::Variant AnswerRow::variant() {
    return static_cast<chess::Variant>(u8("variant", chess::kVariants - 1));
}

codec::TimeClass AnswerRow::time_class() {
    return static_cast<codec::TimeClass>(
        u8("time_class", static_cast<std::uint8_t>(codec::TimeClass::kUltraBullet)));
}

codec::Mode AnswerRow::mode() {
    return static_cast<codec::Mode>(u8("mode", static_cast<std::uint8_t>(codec::Mode::kCasual)));
}

std::uint16_t AnswerRow::elo(std::string_view column) {
    const std::uint16_t value = in_.u16();
    if (value > kMostElo) refuse(column, value);
    return value;
}

std::uint32_t AnswerRow::date(std::string_view column) {
    const std::uint32_t value = in_.u32();
    if (!is_date(value)) refuse(column, value);
    return value;
}

GameId AnswerRow::facts(codec::GameFacts& out) {
    const GameId id = game("id");
    out.result = result();
    out.variant = variant();
    out.time_class = time_class();
    out.mode = mode();
    out.white_elo = elo("white_elo");
    out.black_elo = elo("black_elo");
    out.date = date();
    out.plies = ply("plies");
    return id;
}

void AnswerRow::require_game(std::string_view column, GameId id) const {
    if (id > cluster_id(kMaxOrigin, kMaxGame) || number_of_game(id) == 0) refuse(column, id);
}

GameId AnswerRow::game(std::string_view column) {
    const GameId id = in_.u64();
    require_game(column, id);
    if (game_ == 0) game_ = id;
    return id;
}

std::uint64_t AnswerRow::number(std::string_view column) {
    const std::uint64_t value = in_.u64();
    if (value > kMaxGame) refuse(column, value);
    return value;
}

Origin AnswerRow::origin() {
    const Origin value = in_.u16();
    if (value > kMaxOrigin) refuse("origin", value);
    return value;
}

PushNumber AnswerRow::push() {
    const PushNumber value = in_.u32();
    if ((value & kMaxPushes) == 0) refuse("push", value);
    return value;
}

std::uint32_t AnswerRow::ply(std::string_view column) {
    return u32(column, codec::Posting::kMaxPly);
}

std::vector<std::uint32_t> AnswerRow::plies() {
    std::vector<std::uint32_t> out = in_.u32s();
    const bool ascend = std::ranges::adjacent_find(out, std::greater_equal<>()) == out.end();
    if (out.size() < 2 || !ascend || out.back() > codec::Posting::kMaxPly) refuse("plies");
    return out;
}

chess::Move AnswerRow::next() {
    const std::uint16_t bits = in_.u16();
    const chess::Move move = chess::Move::from_bits(bits);
    if (move != codec::kGameEndsHere && move.kind() > chess::MoveKind::kPromoteKing) {
        refuse("next", bits);
    }
    return move;
}

bool AnswerRow::flag(std::string_view column) { return u8(column, 1) != 0; }

std::uint8_t AnswerRow::u8(std::string_view column, std::uint8_t most) {
    const std::uint8_t value = in_.u8();
    if (value > most) refuse(column, value);
    return value;
}

std::uint32_t AnswerRow::u32(std::string_view column, std::uint32_t most) {
    const std::uint32_t value = in_.u32();
    if (value > most) refuse(column, value);
    return value;
}

std::uint64_t AnswerRow::count(std::string_view column) {
    const std::uint64_t value = in_.u64();
    if (value > kMostCounted) refuse(column, value);
    return value;
}

std::int64_t AnswerRow::change(std::string_view column) {
    constexpr auto kMost = static_cast<std::int64_t>(kMostCounted);
    const std::int64_t value = in_.i64();
    if (value > kMost || value < -kMost) refuse(column, std::to_string(value));
    return value;
}

std::int64_t AnswerRow::time(std::string_view column) {
    constexpr std::int64_t kEnd = 253'402'300'800;
    const std::int64_t value = in_.i64();
    if (value < 0 || value >= kEnd) refuse(column, std::to_string(value));
    return value;
}

std::vector<GameId> AnswerRow::games(std::string_view column) {
    std::vector<GameId> out = in_.u64s();
    for (const GameId id : out) require_game(column, id);
    return out;
}

void read_rows(Connection& connection, std::string_view table, const std::string& sql,
               const std::vector<ExternalTable>& tables,
               const std::function<void(AnswerRow&)>& visit, const Settings& settings) {
    connection.query(
        sql, tables,
        [&](RowReader& in) {
            AnswerRow row(connection, table, in);
            visit(row);
        },
        settings);
}

std::uint64_t read_count(Connection& connection, std::string_view table, const std::string& sql,
                         const std::vector<ExternalTable>& tables) {
    std::uint64_t count = 0;
    read_rows(connection, table, sql, tables,
              [&](AnswerRow& row) { count = row.count("count()"); });
    return count;
}

}  // namespace fendex::clickhouse
