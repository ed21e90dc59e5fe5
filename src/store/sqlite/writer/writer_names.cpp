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

bool SqliteWriter::is_joined_otherwise(NameKind kind, std::string_view name,
                                       std::string_view canonical) {
    NameTable& names = games_.names(kind);
    return aliases_.is_joined_otherwise(kind, names.known_id(name), names.known_id(canonical));
}

std::size_t SqliteWriter::split_name(NameKind kind, std::string_view name) {
    const std::int64_t id = games_.names(kind).known_id(name);
    return id == 0 ? 0 : aliases_.split(kind, id);
}

}  // namespace fendex::store
