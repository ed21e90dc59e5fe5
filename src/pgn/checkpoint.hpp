// Where a text can be read on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace fendex::pgn {

/// A place of the text from which it can be read on as if it had never been left: its beginning, or
/// the end of a game that has a termination marker or is followed by another.
struct Checkpoint {
    std::uint64_t byte = 0;  // of the uncompressed stream
    std::uint64_t line = 1;
    std::string digest;  // of the bytes before it
};

/// A place of the text by which it is recognised when it is read again: a checkpoint, or
/// kHeadBytes from its beginning (then line is 0, and it is no checkpoint).
using Mark = Checkpoint;

inline constexpr std::uint64_t kHeadBytes = 1024;

/// Marks are at the first checkpoint from here on, the last one being at byte `last`: a text that
/// ends or differs between two of them is not known by much less than it could be.
constexpr std::uint64_t next_mark(std::uint64_t last) {
    return last + std::clamp(last / 16, std::uint64_t{64} << 10, std::uint64_t{8} << 20);
}

}  // namespace fendex::pgn
