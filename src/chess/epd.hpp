// The operations of an EPD record: what its writer says of a position (PGN standard 16.2.3,
// 16.2.5). Pure functions; a record that breaks off says what it says up to there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fendex::chess {

/// `bm Nf3 d4;`, `id "BK.01";`
struct EpdOperation {
    std::string opcode;
    /// Its operands, one blank between two, strings without their quotes.
    std::string operand;
};

/// Returns the operations after the fields of a FEN (FenResult::operations), in their order.
std::vector<EpdOperation> epd_operations(std::string_view text);

}  // namespace fendex::chess
