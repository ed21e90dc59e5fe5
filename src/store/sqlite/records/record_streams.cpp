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
    if (next_ == in_group_) return take_group();
    record_.bits = group_[next_++];
}

void MergedRecords::take_group() {
    in_group_ = 0;
    next_ = 0;
    at_end_ = heap_.empty();
    if (at_end_) return;
    record_.key = heap_.front()->current()->key;
    while (!heap_.empty() && heap_.front()->current()->key == record_.key) {
        std::pop_heap(heap_.begin(), heap_.end(), has_later_key);
        RecordStream* const stream = heap_.back();
        add(stream->current()->bits);
        stream->advance();
        if (stream->current() == nullptr) {
            heap_.pop_back();
        } else {
            std::push_heap(heap_.begin(), heap_.end(), has_later_key);
        }
    }
    std::sort(group_.begin(), group_.begin() + static_cast<std::ptrdiff_t>(in_group_));
    advance();
}

void MergedRecords::add(std::string_view bits) {
    for (std::size_t i = 0; i < in_group_; ++i) {
        if (group_[i] == bits) return;
        if (!codec::are_of_one_position(group_[i], bits)) continue;
        if (!merger_.merge(group_[i], bits, merged_)) throw_unreadable_record();
        std::swap(group_[i], merged_);
        return;
    }
    if (in_group_ == group_.size()) group_.emplace_back();
    group_[in_group_++].assign(bits);
}

}  // namespace fendex::store
