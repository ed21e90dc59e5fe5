#include "store/sqlite/sums/seals.hpp"

#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {}  // namespace

codec::SegmentShape sealed_shape(codec::SegmentShape shape, SegmentKind kind, GameId first_game) {
    shape.seed = base::checksum_seed({static_cast<std::uint64_t>(Sealed::kSegment),
                                      static_cast<std::uint64_t>(kind), first_game, shape.games,
                                      shape.key_bits});
    return shape;
}

std::optional<std::string_view> unsealed_part(std::string_view data,
                                              const codec::SegmentShape& shape, std::uint64_t key,
                                              std::uint64_t part) {
    return shape.checked ? base::unseal(data, part_seed(shape, key, part)) : data;
}

std::string_view require_sealed(const Connection& connection, std::string_view data,
                                const SealedTable& table, std::int64_t id) {
    if (connection.format() < kSealedFormat) return data;
    const std::optional<std::string_view> bytes = base::unseal(data, row_seed(table.what, id));
    if (!bytes) throw_mismatch(connection, table.name, id);
    return *bytes;
}

void throw_mismatch(const Connection& connection, std::string_view table, std::int64_t id) {
    const std::string& path = connection.path();
    const std::string number = std::to_string(id);
    const std::string row = table == "game" ? "game " + number
                            : table == "annotation"
                                ? "table annotation, game " + number
                                : "table " + std::string(table) + ", row " + number;
    throw DamageError(path + ": damaged: " + row +
                      ": it has changed since it was written. `fendex check " + path +
                      "` lists all damage, `fendex repair " + path + "` repairs what it can");
}

}  // namespace fendex::store
