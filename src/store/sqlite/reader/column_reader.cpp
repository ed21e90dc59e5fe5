#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <utility>

#include "codec/swing.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/reader/sqlite_reader.hpp"
#include "store/sqlite/tables/name_alias_table.hpp"

namespace fendex::store {

namespace {

std::string select_names(NameKind kind) {
    constexpr const char* kTables[kNameKinds] = {"player",    "event",   "site",
                                                 "tag_value", "opening", "tag_shape"};
    return std::string("SELECT id, name FROM main.") + kTables[static_cast<std::size_t>(kind)];
}

bool is_of_player(GameColumn which) {
    return which == GameColumn::kWhite || which == GameColumn::kBlack;
}
bool is_name(GameColumn which) { return which >= GameColumn::kWhite; }

/// Returns the number of a column in its table. The columns of a table follow one another in
/// GameColumn.
std::size_t column_from(GameColumn first, GameColumn which) {
    return static_cast<std::size_t>(which) - static_cast<std::size_t>(first);
}

}  // namespace

/// While a statement of others runs, its thread has the mutex of their connection; and columns that
/// are read from the games' rows have statements of their own.
unsigned SqliteReader::threads() const {
    constexpr unsigned kMost = 8;  // more would wait for one another's reads
    if (kind_ != Snapshot::kOwn || row_codes_) return 1;
    return std::clamp(std::thread::hardware_concurrency(), 1U, kMost);
}

/// To fill the page cache would take longer than reading the pages: the system has to clear all its
/// memory first.
std::shared_ptr<const void> SqliteReader::begin_scan() {
    constexpr GameId kManyGames = 200'000;
    constexpr std::int64_t kFewKib = 4096;
    if (kind_ != Snapshot::kOwn || last_game_ < kManyGames) return nullptr;
    const std::int64_t before = connection_.integer("PRAGMA cache_size").value_or(0);
    if (before >= -kFewKib) return nullptr;
    connection_.limit_pages(-kFewKib);
    return {this, [this, before](const void*) { connection_.limit_pages(before); }};
}

ChunkOfFacts SqliteReader::facts_of_chunk(GameId game) {
    const GameId before = (game - 1) / codec::kGamesPerChunk * codec::kGamesPerChunk;
    const std::size_t games = std::min<GameId>(codec::kGamesPerChunk, last_game_ - before);
    auto [bytes, chunk] = facts_.chunk_at(before + 1, games);
    return {std::move(bytes.owner), chunk};
}

void SqliteReader::column(GameColumn which, GameId first, std::span<std::uint32_t> out) {
    const auto read = [&](auto& chunks, auto column) {
        chunks.for_each_chunk(first, out.size(),
                              [&](const auto& chunk, std::size_t offset, std::size_t count) {
                                  chunk.column(column, offset, out.first(count));
                                  out = out.subspan(count);
                              });
    };
    if (which == GameColumn::kEloSum) return elo_sums(first, out);
    if (which == GameColumn::kWhiteSwing) return swings(chess::Color::kWhite, first, out);
    if (which == GameColumn::kBlackSwing) return swings(chess::Color::kBlack, first, out);
    const bool is_in_rows =
        is_name(which) || which == GameColumn::kMode || which == GameColumn::kTimeClass;
    if (which == GameColumn::kOpening) {
        require_openings();
        read(*openings_, std::size_t{codec::kOpeningName});
    } else if (row_codes_ && is_in_rows) {
        column_of_rows(which, first, out);
    } else if (is_of_player(which)) {
        read(*players_, column_from(GameColumn::kWhite, which));
    } else if (is_name(which)) {
        read(*names_, column_from(GameColumn::kEvent, which));
    } else {
        read(facts_, fact_of(which).value());
    }
}

void SqliteReader::swings(chess::Color player, GameId first, std::span<std::uint32_t> out) {
    if (!swings_) {
        std::ranges::fill(out, 0U);
        return;
    }
    std::span<std::uint32_t> rest = out;
    swings_->for_each_chunk(first, out.size(),
                            [&](const auto& chunk, std::size_t offset, std::size_t count) {
                                chunk.column(codec::kBothSwings, offset, rest.first(count));
                                rest = rest.subspan(count);
                            });
    for (std::uint32_t& value : out) value = codec::swing_code_of(value, player);
}

void SqliteReader::elo_sums(GameId first, std::span<std::uint32_t> out) {
    std::array<std::uint32_t, codec::kGamesPerChunk> others;
    while (!out.empty()) {
        const std::span<std::uint32_t> sums = out.first(std::min(out.size(), others.size()));
        column(GameColumn::kWhiteElo, first, sums);
        column(GameColumn::kBlackElo, first, std::span(others).first(sums.size()));
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] = elo_sum(sums[i], others[i]);
        }
        first += sums.size();
        out = out.subspan(sums.size());
    }
}

/// Reads a column from the rows of games. Before version 6 only the rows have names and modes, and
/// distinguish bullet from ultraBullet.
void SqliteReader::column_of_rows(GameColumn which, GameId first, std::span<std::uint32_t> out) {
    codec::GameFacts facts;
    for (std::uint32_t& value : out) {
        const GameId game = first++;
        if (is_of_player(which)) {
            value = row_codes_->codes(game).players[column_from(GameColumn::kWhite, which)];
        } else if (is_name(which)) {
            value = row_codes_->codes(game).names[column_from(GameColumn::kEvent, which)];
        } else if (!row_facts_->facts(game, facts)) {
            value = 0;
        } else {
            value = which == GameColumn::kMode ? static_cast<std::uint32_t>(facts.mode)
                                               : static_cast<std::uint32_t>(facts.time_class);
        }
    }
}

std::optional<std::string> SqliteReader::name(NameKind kind, std::int64_t id) {
    if (kind == NameKind::kOpening) require_openings();
    std::optional<Statement>& one = name_of_id_[static_cast<std::size_t>(kind)];
    if (!one) one.emplace(connection_, select_names(kind) + " WHERE id = ?1");
    const ResetAtEnd end(*one, id);
    return one->step() ? std::optional(std::string(one->text(1))) : std::nullopt;
}

std::optional<std::int64_t> SqliteReader::name_id(NameKind kind, std::string_view name) {
    if (kind == NameKind::kOpening) require_openings();
    Statement one(connection_, select_names(kind) + " WHERE name = ?1");
    one.bind(1, name);
    return one.step() ? std::optional(one.integer(0)) : std::nullopt;
}

void SqliteReader::for_each_name_from(
    NameKind kind, std::int64_t first,
    const std::function<void(std::int64_t, std::string_view)>& visit) {
    if (kind == NameKind::kOpening) require_openings();
    // Without a condition ids below 1, which are damage, are found.
    Statement names(connection_, select_names(kind) + (first > 1 ? " WHERE id >= ?1" : ""));
    if (first > 1) names.bind(1, first);
    const std::int64_t most = most_rows(connection_);
    while (names.step()) {
        // Ids are checked because callers may allocate memory for them.
        const std::int64_t id = names.integer(0);
        if (id <= 0 || id > most) {
            connection_.throw_damaged("the name of number " + std::to_string(id));
        }
        visit(id, names.text(1));
    }
}

void SqliteReader::for_each_name_join(const std::function<void(const NameJoin&)>& visit) {
    if (!has_joined_names_) return;
    const std::int64_t most = most_rows(connection_);
    store::for_each_name_join(connection_, [&](const NameJoin& join) {
        // Ids are checked because callers may allocate memory for them.
        if (join.name > most || join.canonical <= 0 || join.canonical > most) {
            connection_.throw_damaged("the joined name of number " + std::to_string(join.name));
        }
        visit(join);
    });
}

void SqliteReader::require_openings() const {
    if (openings_) return;
    throw StoreError(StoreError::kOlderFormat,
                     connection_.path() + ": its format (version " +
                         std::to_string(connection_.format()) +
                         ") has no openings of games: convert it with 'fendex upgrade " +
                         connection_.path() + "'");
}

}  // namespace fendex::store
