#include "store/sqlite/sums/seals.hpp"

#include "store/sqlite/file/database.hpp"

namespace fendex::store {

namespace {

std::string_view table_of(Sealed what) {
    switch (what) {
        case Sealed::kSegment: return "block";
        case Sealed::kFact: return "fact";
        case Sealed::kSignature: return "signature";
        case Sealed::kPlayerCodes: return "game_players";
        case Sealed::kNameCodes: return "game_names";
        case Sealed::kOpeningCodes: return "game_opening";
        case Sealed::kDeleted: return "deleted";
        case Sealed::kAnnotation: return "annotation";
        case Sealed::kDictionary: return "dictionary";
        case Sealed::kPlayer:
        case Sealed::kEvent:
        case Sealed::kSite:
        case Sealed::kOpening:
        case Sealed::kTagValue:
        case Sealed::kTagShape:
        case Sealed::kSourceRow:
        case Sealed::kErrorRow:
        case Sealed::kSegmentRow:
        case Sealed::kMetaRow:
        case Sealed::kRowSums: return "meta";
        case Sealed::kMoves:
        case Sealed::kTags: break;
    }
    return "game";
}

}  // namespace

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

std::string_view require_sealed(const Connection& connection, std::string_view data, Sealed what,
                                std::int64_t id) {
    if (connection.format() < kSealedFormat) return data;
    const std::optional<std::string_view> bytes = base::unseal(data, row_seed(what, id));
    if (!bytes) throw_mismatch(connection, table_of(what), id);
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
