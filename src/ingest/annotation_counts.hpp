// Counts annotations that were read but not kept. Only those of the main line count; whatever is
// inside a variation belongs to the variation.
#pragma once

#include <cstdint>

namespace fendex::ingest {

struct AnnotationCounts {
    std::uint64_t comments = 0;
    std::uint64_t glyphs = 0;  // NAGs, written as $14 or as !?
    std::uint64_t variations = 0;
    bool timed = false;  // some comments begin with a clock or an evaluation: [%clk 0:03:00]

    AnnotationCounts& operator+=(const AnnotationCounts& other) {
        comments += other.comments;
        glyphs += other.glyphs;
        variations += other.variations;
        timed |= other.timed;
        return *this;
    }
};

}  // namespace fendex::ingest
