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

constexpr char kHasLists[] =
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'player_game'";
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
    " WHERE first_id = ?1 AND first_word >= ?2 AND first_word < ?3 ORDER BY first_word";
constexpr char kInsertGames[] =
    "INSERT INTO main.player_game(first_game, first_player, part, data) VALUES (?1, ?2, ?3, ?4)";
constexpr char kInsertWords[] =
    "INSERT INTO main.player_word(first_id, first_word, data) VALUES (?1, ?2, ?3)";
constexpr char kRemoveWords[] = "DELETE FROM main.player_word WHERE first_id = ?1";
constexpr char kLastPlayer[] = "SELECT max(id) FROM main.player";
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

/// Returns the greatest of the numbers that is not greater than this one.
std::int64_t last_begin(const ListRanges& ranges, std::int64_t number) {
    return *std::prev(std::ranges::upper_bound(ranges, number));
}

/// Returns the least text that is greater than all texts with this beginning.
std::string after_beginning(std::string_view beginning) {
    std::string out(beginning);
    if (out.empty()) return "\xFF";
    out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) + 1);
    return out;
}

}  // namespace

bool has_player_lists(const Connection& connection) {
    return connection.integer(kHasLists).has_value();
}

std::optional<std::vector<codec::PlayerGame>> listed_games(const Connection& connection,
                                                           const GameRange& range) {
    std::vector<codec::PlayerGame> out;
    out.reserve(2 * (range.last - range.first + 1));
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

void PlayerListReader::load(GameId last_game) {
    games_.clear();
    names_.clear();
    is_damaged_ = false;
    if (!has_player_lists(*connection_)) {
        // Statements of tables that are gone would fail.
        games_before_.reset();
        games_from_.reset();
        words_before_.reset();
        words_from_.reset();
        return;
    }
    if (StoredSums(*connection_).state() != StoredSums::State::kCurrent) return;
    auto ranges = read_both(*connection_, last_game);
    is_damaged_ = !ranges;
    if (is_damaged_) return;
    games_ = std::move(ranges->games);
    names_ = std::move(ranges->names);
}

/// Appends the games of the statement's row. Returns the first player of the next row; 0 if there
/// is none.
std::uint32_t PlayerListReader::read_games(Statement& row, std::int64_t first,
                                           std::vector<codec::PlayerGame>& out) const {
    const std::int64_t player = row.integer(0);
    const auto bytes = base::unseal(row.blob(2), seed_of_games(first, player, row.integer(1)));
    const auto next =
        bytes ? codec::decode_player_games(*bytes, static_cast<std::uint32_t>(player), out)
              : std::nullopt;
    const auto is_of_lists = [&](const codec::PlayerGame& each) {
        return first + std::int64_t{each.game()} < games_.back();
    };
    if (!next || !std::ranges::all_of(out, is_of_lists)) damaged(kGameLists.sealed.name, first);
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
                for (const codec::PlayerGame& each :
                     std::ranges::equal_range(row, player, {}, &codec::PlayerGame::player)) {
                    visit(player, static_cast<GameId>(first) + each.game(), each.color());
                }
            };
            visit_row();
            const ResetAtEnd end(*games_from_, first, std::int64_t{player});
            while (next == player) {
                require(games_from_->step());
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
    while (rows.step()) {
        if (rows.integer(0) != next) damaged(kGameLists.sealed.name, first);
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
        if (next.empty()) return;
    }
    const std::string after = after_beginning(beginning);
    const ResetAtEnd end(*words_from_, first, Blob{beginning}, Blob{after});
    while (words_from_->step()) {
        stop();
        require(words_from_->blob(0) == next);
        next = read_words(*words_from_, first, beginning, visit);
    }
    require(next.empty() || next >= after);
}

void PlayerListReader::damaged(const char* table, std::int64_t first) const {
    throw_mismatch(*connection_, table, first);
}

void PlayerListWriter::load(GameId last_game) {
    games_.clear();
    names_.clear();
    exists_ = has_player_lists(*connection_);
    if (!exists_) return;
    auto ranges = read_both(*connection_, last_game);
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
    const std::int64_t last_name = connection_->integer(kLastPlayer).value_or(0);
    for (unsigned i = 0;; ++i) {
        const std::int64_t first = names_.empty() ? 1 : names_.back();
        if (first + sizes_.names - 1 > last_name) return has_more;
        if (i == most) return true;
        add_names(first, first + sizes_.names);
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

/// Adds a range in place of the end.
void PlayerListWriter::add_names(std::int64_t first, std::int64_t end) {
    make_tables();
    end_ranges(*connection_, kWordLists, end, names_);
    put_names(first, end);
}

void PlayerListWriter::put_names(std::int64_t first, std::int64_t end) {
    codec::NameWordEncoder words;
    Statement names(*connection_, kPlayersOfRange);
    names.bind_all(first, end);
    while (names.step()) {
        words.add(static_cast<std::uint32_t>(names.integer(0) - first), base::fold(names.text(1)));
    }
    Statement insert(*connection_, kInsertWords);
    for (codec::NameWordRow& row : words.rows()) {
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
    const std::int64_t next = connection_->integer(kLastPlayer).value_or(0) + 1;
    if (names_.back() > next) {
        end_ranges(*connection_, kWordLists, last_begin(names_, next), names_);
    }
    std::set<std::int64_t> ranges;
    for (const std::int64_t id : ids) {
        if (id < names_.back()) ranges.insert(last_begin(names_, id));
    }
    for (const std::int64_t first : ranges) {
        Statement(*connection_, kRemoveWords).run(first);
        put_names(first, *std::ranges::upper_bound(names_, first));
    }
}

}  // namespace fendex::store
