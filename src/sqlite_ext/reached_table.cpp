#include "sqlite_ext/reached_table.hpp"

#include "codec/posting.hpp"
#include "replay/stored_walk.hpp"
#include "sqlite_ext/plan.hpp"
#include "sqlite_ext/values.hpp"

namespace fendex::sqlite_ext {

namespace {

struct ReachedColumn {
    enum : int { kGameId, kPly, kArguments };
};

/// The plan's bit after those of the arguments: only one game is searched, whose number is the last
/// argument.
constexpr int kOneGame = 1 << PositionArguments::kCount;

}  // namespace

int ReachedTable::best_index(sqlite3_index_info& info) {
    const int rc = take_arguments(info, ReachedColumn::kArguments, PositionArguments::kCount);
    if (rc != SQLITE_OK) return rc;
    int arguments = 0;
    for (int i = 0; i < info.nConstraint; ++i) {
        if (info.aConstraintUsage[i].argvIndex != 0) ++arguments;
    }
    for (int i = 0; i < info.nConstraint && (info.idxNum & kOneGame) == 0; ++i) {
        const auto& constraint = info.aConstraint[i];
        if (constraint.iColumn == ReachedColumn::kGameId &&
            constraint.op == SQLITE_INDEX_CONSTRAINT_EQ && constraint.usable != 0) {
            info.idxNum |= kOneGame;
            info.aConstraintUsage[i].argvIndex = arguments + 1;
        }
    }
    const bool one_game = (info.idxNum & kOneGame) != 0;
    static char key[] = "key";
    static char game[] = "game_id";
    info.idxStr = one_game ? game : key;
    info.estimatedCost = (info.idxNum & 1) == 0 ? 1e99 : one_game ? 100 : 1e4;
    info.estimatedRows = one_game ? 1 : 1000;
    info.orderByConsumed = in_game_order(info, one_game) ? 1 : 0;
    return SQLITE_OK;
}

void ReachedTable::filter(int plan, std::span<sqlite3_value*> values) {
    eof_ = true;
    hits_.reset();
    ply_ = 0;
    if (!arguments_.read(kName, plan, values)) return;
    if ((plan & kOneGame) != 0) {
        eof_ = !find_in(values.back());
        return;
    }
    session_.reader();  // refreshes it for this statement
    hits_.emplace(search_, query::Question::of(arguments_.position(), arguments_.match()));
    eof_ = !hits_->next(hit_);
}

bool ReachedTable::find_in(sqlite3_value* game) {
    IntegerRange ids;
    ids.first = 1;
    ids.equal(game);
    if (ids.empty()) return false;
    const auto id = static_cast<store::GameId>(ids.first);
    store::StoredMoves moves;
    if (!session_.reader().moves(id, moves) || !replay::has_positions(moves)) return false;
    return search_.find_in(query::Question::of(arguments_.position(), arguments_.match()), id,
                           hit_);
}

void ReachedTable::next() {
    if (++ply_ < hit_.plies.size()) return;
    ply_ = 0;
    eof_ = !hits_ || !hits_->next(hit_);
}

void ReachedTable::column(sqlite3_context* context, int number) const {
    switch (number) {
        case ReachedColumn::kGameId: return set_result(context, hit_.game);
        case ReachedColumn::kPly: return set_result(context, hit_.plies[ply_]);
        default: arguments_.column(context, number - ReachedColumn::kArguments);
    }
}

std::int64_t ReachedTable::rowid() const {
    return static_cast<std::int64_t>(hit_.game << codec::Posting::kPlyBits | hit_.plies[ply_]);
}

}  // namespace fendex::sqlite_ext
