#include "store/store_error.hpp"

#include <cerrno>

namespace fendex::store {

void throw_store_error(StoreError::Kind kind, const std::string& what) {
    if (kind == StoreError::kDamaged) throw DamageError(what);
    throw StoreError(kind, what);
}

void throw_no_game(std::uint64_t game) {
    throw DamageError("damaged database: no game " + std::to_string(game));
}

std::string_view advice_on_space(int error) {
    switch (error) {
        case ENOSPC:
            return "; make room there and run this again: what was committed before is stored";
        case EDQUOT:
            return "; your quota is used up: make room and run this again: what was committed "
                   "before is stored";
        case EFBIG:
            return "; files may not get larger than a limit (of the file system, or `ulimit -f`): "
                   "raise it and run this again: what was committed before is stored";
        default: return {};
    }
}

}  // namespace fendex::store
