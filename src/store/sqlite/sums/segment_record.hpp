// Rows of table `segment`.
#pragma once

#include <cstdint>

#include "codec/key_block.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// Do not change: on disk.
enum class SegmentKind { kMainLine = 0, kVariations = 1 };

/// A row of table `segment`.
struct SegmentRecord {
    std::int64_t id = 0;  // returned by begin_segment()
    SegmentKind kind = SegmentKind::kMainLine;
    GameId first_game = 1;
    GameId last_game = 0;
    std::uint64_t postings = 0;
    std::uint64_t positions = 0;
    codec::SegmentShape shape;
};

}  // namespace fendex::store
