#include "store/sqlite/caches/name_cache.hpp"

#include "store/store_error.hpp"

namespace fendex::store {

std::string_view NameCache::look_up(std::int64_t id) {
    const std::int64_t number = NameChunk::number_of(id);
    const NameChunk* chunk = map_->find(number);
    std::optional<std::string_view> name = chunk == nullptr ? std::nullopt : chunk->find(id);
    if (!name) {
        chunk = read(number, id);
        name = chunk->find(id);
    }
    if (!name) connection_->throw_damaged(table_ + " " + std::to_string(id) + " is missing");
    return *name;
}

/// If a neighbour cannot be read, only the name itself is.
const NameChunk* NameCache::read(std::int64_t number, std::int64_t id) {
    const auto read_range = [&](std::int64_t first, std::int64_t last) {
        auto chunk = std::make_unique<NameChunk>();
        const ResetAtEnd end(select_, first, last);
        AscendingIds ids(*connection_, table_, first);
        while (select_.step()) {
            const std::int64_t name = select_.integer(0);
            ids.require_next(name);
            chunk->add(name, select_.text(1));
        }
        return &map_->add(number, std::move(chunk));
    };
    try {
        return read_range(NameChunk::first_id(number), NameChunk::last_id(number));
    } catch (const DamageError&) {
        return read_range(id, id);
    }
}

}  // namespace fendex::store
