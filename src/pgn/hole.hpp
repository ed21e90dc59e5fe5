// Holes: long runs of zeros in a file or a text. A transfer that breaks off leaves them if the file
// had its full size from the beginning.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace fendex::pgn {

/// A shorter run of zeros is no hole: disks and their buffers are not written in smaller parts.
inline constexpr std::size_t kMinHole = 512;

struct Hole {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Returns the first hole at or after `from`; empty if there is none. First tests only one byte in
/// each kMinHole.
inline std::optional<Hole> find_hole(std::string_view bytes, std::size_t from = 0) {
    for (std::size_t at = from + kMinHole - 1; at < bytes.size(); at += kMinHole) {
        if (bytes[at] != '\0') continue;
        Hole hole{at, at};
        while (hole.begin > from && bytes[hole.begin - 1] == '\0') --hole.begin;
        while (hole.end < bytes.size() && bytes[hole.end] == '\0') ++hole.end;
        if (hole.end - hole.begin >= kMinHole) return hole;
        at = hole.end;
    }
    return std::nullopt;
}

}  // namespace fendex::pgn
