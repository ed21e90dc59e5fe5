// Lines with records of positions: Lichess's evaluations and EPD. The first byte is the variant of
// lines that tell none. What is read from a line must be legal, and the same after it is written as
// either kind of line and read again.
#include "chess/variant_names.hpp"
#include "codec/record_block.hpp"
#include "emit/position_records.hpp"
#include "fuzz.hpp"
#include "ingest/record_lines.hpp"

using namespace fendex;

namespace {

store::NewGames read_lines(std::string text, chess::Variant variant) {
    pgn::Batch batch;
    batch.text = std::move(text);
    return ingest::RecordLineReader().read(batch, variant);
}

/// The lines are those of one record. Reads them, and returns the record that they make.
codec::PositionRecord record_of(std::string lines, const chess::AnyPosition& position) {
    const store::NewGames read = read_lines(std::move(lines), position.variant());
    fuzz::require(read.errors.empty() && !read.records.empty());
    codec::PositionRecord all;
    for (const store::NewRecord& each : read.records) {
        chess::AnyPosition same;
        codec::PositionRecord record;
        fuzz::require(codec::unpack_record(each.bits.of(read.record_bits), same, record) &&
                      same.same_as(position));
        codec::merge_record(std::move(record), all);
    }
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    if (text.empty()) return 0;
    const auto number = static_cast<unsigned char>(text.front());
    const auto variant = static_cast<chess::Variant>(number % chess::kVariants);
    if (variant == chess::Variant::kOther) return 0;
    const store::NewGames read = read_lines(std::string(text.substr(1)), variant);
    for (const store::NewRecord& each : read.records) {
        chess::AnyPosition position;
        codec::PositionRecord record;
        fuzz::require(codec::unpack_record(each.bits.of(read.record_bits), position, record));
        fuzz::require(position.key() == each.key);
        for (const auto append : {emit::append_json_line, emit::append_epd_lines}) {
            std::string lines;
            append(position, record, lines);
            fuzz::require(record_of(std::move(lines), position) == record);
        }
    }
    return 0;
}
