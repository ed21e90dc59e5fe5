#include "sqlite_ext/plan.hpp"

namespace fendex::sqlite_ext {

bool in_game_order(const sqlite3_index_info& info, bool one_game) {
    constexpr int kGame = 0;
    constexpr int kPly = 1;
    int expected = one_game ? kPly : kGame;
    for (int i = 0; i < info.nOrderBy; ++i) {
        const auto& term = info.aOrderBy[i];
        if (one_game && term.iColumn == kGame) continue;
        if (term.desc != 0 || term.iColumn != expected) return false;
        if (expected == kPly) return true;  // no two rows are equal so far
        expected = kPly;
    }
    return true;
}

int take_arguments(sqlite3_index_info& info, int first, int count) {
    int arguments = 0;
    for (int argument = 0; argument < count; ++argument) {
        for (int i = 0; i < info.nConstraint; ++i) {
            const auto& constraint = info.aConstraint[i];
            if (constraint.iColumn != first + argument ||
                constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) {
                continue;
            }
            if (constraint.usable == 0) return SQLITE_CONSTRAINT;
            if ((info.idxNum & 1 << argument) != 0) continue;
            info.idxNum |= 1 << argument;
            info.aConstraintUsage[i].argvIndex = ++arguments;
            info.aConstraintUsage[i].omit = 1;
        }
    }
    return SQLITE_OK;
}

}  // namespace fendex::sqlite_ext
