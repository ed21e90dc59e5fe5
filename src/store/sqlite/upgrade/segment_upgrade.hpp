// Gives the segments of version 4 checksums, as version 5 has them. Drops damaged segments.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "codec/posting.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/segments/segment_table.hpp"
#include "store/sqlite/sums/segment_record.hpp"

namespace fendex::store {

class SegmentUpgrade {
  public:
    /// Calls count_row() for each row; if it throws, the upgrade ends.
    SegmentUpgrade(Connection& connection, const std::function<void()>& count_row)
        : connection_(connection), count_row_(count_row) {}

    /// Returns how many segments were dropped.
    std::uint64_t run();

  private:
    struct OldSegment {
        std::int64_t id = 0;
        SegmentKind kind = SegmentKind::kMainLine;
        std::int64_t first_game = 0;
        std::int64_t last_game = 0;
        std::int64_t key_bits = 0;
    };

    void drop(const OldSegment& segment);
    void rewrite(const OldSegment& segment);
    void add_part(std::string_view data, const codec::SegmentShape& old_shape, std::uint64_t key,
                  std::int64_t part, SegmentTable& rows);

    Connection& connection_;
    const std::function<void()>& count_row_;
    codec::SegmentShape shape_;  // of the new segment
    std::vector<codec::Posting> chunk_;
    std::uint64_t dropped_ = 0;
};

}  // namespace fendex::store
