#include "sqlite_ext/tree_table.hpp"

#include "base/json.hpp"
#include "sqlite_ext/plan.hpp"
#include "sqlite_ext/values.hpp"

namespace fendex::sqlite_ext {

namespace {

struct TreeColumn {
    enum : int {
        kSan,
        kUci,
        kGames,
        kWhite,
        kDraws,
        kBlack,
        kShare,
        kAverageRating,
        kPerformance,
        kLastYear,
        kReached,
        kEco,
        kOpening,
        kCp,
        kMate,
        kDepth,
        kArguments
    };
};

/// The plan's bit after those of the arguments: column `reached` is wanted, which needs a look-up
/// of the position after each move.
constexpr int kWithReached = 1 << PositionArguments::kCount;

}  // namespace

int TreeTable::best_index(sqlite3_index_info& info) {
    const int rc = take_arguments(info, TreeColumn::kArguments, PositionArguments::kCount);
    if (rc != SQLITE_OK) return rc;
    const bool position = (info.idxNum & 1) != 0;
    const bool reached = (info.colUsed & sqlite3_uint64{1} << TreeColumn::kReached) != 0;
    if (reached) info.idxNum |= kWithReached;
    static char key[] = "key";
    static char key_and_moves[] = "key, and key after each move";
    info.idxStr = reached ? key_and_moves : key;
    info.estimatedCost = position ? 1000 : 1e99;
    info.estimatedRows = 20;
    return SQLITE_OK;
}

void TreeTable::filter(int plan, std::span<sqlite3_value*> values) {
    row_ = 0;
    rows_ = 0;
    if (!arguments_.read(kName, plan, values)) return;
    store::StoreReader& reader = session_.reader();
    query::GameMatcher every_game(reader);
    query::PositionSearch search(reader, every_game);
    query::TreeOptions options;
    options.match = arguments_.match();
    options.lists = query::GameLists::kNone;
    options.transpositions = (plan & kWithReached) != 0;
    tree_ = query::opening_tree(reader, search, arguments_.position(), options);
    rows_ = tree_.moves.size() + (tree_.ended.games != 0 ? 1 : 0);
}

void TreeTable::column(sqlite3_context* context, int number) const {
    if (number >= TreeColumn::kArguments)
        return arguments_.column(context, number - TreeColumn::kArguments);
    const query::TreeMove* move = row_ < tree_.moves.size() ? &tree_.moves[row_] : nullptr;
    const codec::Tally& tally = move != nullptr ? move->tally : tree_.ended;
    switch (number) {
        case TreeColumn::kGames: return set_result(context, tally.games);
        case TreeColumn::kWhite: return set_result(context, tally.results.white());
        case TreeColumn::kDraws: return set_result(context, tally.results.draws());
        case TreeColumn::kBlack: return set_result(context, tally.results.black());
        case TreeColumn::kShare:
            return set_result(
                context, static_cast<double>(tally.games) / static_cast<double>(tree_.total.games));
        case TreeColumn::kLastYear: return set_result(context, json::known(tally.last_date.year()));
        default: break;
    }
    if (move == nullptr) return;
    switch (number) {
        case TreeColumn::kSan: return set_result(context, move->san);
        case TreeColumn::kUci: return set_result(context, move->uci);
        case TreeColumn::kAverageRating: return set_result(context, move->mean_rating());
        case TreeColumn::kPerformance: return set_result(context, move->performance());
        case TreeColumn::kReached: return set_result(context, move->reached);
        case TreeColumn::kEco:
            if (move->opening) set_result(context, move->opening->eco);
            return;
        case TreeColumn::kOpening:
            if (move->opening) set_result(context, move->opening->name);
            return;
        case TreeColumn::kCp:
            if (move->verdict && !move->verdict->score.is_mate) {
                set_result(context, move->verdict->score.value);
            }
            return;
        case TreeColumn::kMate:
            if (move->verdict && move->verdict->score.is_mate) {
                set_result(context, move->verdict->score.value);
            }
            return;
        case TreeColumn::kDepth:
            if (move->verdict) set_result(context, move->verdict->depth);
            return;
        default: return;
    }
}

}  // namespace fendex::sqlite_ext
