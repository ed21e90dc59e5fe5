#include "store/sqlite/records/record_buffer.hpp"

#include <cstring>

namespace fendex::store {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;
using SizeOfBits = std::uint32_t;

}  // namespace

void RecordBuffer::add(const NewGames& batch) {
    RecordSorter<WaitingRecord>::Feeder& feeder = sorter_.feeder(0);
    for (const NewRecord& each : batch.records) {
        const char* const place = keep(each.bits.of(batch.record_bits));
        feeder.add({each.key, reinterpret_cast<std::uintptr_t>(place)});
    }
    size_ += batch.records.size();
}

/// Copies the bits behind their size.
const char* RecordBuffer::keep(std::string_view bits) {
    const auto size = static_cast<SizeOfBits>(bits.size());
    const std::size_t bytes = sizeof size + bits.size();
    if (bytes > left_) {
        left_ = std::max(bytes, kPieceBytes);
        free_ = static_cast<char*>(memory_.take(left_));
    }
    char* const place = free_;
    std::memcpy(place, &size, sizeof size);
    std::memcpy(place + sizeof size, bits.data(), bits.size());
    free_ += bytes;
    left_ -= bytes;
    bytes_ += bytes + sizeof(WaitingRecord);
    return place;
}

void RecordBuffer::clear() {
    sorter_.clear();
    memory_.reuse();
    free_ = nullptr;
    left_ = 0;
    size_ = 0;
    bytes_ = 0;
}

RecordBuffer::Stream::Stream(RecordBuffer& buffer) : buffer_(buffer) {
    buffer_.sorter_.close();
    settle();
}

void RecordBuffer::Stream::advance() {
    ++next_;
    settle();
}

/// Goes to the next partition that has records, if this one ends. Sets the current record.
void RecordBuffer::Stream::settle() {
    while (next_ == sorted_.size()) {
        if (partition_ == RecordSorter<WaitingRecord>::kPartitions) return;
        sorted_ = buffer_.sorter_.take(partition_++);
        next_ = 0;
    }
    // The records are spread over the memory, in the order in which they were read.
    constexpr std::size_t kAhead = 16;
    if (next_ + kAhead < sorted_.size()) {
        __builtin_prefetch(reinterpret_cast<const char*>(sorted_[next_ + kAhead].rest));
    }
    const auto* const place = reinterpret_cast<const char*>(sorted_[next_].rest);
    SizeOfBits size = 0;
    std::memcpy(&size, place, sizeof size);
    record_ = {sorted_[next_].key, {place + sizeof size, size}};
}

}  // namespace fendex::store
