// How many annotations were read and not kept: those of the main line, because what is inside a
// variation belongs to it.
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
