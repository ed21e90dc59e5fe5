// Places from which reading a text can resume.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace fendex::pgn {

/// A place from which reading the text can resume with the same result as reading it all: its
/// beginning, or the end of a game that has a termination marker or is followed by another game.
struct Checkpoint {
    std::uint64_t byte = 0;  // of the uncompressed stream
    std::uint64_t line = 1;
    std::string digest;  // of the bytes before it
};

/// A place by which the text is recognised when it is read again: a checkpoint, or the byte
/// kHeadBytes (then line is 0, and reading cannot resume there).
using Mark = Checkpoint;

inline constexpr std::uint64_t kHeadBytes = 1024;

/// Returns the byte from which the next checkpoint becomes a mark, after a mark at byte `last`.
/// Distances grow with the text: if it ends or differs between two marks, only a small share of it
/// is not recognised.
constexpr std::uint64_t next_mark(std::uint64_t last) {
    return last + std::clamp(last / 16, std::uint64_t{64} << 10, std::uint64_t{8} << 20);
}

}  // namespace fendex::pgn
