// Decompressed files of tests/data.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "pgn/byte_source.hpp"

namespace fendex::test {

/// Returns the content of tests/data/NAME.zst.
inline std::string unpacked_data(const std::string& name) {
    const auto source = pgn::open_source(FENDEX_TEST_DATA "/" + name + ".zst");
    std::string out;
    std::array<char, 65'536> buffer;
    while (const std::size_t size = source->read(buffer)) out.append(buffer.data(), size);
    return out;
}

/// A database of format 4, made by the last version that wrote it (tests/data/README.md).
inline std::string format4_database() { return unpacked_data("format4.db"); }
/// That database in format 4 or 5.
inline std::string older_database(int format) {
    return unpacked_data("format" + std::to_string(format) + ".db");
}

}  // namespace fendex::test
