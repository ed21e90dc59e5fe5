// A record of a position, as EPD calls it: what engines found there, and other operations. Scores
// are from White's view, in whatever format they came. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "chess/epd.hpp"
#include "codec/bits.hpp"
#include "codec/score.hpp"

namespace fendex::codec {

class PackedSearches;

/// A principal variation. The first `moves` are legal; what followed an illegal one was cut off.
struct Variation {
    Score score;
    std::vector<chess::Move> moves;

    bool operator==(const Variation&) const = default;
};

/// The result of one search. Its PVs are in the engine's order, the best one first.
struct Evaluation {
    std::uint32_t depth = 0;  // 0 if unknown
    std::uint64_t nodes = 0;  // 0 if unknown
    std::vector<Variation> pvs;

    bool operator==(const Evaluation&) const = default;
};

inline constexpr std::size_t kMostPvs = 255;
inline constexpr std::size_t kMostPvMoves = 500;
inline constexpr std::uint32_t kMostDepth = 65'535;
inline constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 58;
/// The first so many operations of a record are kept, and none whose text is longer.
inline constexpr std::size_t kMostOperations = 64;
inline constexpr std::size_t kMostOperationBytes = 2 * 1024;

struct PositionRecord {
    /// One for each number of PVs, ascending.
    std::vector<Evaluation> evaluations;
    /// The operations that are not evaluations, sorted, each once.
    std::vector<chess::EpdOperation> operations;

    /// Returns the deepest search; of equally deep ones that with more nodes. Null if there is
    /// none.
    const Evaluation* best() const;
    bool operator==(const PositionRecord& other) const;
};

/// Returns whether the first of two searches with the same number of PVs is kept: the deeper one;
/// of equally deep ones that with more nodes. The order is total, so it does not matter which one
/// came first.
bool is_better(const Evaluation& a, const Evaluation& b);
/// Adds an evaluation unless a better one with this number of PVs is there. Ignores one without
/// PVs.
void add_evaluation(Evaluation evaluation, PositionRecord& out);
/// Adds an operation of at most kMostOperationBytes, if it is new. Beyond kMostOperations the last
/// one goes.
void add_operation(chess::EpdOperation operation, std::vector<chess::EpdOperation>& out);
/// Adds what another record of the same position has.
void merge_record(PositionRecord other, PositionRecord& out);

/// Appends the bits of a record of `position`. All its PVs must be legal, and within the limits.
void put_record(const chess::AnyPosition& position, const PositionRecord& record, BitWriter& out);
void put_record(PackedSearches& searches, const std::vector<chess::EpdOperation>& operations,
                BitWriter& out);
/// Reads a record of `position`. Returns false if the bits are damaged.
[[nodiscard]] bool get_record(BitReader& bits, const chess::AnyPosition& position,
                              PositionRecord& out);
/// Reads the operations of a record; those come after the heads of its searches.
[[nodiscard]] bool get_operations(BitReader& bits, std::vector<chess::EpdOperation>& out);

}  // namespace fendex::codec
