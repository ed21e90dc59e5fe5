#include "store/position_records.hpp"

#include <utility>

namespace fendex::store {

bool PositionRecords::find(const chess::AnyPosition& position, codec::PositionRecord& out) {
    bool found = false;
    const auto read = [&](codec::BitReader& bits) {
        if (!codec::get_record(bits, position, found ? other_ : out)) return false;
        if (found) codec::merge_record(std::move(other_), out);
        found = true;
        return true;
    };
    for_each_record(position, std::ref(read));
    return found;
}

bool PositionRecords::find_best(const chess::AnyPosition& position, codec::BestSearch& out) {
    codec::BestOfRecords best;
    codec::BestSearch search;
    const auto read = [&](codec::BitReader& bits) {
        if (!codec::get_best(bits, position, searches_, search)) return false;
        best.add(search);
        return true;
    };
    for_each_record(position, std::ref(read));
    out = best.best();
    if (best.has_equals()) {
        codec::PositionRecord record;
        if (!find(position, record)) return false;
        out = codec::best_of(record);
    }
    return out.pvs != 0;
}

}  // namespace fendex::store
