#include "store/sqlite/column_reader.hpp"

#include <string>

#include "store/sqlite/database.hpp"

namespace fendex::store {

namespace {

using namespace game_columns;

constexpr int kTagsSumOfColumns = kTags + 1;

/// Selects all columns that the checksum covers, because it is verified here, too.
std::string select_columns(const Connection& connection, const char* rest) {
    return std::string("SELECT ") + kTagColumns + ", " + sum_column(connection, "tags_sum") +
           " FROM main.game " + rest;
}

const char* select_names(NameKind kind) {
    switch (kind) {
        case NameKind::kPlayer: return "SELECT id, name FROM main.player";
        case NameKind::kEvent: return "SELECT id, name FROM main.event";
        case NameKind::kSite: break;
    }
    return "SELECT id, name FROM main.site";
}

}  // namespace

ColumnReader::ColumnReader(Connection& connection)
    : connection_(&connection),
      select_(connection, select_columns(connection, "WHERE id = ?1")),
      scan_(connection, select_columns(connection, "ORDER BY id")) {}

GameColumns ColumnReader::columns_of(const Statement& row) {
    require_sum(*connection_, row, kTagsSumOfColumns, tags_sum(row, digest_));
    GameColumns out;
    out.id = static_cast<GameId>(row.integer(kId));
    out.white = row.integer(kWhite);
    out.black = row.integer(kBlack);
    out.event = row.integer(kEvent);
    if (row.is_integer(kSite)) {
        out.site = row.integer(kSite);
    } else {
        out.site_text = row.text(kSite);
    }
    out.eco = row.text(kEco);
    return out;
}

bool ColumnReader::columns(GameId game, GameColumns& out) {
    const ResetAtEnd end(select_);  // an open statement would hold a lock as long as the views live
    select_.bind(1, static_cast<std::int64_t>(game));
    if (!select_.step()) return false;
    out = columns_of(select_);
    out.site_text = site_text_ = out.site_text;
    out.eco = eco_ = out.eco;
    return true;
}

void ColumnReader::for_each_columns(const std::function<void(const GameColumns&)>& visit) {
    const ResetAtEnd end(scan_);
    const std::int64_t most = most_rows(*connection_);
    while (scan_.step()) {
        require_id(scan_.integer(0), most, "game");
        visit(columns_of(scan_));
    }
}

void ColumnReader::for_each_name(NameKind kind,
                                 const std::function<void(std::int64_t, std::string_view)>& visit) {
    Statement names(*connection_, select_names(kind));
    const std::int64_t most = most_rows(*connection_);
    while (names.step()) {
        require_id(names.integer(0), most, "the name of");
        visit(names.integer(0), names.text(1));
    }
}

/// Ids are checked because callers may allocate memory for them.
void ColumnReader::require_id(std::int64_t id, std::int64_t most, std::string_view what) const {
    if (id > 0 && id <= most) return;
    throw StoreError(StoreError::kDamaged, connection_->path() + ": damaged: " + std::string(what) +
                                               " number " + std::to_string(id));
}

}  // namespace fendex::store
