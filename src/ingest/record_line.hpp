// What is read from one line of a text with records, and what is wrong with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "codec/packed_searches.hpp"

namespace fendex::ingest {

/// A line that was read.
struct RecordLine {
    chess::AnyPosition position;
    codec::PackedSearches searches;
    std::vector<chess::EpdOperation> operations;
    /// Something of the line that was left out, if `warning` is not empty.
    std::string warning;
    std::string left_out;

    void clear() {
        searches.clear();
        operations.clear();
        warning.clear();
        left_out.clear();
    }
    /// Says what was left out; only the first thing is kept.
    void warn(std::string_view reason, std::string_view text) {
        if (!warning.empty()) return;
        warning = reason;
        left_out = text;
    }
};

/// Packs a PV of the position's next search: moves separated by blanks. Stops at the first that is
/// not legal, and warns. `reads_san` says whether words may also be SAN, and numbers of moves.
/// The reference is valid until the next PV.
codec::PackedVariation& read_pv(std::string_view words, bool reads_san, RecordLine& line);

/// Reads an EPD. Returns what is wrong; empty if nothing is.
std::string read_epd_line(std::string_view text, chess::Variant variant, RecordLine& out);
/// Adds the operations of an EPD to a record. `position` is that of the record.
void add_operations(std::string_view text, RecordLine& out);

/// Reads a FEN into out.position. Returns what is wrong; empty if nothing is.
std::string read_record_fen(std::string_view fen, chess::Variant variant, RecordLine& out);

}  // namespace fendex::ingest
