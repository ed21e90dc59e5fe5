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
        if (expected == kPly) return true;  // (game, ply) is unique, so later terms do not matter
        expected = kPly;
    }
    return true;
}

unsigned game_use(const sqlite3_index_info::sqlite3_index_constraint& constraint) {
    switch (constraint.op) {
        case SQLITE_INDEX_CONSTRAINT_EQ: return kGameEqual;
        case SQLITE_INDEX_CONSTRAINT_GT:
        case SQLITE_INDEX_CONSTRAINT_GE: return kGameFrom;
        case SQLITE_INDEX_CONSTRAINT_LT:
        case SQLITE_INDEX_CONSTRAINT_LE: return kGameTo;
        default: return 0;
    }
}

unsigned take_game_range(sqlite3_index_info& info) {
    unsigned uses = 0;
    int arguments = 0;
    for (const unsigned use : {kGameEqual, kGameFrom, kGameTo}) {
        if ((uses & kGameEqual) != 0) break;
        for (int i = 0; i < info.nConstraint; ++i) {
            const auto& constraint = info.aConstraint[i];
            if (constraint.iColumn != 0 || constraint.usable == 0 || game_use(constraint) != use) {
                continue;
            }
            uses |= use;
            info.aConstraintUsage[i].argvIndex = ++arguments;
            break;
        }
    }
    return uses;
}

IntegerRange game_range(unsigned uses, std::span<sqlite3_value*> arguments) {
    IntegerRange games;
    games.first = 1;
    std::size_t next = 0;
    if ((uses & kGameEqual) != 0) games.equal(arguments[next++]);
    if ((uses & kGameFrom) != 0) games.at_least(arguments[next++]);
    if ((uses & kGameTo) != 0) games.at_most(arguments[next++]);
    return games;
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
