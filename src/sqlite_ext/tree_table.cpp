#include "sqlite_ext/tree_table.hpp"

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
        kArguments
    };
};

/// The plan's bit after those of the arguments: column `reached` is wanted, which needs a look-up
/// of the position after each move.
constexpr int kWithReached = 1 << PositionArguments::kCount;

template <typename Number>
void result_number(sqlite3_context* context, const std::optional<Number>& number) {
    if (number) sqlite3_result_int64(context, static_cast<sqlite3_int64>(*number));
}

}  // namespace

int TreeTable::best_index(sqlite3_index_info& info) const {
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

void TreeTable::Cursor::filter(int plan, std::span<sqlite3_value*> values) {
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

void TreeTable::Cursor::column(sqlite3_context* context, int number) const {
    if (number >= TreeColumn::kArguments)
        return arguments_.column(context, number - TreeColumn::kArguments);
    const query::TreeMove* move = row_ < tree_.moves.size() ? &tree_.moves[row_] : nullptr;
    const codec::Tally& tally = move != nullptr ? move->tally : tree_.ended;
    const auto count = [&](std::uint64_t games) {
        sqlite3_result_int64(context, static_cast<sqlite3_int64>(games));
    };
    switch (number) {
        case TreeColumn::kGames: return count(tally.games);
        case TreeColumn::kWhite: return count(tally.results.white());
        case TreeColumn::kDraws: return count(tally.results.draws());
        case TreeColumn::kBlack: return count(tally.results.black());
        case TreeColumn::kShare:
            return sqlite3_result_double(
                context, static_cast<double>(tally.games) / static_cast<double>(tree_.total.games));
        case TreeColumn::kLastYear:
            if (tally.last_date != 0) count(tally.last_date.year());
            return;
        default: break;
    }
    if (move == nullptr) return;
    switch (number) {
        case TreeColumn::kSan: return result_text(context, move->san);
        case TreeColumn::kUci: return result_text(context, move->uci);
        case TreeColumn::kAverageRating: return result_number(context, move->mean_rating());
        case TreeColumn::kPerformance: return result_number(context, move->performance());
        case TreeColumn::kReached: return result_number(context, move->reached);
        case TreeColumn::kEco:
            if (move->opening) result_text(context, move->opening->eco);
            return;
        case TreeColumn::kOpening:
            if (move->opening) result_text(context, move->opening->name);
            return;
        default: return;
    }
}

}  // namespace fendex::sqlite_ext
