#include "store/sqlite/caches/name_cache.hpp"

namespace fendex::store {

const std::string& NameCache::look_up(std::int64_t id) {
    if (const std::string* const known = map_->find(id)) return *known;
    const ResetAtEnd end(select_, id);
    if (!select_.step()) {
        connection_->throw_damaged(table_ + " " + std::to_string(id) + " is missing");
    }
    return map_->add(id, select_.text(0));
}

}  // namespace fendex::store
