// What is read from one line of a text with records, and what is wrong with it.
#pragma once

#include <string>
#include <string_view>

#include "chess/any_position.hpp"
#include "codec/position_record.hpp"

namespace fendex::ingest {

/// A line that was read.
struct RecordLine {
    chess::AnyPosition position;
    codec::PositionRecord record;
    /// Something of the line that was left out, if `warning` is not empty.
    std::string warning;
    std::string left_out;

    void clear() {
        record.evaluations.clear();
        record.operations.clear();
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

/// Adds moves of a PV, separated by blanks, to `out`. Stops at the first that is not legal, and
/// warns. `reads_san` says whether words may also be SAN, and numbers of moves.
void read_pv(const chess::AnyPosition& position, std::string_view words, bool reads_san,
             std::vector<chess::Move>& out, RecordLine& line);

/// Reads an EPD. Returns what is wrong; empty if nothing is.
std::string read_epd_line(std::string_view text, chess::Variant variant, RecordLine& out);
/// Adds the operations of an EPD to a record. `position` is that of the record.
void add_operations(std::string_view text, RecordLine& out);

/// Reads a FEN into out.position. Returns what is wrong; empty if nothing is.
std::string read_record_fen(std::string_view fen, chess::Variant variant, RecordLine& out);

}  // namespace fendex::ingest
