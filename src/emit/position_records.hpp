// Writes records of positions as EPD, or as the JSON lines of Lichess's evaluations. An import
// reads both, and gives the same records.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "emit/byte_sink.hpp"
#include "store/position_records.hpp"

namespace fendex::emit {

enum class RecordsAs { kEpd, kJsonLines };

/// Appends lines of EPD: one for each number of PVs. The first PV has the opcodes ce or dm, and pv;
/// the nth has ce2, dm2, pv2 and so on. Scores are from the view of the side to move. Operations
/// that are not evaluations are in the first line. A position of a variant has the opcode variant.
void append_epd_lines(const chess::AnyPosition& position, const codec::PositionRecord& record,
                      std::string& out);
/// Appends a line of JSON, with Lichess's members. There are three more, which are there if they
/// are needed: `variant`, `nodes` in an evaluation if they are no whole thousands, and `epd` with
/// the operations that are not evaluations.
void append_json_line(const chess::AnyPosition& position, const codec::PositionRecord& record,
                      std::string& out);

/// Writes all records in the order of their keys. Calls progress() from time to time. Returns their
/// number.
std::uint64_t export_records(store::PositionRecords& records, RecordsAs format, ByteSink& sink,
                             const std::function<void(std::uint64_t)>& progress);

}  // namespace fendex::emit
