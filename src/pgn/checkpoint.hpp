// Where a text can be read on.
#pragma once

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

}  // namespace fendex::pgn
