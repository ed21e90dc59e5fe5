#include "store/sqlite/reader/column_reader.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

const char* select_names(NameKind kind) {
    switch (kind) {
        case NameKind::kPlayer: return "SELECT id, name FROM main.player";
        case NameKind::kEvent: return "SELECT id, name FROM main.event";
        case NameKind::kTagValue: return "SELECT id, name FROM main.tag_value";
        case NameKind::kOpening: return "SELECT id, name FROM main.opening";
        case NameKind::kSite: break;
    }
    return "SELECT id, name FROM main.site";
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

/// Reads a column of games that may be in several chunks.
template <typename Chunks, typename Decode>
void read_column(Chunks& chunks, GameId first, std::span<std::uint32_t> out, Decode decode) {
    chunks.for_each_chunk(first, out.size(),
                          [&](const auto& chunk, std::size_t offset, std::size_t count) {
                              decode(chunk, offset, out.first(count));
                              out = out.subspan(count);
                          });
}

}  // namespace

ColumnReader::ColumnReader(Connection& connection, FactReader& facts)
    : connection_(&connection), facts_(&facts) {
    if (connection.format() >= kCodesFormat) {
        players_.emplace(connection);
        names_.emplace(connection);
    } else {
        row_codes_.emplace(connection);
        row_facts_.emplace(connection, GameReader::Verify::kYes);
    }
    if (connection.format() >= kOpeningsFormat) openings_.emplace(connection);
}

void ColumnReader::column(GameColumn which, GameId first, std::span<std::uint32_t> out) {
    const auto decode = [](auto column) {
        return [column](const auto& chunk, std::size_t offset, std::span<std::uint32_t> values) {
            chunk.column(column, offset, values);
        };
    };
    if (which == GameColumn::kEloSum) return elo_sums(first, out);
    const bool is_in_rows =
        is_name(which) || which == GameColumn::kMode || which == GameColumn::kTimeClass;
    if (which == GameColumn::kOpening) {
        require_openings();
        read_column(*openings_, first, out, decode(std::size_t{codec::kOpeningName}));
    } else if (row_codes_ && is_in_rows) {
        column_of_rows(which, first, out);
    } else if (is_of_player(which)) {
        read_column(*players_, first, out, decode(column_from(GameColumn::kWhite, which)));
    } else if (is_name(which)) {
        read_column(*names_, first, out, decode(column_from(GameColumn::kEvent, which)));
    } else {
        const std::size_t column = column_from(GameColumn::kResult, which);
        read_column(*facts_, first, out, decode(static_cast<codec::FactColumn>(column)));
    }
}

void ColumnReader::elo_sums(GameId first, std::span<std::uint32_t> out) {
    std::array<std::uint32_t, codec::kGamesPerChunk> others;
    while (!out.empty()) {
        const std::span<std::uint32_t> sums = out.first(std::min(out.size(), others.size()));
        column(GameColumn::kWhiteElo, first, sums);
        column(GameColumn::kBlackElo, first, std::span(others).first(sums.size()));
        for (std::size_t i = 0; i < sums.size(); ++i) {
            sums[i] = sums[i] == 0 || others[i] == 0 ? 0 : sums[i] + others[i];
        }
        first += sums.size();
        out = out.subspan(sums.size());
    }
}

/// Reads a column from the rows of games. Before version 6 only the rows have names and modes, and
/// distinguish bullet from ultraBullet.
void ColumnReader::column_of_rows(GameColumn which, GameId first, std::span<std::uint32_t> out) {
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

void ColumnReader::use(const SnapshotCaches& caches) {
    if (players_) players_->use(caches.player_codes);
    if (names_) names_->use(caches.name_codes);
    if (openings_) openings_->use(caches.opening_codes);
}

std::optional<std::string> ColumnReader::name(NameKind kind, std::int64_t id) {
    if (kind == NameKind::kOpening) require_openings();
    Statement one(*connection_, select_names(kind) + std::string(" WHERE id = ?1"));
    one.bind(1, id);
    return one.step() ? std::optional(std::string(one.text(1))) : std::nullopt;
}

void ColumnReader::for_each_name(NameKind kind,
                                 const std::function<void(std::int64_t, std::string_view)>& visit) {
    if (kind == NameKind::kOpening) require_openings();
    Statement names(*connection_, select_names(kind));
    const std::int64_t most = most_rows(*connection_);
    while (names.step()) {
        require_id(names.integer(0), most, "the name of");
        visit(names.integer(0), names.text(1));
    }
}

void ColumnReader::require_openings() const {
    if (openings_) return;
    throw StoreError(StoreError::kOlderFormat,
                     connection_->path() + ": its format (version " +
                         std::to_string(connection_->format()) +
                         ") has no openings of games: convert it with 'fendex upgrade " +
                         connection_->path() + "'");
}

/// Throws if an id is not plausible. Ids are checked because callers may allocate memory for them.
void ColumnReader::require_id(std::int64_t id, std::int64_t most, std::string_view what) const {
    if (id > 0 && id <= most) return;
    connection_->throw_damaged(std::string(what) + " number " + std::to_string(id));
}

}  // namespace fendex::store
