// Errors about damaged archives, the same for all decoders. Messages call the input `name` and the
// kind of archive `format`. `byte` is the offset on disk near which the damage was noticed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pgn/byte_source.hpp"

namespace fendex::pgn {

/// `test` is a command that tests such an archive; `wrong_from`: see SourceError.
inline SourceError damaged_archive(const std::string& name, const std::string& format,
                                   const std::string& test, std::uint64_t byte,
                                   const std::string& why,
                                   std::optional<std::uint64_t> wrong_from) {
    return {name + ": damaged " + format + " data near byte " + std::to_string(byte) + " (" + why +
                "); " + (wrong_from ? "" : "everything before it was read; ") +
                "test the file with '" + test + "' and fetch it again",
            byte, wrong_from};
}

/// `hole` is the offset of zeros before the end (pgn/hole.hpp). They are reported if `wrong_from`
/// is set.
inline SourceError cut_off_archive(const std::string& name, const std::string& format,
                                   std::uint64_t byte, bool zeros_follow,
                                   std::optional<std::uint64_t> hole,
                                   std::optional<std::uint64_t> wrong_from) {
    return {
        name + ": the " + format + " archive is cut off at byte " + std::to_string(byte) +
            (zeros_follow ? ", where only zeros follow; " : "; ") +
            (hole && wrong_from ? "bytes before it are missing too, there are zeros from byte " +
                                      std::to_string(*hole) + " on; "
                                : "everything before it was read; ") +
            "fetch the file again, the transfer was incomplete",
        byte, wrong_from};
}

}  // namespace fendex::pgn
