#include "store/sqlite/records/record_streams.hpp"

#include <algorithm>
#include <utility>

namespace fendex::store {

namespace {

bool has_later_key(const RecordStream* a, const RecordStream* b) {
    return a->current()->key > b->current()->key;
}

}  // namespace

MergedRecords::MergedRecords(std::vector<RecordStream*> streams) : heap_(std::move(streams)) {
    std::erase_if(heap_, [](const RecordStream* each) { return each->current() == nullptr; });
    std::make_heap(heap_.begin(), heap_.end(), has_later_key);
    take_group();
}

void MergedRecords::advance() {
    if (left_.empty()) return take_group();
    record_.bits = left_.front();
    left_ = left_.subspan(1);
}

void MergedRecords::take_group() {
    group_.clear();
    at_end_ = heap_.empty();
    if (at_end_) return;
    record_.key = heap_.front()->current()->key;
    while (!heap_.empty() && heap_.front()->current()->key == record_.key) {
        std::pop_heap(heap_.begin(), heap_.end(), has_later_key);
        RecordStream* const stream = heap_.back();
        if (!group_.add(stream->current()->bits)) throw_unreadable_record();
        stream->advance();
        if (stream->current() == nullptr) {
            heap_.pop_back();
        } else {
            std::push_heap(heap_.begin(), heap_.end(), has_later_key);
        }
    }
    left_ = group_.sorted();
    advance();
}

}  // namespace fendex::store
