#include <ctime>
#include <string>

#include "store/sqlite/writer/sqlite_writer.hpp"

namespace fendex::store {

std::size_t SqliteWriter::join_name(NameKind kind, std::string_view name,
                                    std::string_view canonical, std::string_view origin) {
    NameTable& names = games_.names(kind);
    const std::int64_t id = names.known_id(name);
    if (id == 0) return 0;
    return aliases_.join({kind, id, names.id(canonical), std::time(nullptr), std::string(origin)});
}

std::size_t SqliteWriter::split_name(NameKind kind, std::string_view name) {
    const std::int64_t id = games_.names(kind).known_id(name);
    return id == 0 ? 0 : aliases_.split(kind, id);
}

}  // namespace fendex::store
