// The checksums of stored rows (base/checksum.hpp): the seed of each kind, and the errors if one
// does not match. Version 4 of the format has none. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/checksum.hpp"
#include "codec/key_block.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/segment_record.hpp"

namespace fendex::store {

/// The mark of the table of openings that all games were compared with; 0 if there were several.
inline constexpr char kOpeningsMeta[] = "openings";
/// The rule by which time controls and dates of all games were read (replay/tag_facts.hpp); 0 or
/// missing: rule 1, or several.
inline constexpr char kTagFactsMeta[] = "tag_facts";

/// The rule by which the swings of all games whose annotations are kept were found
/// (codec/swing.hpp); 0 or missing: some were not.
inline constexpr char kSwingsMeta[] = "swings";

enum class Sealed : std::uint64_t {
    kSegment = 1,
    kFact = 2,
    kSignature = 3,
    kDeleted = 4,
    kAnnotation = 5,
    kDictionary = 6,
    kMoves = 7,
    kTags = 8,
    kPlayer = 9,
    kEvent = 10,
    kSite = 11,
    kTagValue = 12,
    kTagShape = 13,
    kPlayerCodes = 14,
    kNameCodes = 15,
    kOpening = 16,
    kOpeningCodes = 17,
    kSourceRow = 18,
    kErrorRow = 19,
    kSegmentRow = 20,
    kMetaRow = 21,
    kRowSums = 22,
    kRecordBlock = 23,
    kRecordRunBlock = 24,
    kRecordRun = 25,
    kRecordSource = 26,
    kSwings = 27,
    kNameAlias = 28,
    kFineSum = 29,
    kPlayerGames = 30,
    kPlayerWords = 31,
};

/// A table, and the kind of the checksums of its rows.
struct SealedTable {
    const char* name;
    Sealed what;
};

inline constexpr SealedTable kFactTable{"fact", Sealed::kFact};
inline constexpr SealedTable kSignatureTable{"signature", Sealed::kSignature};
inline constexpr SealedTable kPlayerCodeTable{"game_players", Sealed::kPlayerCodes};
inline constexpr SealedTable kNameCodeTable{"game_names", Sealed::kNameCodes};
inline constexpr SealedTable kOpeningCodeTable{"game_opening", Sealed::kOpeningCodes};
inline constexpr SealedTable kSwingTable{"game_swing", Sealed::kSwings};
inline constexpr SealedTable kDeletedTable{"deleted", Sealed::kDeleted};
inline constexpr SealedTable kAnnotationTable{"annotation", Sealed::kAnnotation};
inline constexpr SealedTable kDictionaryTable{"dictionary", Sealed::kDictionary};

/// Returns the seed for a row. `id` is that of the row, or its chunk, or its game.
constexpr std::uint64_t row_seed(Sealed what, std::int64_t id) {
    return base::checksum_seed({static_cast<std::uint64_t>(what), static_cast<std::uint64_t>(id)});
}

/// Returns the shape with the seed for blocks of the segment.
codec::SegmentShape sealed_shape(codec::SegmentShape shape, SegmentKind kind, GameId first_game);

/// Returns the seed for a row of a big position: its summary or a chunk.
constexpr std::uint64_t part_seed(const codec::SegmentShape& shape, std::uint64_t key,
                                  std::uint64_t part) {
    return base::checksum_seed({shape.seed, key, part});
}

/// Returns the data without its checksum, if the shape has checksums. Empty if the checksum does
/// not match.
std::optional<std::string_view> unsealed_part(std::string_view data,
                                              const codec::SegmentShape& shape, std::uint64_t key,
                                              std::uint64_t part);

/// Returns a row's bytes without their checksum. Throws StoreError, which names the table and the
/// row, if it does not match.
std::string_view require_sealed(const Connection& connection, std::string_view data,
                                const SealedTable& table, std::int64_t id);

/// Throws StoreError for a row whose checksum does not match. For tables game and annotation, `id`
/// is the number of the game.
[[noreturn]] void throw_mismatch(const Connection& connection, std::string_view table,
                                 std::int64_t id);

}  // namespace fendex::store
