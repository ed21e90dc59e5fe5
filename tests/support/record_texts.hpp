// Made-up records of positions as text, and the records of a database as text.
#pragma once

#include <map>
#include <string>

#include "codec/record_fixtures.hpp"
#include "emit/position_records.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::test {

/// Returns so many lines of Lichess's form. Some are of the same position. `more` is added to each
/// record, to make it longer.
inline std::string record_lines(unsigned seed, int lines, const std::string& more = {}) {
    Random random(seed);
    std::string out;
    for (int i = 0; i < lines; ++i) {
        const chess::AnyPosition position = random_position(random, static_cast<unsigned>(i));
        codec::PositionRecord record = random_record(position, random);
        codec::add_operation({"id", "line " + std::to_string(i) + more}, record.operations);
        emit::append_json_line(position, record, out);
    }
    return out;
}

using Records = std::map<std::string, std::string>;

/// Returns the records of a database, by the EPD of their positions.
inline Records records_of(store::StoreReader& reader) {
    Records out;
    reader.local()->records()->for_each(
        [&](const chess::AnyPosition& position, const codec::PositionRecord& record) {
            emit::append_json_line(position, record, out[chess::to_epd(position)]);
            return true;
        });
    return out;
}
inline Records records_of(const std::string& path) {
    return records_of(*store::file_store(path)->reader());
}

}  // namespace fendex::test
