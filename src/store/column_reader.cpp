#include "store/column_reader.hpp"

#include <string>

#include "store/database.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectColumns[] =
    "SELECT id, white, black, event, site, eco FROM main.game WHERE id = ?1";
constexpr char kScanColumns[] =
    "SELECT id, white, black, event, site, eco FROM main.game ORDER BY id";

GameColumns columns_of(const Statement& row) {
    GameColumns out;
    out.id = static_cast<GameId>(row.integer(0));
    out.white = row.integer(1);
    out.black = row.integer(2);
    out.event = row.integer(3);
    if (row.is_integer(4)) {
        out.site = row.integer(4);
    } else {
        out.site_text = row.text(4);
    }
    out.eco = row.text(5);
    return out;
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
      select_(connection, kSelectColumns),
      scan_(connection, kScanColumns) {}

bool ColumnReader::columns(GameId game, GameColumns& out) {
    select_.reset();
    select_.bind(1, static_cast<std::int64_t>(game));
    if (!select_.step()) return false;
    out = columns_of(select_);
    return true;
}

void ColumnReader::let_go() { select_.reset(); }

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

/// Whoever is told ids may have room made for them.
void ColumnReader::require_id(std::int64_t id, std::int64_t most, std::string_view what) const {
    if (id > 0 && id <= most) return;
    throw StoreError(connection_->path() + ": damaged: " + std::string(what) + " number " +
                     std::to_string(id));
}

}  // namespace fendex::store
