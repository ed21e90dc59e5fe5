#include "store/sqlite/tables/player_lists.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "base/text_fold.hpp"
#include "codec/bits.hpp"
#include "codec/game_codes.hpp"
#include "codec/name_words.hpp"
#include "schema_sql.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/sums/seals.hpp"
#include "store/sqlite/tables/chunk_table.hpp"

namespace fendex::store {

namespace {

constexpr char kCountTables[] =
    "SELECT count(*) FROM main.sqlite_schema"
    " WHERE type = 'table' AND name IN ('player_game', 'player_word')";
constexpr std::uint64_t kBothTables = 2;
constexpr char kDropLists[] =
    "DROP TABLE IF EXISTS main.player_game; DROP TABLE IF EXISTS main.player_word";

// The games of a player are in the last row before those that begin with him, and in these.
constexpr char kGamesBefore[] =
    "SELECT first_player, part, data FROM main.player_game"
    " WHERE first_game = ?1 AND first_player < ?2"
    " ORDER BY first_player DESC, part DESC LIMIT 1";
constexpr char kGamesFrom[] =
    "SELECT first_player, part, data FROM main.player_game"
    " WHERE first_game = ?1 AND first_player = ?2 ORDER BY part";
constexpr char kGamesOfRange[] =
    "SELECT first_player, part, data FROM main.player_game"
    " WHERE first_game = ?1 ORDER BY first_player, part";
constexpr char kWordsBefore[] =
    "SELECT first_word, data FROM main.player_word WHERE first_id = ?1 AND first_word < ?2"
    " ORDER BY first_word DESC LIMIT 1";
constexpr char kWordsFrom[] =
    "SELECT first_word, data FROM main.player_word"
    " WHERE first_id = ?1 AND first_word >= ?2 ORDER BY first_word";
constexpr char kWordsOfRange[] =
    "SELECT first_word, data FROM main.player_word WHERE first_id = ?1 ORDER BY first_word";
constexpr char kInsertGames[] =
    "INSERT INTO main.player_game(first_game, first_player, part, data) VALUES (?1, ?2, ?3, ?4)";
constexpr char kInsertWords[] =
    "INSERT INTO main.player_word(first_id, first_word, data) VALUES (?1, ?2, ?3)";
constexpr char kRemoveWords[] = "DELETE FROM main.player_word WHERE first_id = ?1";
constexpr char kLastPlayer[] = "SELECT max(id) FROM main.player WHERE id BETWEEN 1 AND ";
constexpr char kPlayersOfRange[] =
    "SELECT id, name FROM main.player WHERE id >= ?1 AND id < ?2 ORDER BY id";

std::uint64_t seed_of_games(std::int64_t first, std::int64_t player, std::int64_t part) {
    const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
    return base::checksum_seed(
        {number(Sealed::kPlayerGames), number(first), number(player), number(part)});
}

/// One of the tables.
struct ListTable {
    SealedTable sealed;
    const char* first;       // its first column
    const char* key_of_end;  // the other columns of the key, in the row after the last range
};
constexpr ListTable kGameLists{{"player_game", Sealed::kPlayerGames}, "first_game", "0, 0"};
constexpr ListTable kWordLists{{"player_word", Sealed::kPlayerWords}, "first_id", "x''"};

std::string sql_of(const ListTable& table, std::string_view before, std::string_view condition) {
    std::string out(before);
    out.append(" FROM main.").append(table.sealed.name).append(" WHERE ").append(table.first);
    return out.append(condition);
}

/// Returns the data of the row after the last range: the number of ranges, so that a reader notices
/// if one is lost.
std::string data_of_end(const ListTable& table, const ListRanges& ranges) {
    std::string out;
    codec::put_varint(ranges.size() - 1, out);
    base::seal(out, row_seed(table.sealed.what, ranges.back()));
    return out;
}

/// Returns the ranges of a table; none if one of them or the row after them is lost, or if the last
/// number is greater than `most`.
ListRanges read_ranges(const Connection& connection, const ListTable& table, std::int64_t most) {
    ListRanges out;
    const std::string least = std::string("SELECT min(") + table.first + ")";
    Statement next(connection, sql_of(table, least, " > ?1"));
    for (std::int64_t after = 0;; after = out.back()) {
        const ResetAtEnd end(next, after);
        if (!next.step() || next.is_null(0)) break;
        if (!next.is_integer(0) || next.integer(0) <= after) return {};
        out.push_back(next.integer(0));
    }
    if (out.empty()) return out;
    Statement end(connection, sql_of(table, "SELECT data", " = ?1"));
    end.bind_all(out.back());
    const bool is_whole = out.front() == 1 && end.step() && end.blob(0) == data_of_end(table, out);
    if (!is_whole || out.back() - 1 > most) out.clear();
    return out;
}

struct BothRanges {
    ListRanges games;
    ListRanges names;
};
/// Returns nothing if the ranges of one of both tables cannot be used.
std::optional<BothRanges> read_both(const Connection& connection, GameId last_game) {
    BothRanges out{read_ranges(connection, kGameLists, as_signed(last_game)),
                   read_ranges(connection, kWordLists, most_rows(connection))};
    if (out.games.empty() || out.names.empty()) return std::nullopt;
    return out;
}

/// Ends the ranges with this number. If it is one of theirs, removes what comes after it; if it is
/// later, the end becomes a range, whose rows the caller must add.
void end_ranges(Connection& connection, const ListTable& table, std::int64_t end,
                ListRanges& ranges) {
    const std::int64_t old_end = ranges.empty() ? end : ranges.back();
    Statement(connection, sql_of(table, "DELETE", " = ?1 OR ") + table.first + " >= ?2")
        .run(old_end, end);
    while (!ranges.empty() && ranges.back() >= end) ranges.pop_back();
    ranges.push_back(end);
    const std::string data = data_of_end(table, ranges);
    Statement(connection, std::string("INSERT INTO main.") + table.sealed.name + " VALUES (?1, " +
                              table.key_of_end + ", ?2)")
        .run(end, Blob{data});
}

/// Returns the highest id of a player; 0 if there is none. Ids that no table can have are damage.
std::int64_t last_player(const Connection& connection) {
    const std::string most = std::to_string(most_rows(connection));
    return connection.integer(kLastPlayer + most).value_or(0);
}

/// Returns the greatest of the numbers that is not greater than this one.
std::int64_t last_begin(const ListRanges& ranges, std::int64_t number) {
    return *std::prev(std::ranges::upper_bound(ranges, number));
}

}  // namespace

std::optional<std::vector<codec::PlayerGame>> listed_games(const Connection& connection,
                                                           const GameRange& range) {
    std::vector<codec::PlayerGame> out;
    out.reserve(2 * std::min(range.last - range.first + 1, ListSizes().games));
    bool all_have_codes = true;
    std::uint32_t game = 0;
    std::array<std::uint32_t, codec::kGamesPerChunk> codes;
    PlayerCodeReader chunks(connection, 0);
    chunks.for_each_chunk(
        range.first, range.last - range.first + 1,
        [&](const codec::CodeChunk<codec::kPlayerColumns>& chunk, std::size_t offset,
            std::size_t count) {
            for (const auto column : {codec::kWhitePlayer, codec::kBlackPlayer}) {
                const std::span<std::uint32_t> some = std::span(codes).first(count);
                chunk.column(column, offset, some);
                const chess::Color color =
                    column == codec::kWhitePlayer ? chess::Color::kWhite : chess::Color::kBlack;
                for (std::size_t i = 0; i < count; ++i) {
                    all_have_codes = all_have_codes && some[i] != codec::kCodeInRow;
                    if (some[i] == codec::kNoCode) continue;
                    out.emplace_back(some[i], game + static_cast<std::uint32_t>(i), color);
                }
            }
            game += static_cast<std::uint32_t>(count);
        });
    if (!all_have_codes) return std::nullopt;
    std::ranges::sort(out);
    return out;
}

std::optional<std::vector<codec::NameWordRow>> listed_words(const Connection& connection,
                                                            std::int64_t first, std::int64_t end) {
    codec::NameWordEncoder words;
    Statement names(connection, kPlayersOfRange);
    names.bind_all(first, end);
    while (names.step()) {
        const auto number = static_cast<std::uint32_t>(names.integer(0) - first);
        if (!words.add(number, base::fold(names.text(1)))) return std::nullopt;
    }
    return words.rows();
}

void PlayerListReader::load(GameId last_game) {
    games_.clear();
    names_.clear();
    is_damaged_ = false;
    try {
        const std::uint64_t tables = connection_->number(kCountTables);
        if (tables == 0) return;
        if (StoredSums(*connection_).state() != StoredSums::State::kCurrent) return;
        auto ranges = tables == kBothTables ? read_both(*connection_, last_game) : std::nullopt;
        is_damaged_ = !ranges;
        if (is_damaged_) return;
        games_ = std::move(ranges->games);
        names_ = std::move(ranges->names);
    } catch (const DamageError&) {
        // The questions have their answers without lists.
        is_damaged_ = true;
    }
}

/// Appends the games of the statement's row. Returns the first player of the next row; 0 if there
/// is none.
std::uint32_t PlayerListReader::read_games(Statement& row, std::int64_t first,
                                           std::vector<codec::PlayerGame>& out) const {
    const std::int64_t player = row.integer(0);
    const std::size_t before = out.size();
    const auto bytes = base::unseal(row.blob(2), seed_of_games(first, player, row.integer(1)));
    const auto next =
        bytes ? codec::decode_player_games(*bytes, static_cast<std::uint32_t>(player), out)
              : std::nullopt;
    const auto is_of_lists = [&](const codec::PlayerGame& each) {
        return first + std::int64_t{each.game()} < games_.back();
    };
    if (!next || !std::ranges::all_of(std::span(out).subspan(before), is_of_lists)) {
        damaged(kGameLists.sealed.name, first);
    }
    return *next;
}

void PlayerListReader::for_each_game(
    std::span<const std::uint32_t> players, base::StopCheck& stop,
    const std::function<void(std::uint32_t, GameId, chess::Color)>& visit) {
    if (games_.empty()) return;
    if (!games_before_) games_before_.emplace(*connection_, kGamesBefore);
    if (!games_from_) games_from_.emplace(*connection_, kGamesFrom);
    for (const std::int64_t first : std::span(games_).first(games_.size() - 1)) {
        std::vector<codec::PlayerGame> row;
        std::int64_t row_begin = INT64_MAX;  // its first player
        std::uint32_t next = 0;              // that of the row after it; 0: there is none
        const auto require = [&](bool is_right) {
            if (!is_right) damaged(kGameLists.sealed.name, first);
        };
        for (const std::uint32_t player : players) {
            stop();
            const auto may_have = [&] {
                return row_begin < player && (next == 0 || player <= next);
            };
            if (!may_have()) {  // players next to one another share a row
                const ResetAtEnd end(*games_before_, first, std::int64_t{player});
                require(games_before_->step());
                row.clear();
                row_begin = games_before_->integer(0);
                next = read_games(*games_before_, first, row);
                require(may_have());
            }
            const auto visit_row = [&] {
                constexpr auto kPlayer = &codec::PlayerGame::player;
                auto each = std::ranges::lower_bound(row, player, {}, kPlayer);
                for (; each != row.end() && each->player() == player; ++each) {
                    visit(player, static_cast<GameId>(first) + each->game(), each->color());
                }
            };
            visit_row();
            const ResetAtEnd end(*games_from_, first, std::int64_t{player});
            for (std::int64_t part = 0; next == player; ++part) {
                require(games_from_->step() && games_from_->integer(1) == part);
                row.clear();
                row_begin = player;
                next = read_games(*games_from_, first, row);
                visit_row();
            }
        }
    }
}

std::vector<codec::PlayerGame> PlayerListReader::games_from(std::int64_t first) {
    std::vector<codec::PlayerGame> out;
    Statement rows(*connection_, kGamesOfRange);
    rows.bind_all(first);
    std::int64_t next = 0;
    std::int64_t last = -1;
    std::int64_t part = 0;
    while (rows.step()) {
        part = rows.integer(0) == last ? part + 1 : 0;
        last = rows.integer(0);
        if (last != next || rows.integer(1) != part) damaged(kGameLists.sealed.name, first);
        next = read_games(rows, first, out);
    }
    if (next != 0) damaged(kGameLists.sealed.name, first);
    return out;
}

/// Returns the first word of the next row; empty if there is none.
std::string PlayerListReader::read_words(
    Statement& row, std::int64_t first, std::string_view beginning,
    const std::function<void(std::int64_t, std::string_view)>& visit) const {
    const auto bytes = base::unseal(row.blob(1), row_seed(Sealed::kPlayerWords, first));
    const auto visit_name = [&](std::uint32_t number, std::string_view folded) {
        // Callers may allocate memory for ids.
        const std::int64_t id = first + number;
        if (id < names_.back()) visit(id, folded);
    };
    const auto next =
        bytes ? codec::decode_name_words(*bytes, beginning, visit_name) : std::nullopt;
    if (!next) damaged(kWordLists.sealed.name, first);
    return std::string(*next);
}

void PlayerListReader::for_each_name(
    std::string_view beginning, base::StopCheck& stop,
    const std::function<void(std::int64_t, std::string_view)>& visit) {
    for (std::size_t i = 0; i + 1 < names_.size(); ++i) {
        for_each_name_of(names_[i], beginning, stop, visit);
    }
}

void PlayerListReader::for_each_name_of(
    std::int64_t first, std::string_view beginning, base::StopCheck& stop,
    const std::function<void(std::int64_t, std::string_view)>& visit) {
    if (!words_before_) words_before_.emplace(*connection_, kWordsBefore);
    if (!words_from_) words_from_.emplace(*connection_, kWordsFrom);
    const auto require = [&](bool is_right) {
        if (!is_right) damaged(kWordLists.sealed.name, first);
    };
    std::string next;
    if (!beginning.empty()) {
        const ResetAtEnd end(*words_before_, first, Blob{beginning});
        require(words_before_->step());
        next = read_words(*words_before_, first, beginning, visit);
        require(next.empty() || next >= beginning);
        if (next.empty() || !next.starts_with(beginning)) return;
    }
    const ResetAtEnd end(*words_from_, first, Blob{beginning});
    do {
        stop();
        require(words_from_->step() && words_from_->blob(0) == next);
        next = read_words(*words_from_, first, beginning, visit);
    } while (!next.empty() && next.starts_with(beginning));
}

std::vector<codec::NameWordRow> PlayerListReader::words_from(std::int64_t first) {
    std::vector<codec::NameWordRow> out;
    Statement rows(*connection_, kWordsOfRange);
    rows.bind_all(first);
    while (rows.step()) {
        const auto bytes = base::unseal(rows.blob(1), row_seed(Sealed::kPlayerWords, first));
        if (!bytes) damaged(kWordLists.sealed.name, first);
        out.push_back({std::string(rows.blob(0)), std::string(*bytes)});
    }
    return out;
}

void PlayerListReader::damaged(const char* table, std::int64_t first) const {
    throw_mismatch(*connection_, table, first);
}

void PlayerListWriter::load(GameId last_game) {
    games_.clear();
    names_.clear();
    has_long_names_ = false;
    const std::uint64_t tables = connection_->number(kCountTables);
    exists_ = tables == kBothTables;
    if (tables == 0) return;
    auto ranges = exists_ ? read_both(*connection_, last_game) : std::nullopt;
    if (!ranges) return drop();
    games_ = std::move(ranges->games);
    names_ = std::move(ranges->names);
}

void PlayerListWriter::drop() {
    connection_->run(kDropLists);
    exists_ = false;
    games_.clear();
    names_.clear();
}

void PlayerListWriter::make_tables() {
    if (std::exchange(exists_, true)) return;
    connection_->run(sql::kPlayersSql);
    end_ranges(*connection_, kGameLists, 1, games_);
    end_ranges(*connection_, kWordLists, 1, names_);
}

bool PlayerListWriter::extend(GameId last_game, unsigned most) {
    const auto size = static_cast<std::int64_t>(sizes_.games);
    bool has_more = false;
    for (unsigned i = 0;; ++i) {
        const std::int64_t first = games_.empty() ? 1 : games_.back();
        if (first + size - 1 > as_signed(last_game)) break;
        has_more = i == most;
        if (has_more || !add_games(first, first + size)) break;
    }
    const std::int64_t last_name = last_player(*connection_);
    for (unsigned i = 0;; ++i) {
        const std::int64_t first = names_.empty() ? 1 : names_.back();
        if (first + sizes_.names - 1 > last_name) return has_more;
        if (i == most) return true;
        if (!add_names(first, first + sizes_.names)) return has_more;
    }
}

/// Adds a range in place of the end. Returns false if there cannot be such a range.
bool PlayerListWriter::add_games(std::int64_t first, std::int64_t end) {
    const auto games =
        listed_games(*connection_, {static_cast<GameId>(first), static_cast<GameId>(end - 1)});
    if (!games) return false;
    make_tables();
    end_ranges(*connection_, kGameLists, end, games_);
    Statement insert(*connection_, kInsertGames);
    for (codec::PlayerGameRow& row : codec::encode_player_games(*games)) {
        base::seal(row.data, seed_of_games(first, row.first_player, row.part));
        insert.run(first, std::int64_t{row.first_player}, std::int64_t{row.part}, Blob{row.data});
    }
    return true;
}

/// Adds a range in place of the end. Returns false if there cannot be such a range.
bool PlayerListWriter::add_names(std::int64_t first, std::int64_t end) {
    if (has_long_names_) return false;
    auto words = listed_words(*connection_, first, end);
    has_long_names_ = !words;
    if (has_long_names_) return false;
    make_tables();
    end_ranges(*connection_, kWordLists, end, names_);
    put_words(first, *words);
    return true;
}

void PlayerListWriter::put_words(std::int64_t first, std::vector<codec::NameWordRow>& words) {
    Statement insert(*connection_, kInsertWords);
    for (codec::NameWordRow& row : words) {
        base::seal(row.data, row_seed(Sealed::kPlayerWords, first));
        insert.run(first, Blob{row.first_word}, Blob{row.data});
    }
}

void PlayerListWriter::cut_games(GameId last) {
    const std::int64_t next = as_signed(last) + 1;
    if (games_.empty() || games_.back() <= next) return;
    end_ranges(*connection_, kGameLists, last_begin(games_, next), games_);
}

void PlayerListWriter::remove_names(const std::unordered_set<std::int64_t>& ids) {
    if (names_.empty() || ids.empty()) return;
    const std::int64_t next = last_player(*connection_) + 1;
    if (names_.back() > next) {
        end_ranges(*connection_, kWordLists, last_begin(names_, next), names_);
    }
    std::set<std::int64_t> ranges;
    for (const std::int64_t id : ids) {
        if (id >= 1 && id < names_.back()) ranges.insert(last_begin(names_, id));
    }
    for (const std::int64_t first : ranges) {
        Statement(*connection_, kRemoveWords).run(first);
        // Fewer names than before are not too long.
        auto words = listed_words(*connection_, first, *std::ranges::upper_bound(names_, first));
        put_words(first, words.value());
    }
}

}  // namespace fendex::store
