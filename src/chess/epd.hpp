// Reads the operations of an EPD record, which hold its writer's remarks about the position (PGN
// standard 16.2.3, 16.2.5). Pure functions. If a record breaks off, the part before the break is
// read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::chess {

/// `bm Nf3 d4;`, `id "BK.01";`
struct EpdOperation {
    std::string opcode;
    /// The operands, with one blank between them; strings without their quotes.
    std::string operand;
};

/// Returns the operations after the fields of a FEN (FenResult::operations), in their order.
std::vector<EpdOperation> epd_operations(std::string_view text);

}  // namespace fendex::chess
