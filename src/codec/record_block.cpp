#include "codec/record_block.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "codec/columns.hpp"
#include "codec/packed_position.hpp"

namespace fendex::codec {

namespace {

// A block: count of records (4 bytes), last key of the range (8), directory, records.
constexpr unsigned kRecordsCountBytes = 4;
constexpr unsigned kLastKeyBytes = 8;
constexpr std::size_t kRecordsHeadBytes = kRecordsCountBytes + kLastKeyBytes;
/// The directory has an offset for each of so many equal parts of the range.
constexpr unsigned kPartOffsetBytes = 2;
constexpr std::size_t kMostParts = 128;
/// Stands for all offsets from there on: a block is longer only if its last records are of one key.
constexpr std::size_t kMostOffset = 0xFFFF;

constexpr std::size_t parts_for(std::size_t count) {
    return std::clamp<std::size_t>(std::bit_floor(count / 2), 1, kMostParts);
}

/// Returns the part of a range that has a key.
constexpr std::size_t part_of(std::uint64_t key, std::uint64_t first, std::uint64_t last,
                              std::size_t parts) {
    if (parts == 1) return 0;
    const auto range = static_cast<unsigned>(std::bit_width(last - first));
    const auto bits = static_cast<unsigned>(std::bit_width(parts - 1));
    return (key - first) >> (range > bits ? range - bits : 0);
}

constexpr std::size_t varint_size(std::size_t value) {
    return (std::max<std::size_t>(static_cast<std::size_t>(std::bit_width(value)), 1) + 6) / 7;
}

/// Returns whether the first bits are equal.
bool begin_alike(std::string_view a, std::string_view b, std::size_t bits) {
    const std::size_t whole = bits / 8;
    const unsigned rest = bits % 8;
    if (std::min(a.size(), b.size()) < whole + (rest != 0 ? 1 : 0)) return false;
    if (std::memcmp(a.data(), b.data(), whole) != 0) return false;
    const auto byte = [&](std::string_view text) {
        return static_cast<unsigned char>(text[whole]);
    };
    return rest == 0 || ((byte(a) ^ byte(b)) & ((1U << rest) - 1)) == 0;
}

/// Reads the searches of a packed record, without their moves.
bool get_heads(std::string_view record, PackedSearches& out, bool& has_operations) {
    BitReader bits(record);
    std::uint64_t key = 0;
    if (!get_position_key(bits, key) || !out.get_heads(bits)) return false;
    has_operations = has_operations || bits.get(1) != 0;
    return !bits.failed();
}

/// What stays of two lists of searches. kUnknown if searches are equal in depth and nodes.
enum class Kept : std::uint8_t { kAllOfA, kAllOfB, kSomeOfEach, kUnknown };

Kept kept_of(const PackedSearches& a, const PackedSearches& b) {
    bool some_of_a = false;
    bool some_of_b = false;
    auto i = a.all().begin();
    auto j = b.all().begin();
    while (i != a.all().end() || j != b.all().end()) {
        if (j == b.all().end() || (i != a.all().end() && i->pvs < j->pvs)) {
            some_of_a = true;
            ++i;
        } else if (i == a.all().end() || j->pvs < i->pvs) {
            some_of_b = true;
            ++j;
        } else {
            if (i->depth == j->depth && i->nodes == j->nodes) return Kept::kUnknown;
            const bool a_is_better = std::pair(i->depth, i->nodes) > std::pair(j->depth, j->nodes);
            (a_is_better ? some_of_a : some_of_b) = true;
            ++i;
            ++j;
        }
    }
    if (some_of_a && some_of_b) return Kept::kSomeOfEach;
    return some_of_b ? Kept::kAllOfB : Kept::kAllOfA;
}

}  // namespace

void pack_record(const chess::AnyPosition& position, const PositionRecord& record,
                 BitWriter& scratch, std::string& out) {
    scratch.clear();
    put_position(position, scratch);
    put_record(position, record, scratch);
    scratch.append_to(out);
}

void pack_record(const chess::AnyPosition& position, PackedSearches& searches,
                 const std::vector<chess::EpdOperation>& operations, BitWriter& scratch,
                 std::string& out) {
    scratch.clear();
    put_position(position, scratch);
    put_record(searches, operations, scratch);
    scratch.append_to(out);
}

bool unpack_record(std::string_view bits, chess::AnyPosition& position, PositionRecord& record) {
    BitReader reader(bits);
    return get_position(reader, position) && get_record(reader, position, record);
}

bool RecordMerger::merge(std::string_view a, std::string_view b, std::string& out) {
    bool has_operations = false;
    if (!get_heads(a, of_a_, has_operations) || !get_heads(b, of_b_, has_operations)) return false;
    if (!has_operations) {
        const Kept kept = kept_of(of_a_, of_b_);
        if (kept == Kept::kAllOfA || kept == Kept::kAllOfB) {
            out.assign(kept == Kept::kAllOfA ? a : b);
            return true;
        }
    }
    chess::AnyPosition position;
    PositionRecord record;
    PositionRecord other;
    if (!unpack_record(a, position, record) || !unpack_record(b, position, other)) return false;
    merge_record(std::move(other), record);
    out.clear();
    pack_record(position, record, writer_, out);
    return true;
}

bool are_of_one_position(std::string_view a, std::string_view b) {
    BitReader reader(a);
    std::uint64_t key = 0;
    return get_position_key(reader, key) && begin_alike(a, b, reader.position());
}

bool RecordGroup::add(std::string_view bits) {
    for (std::size_t i = 0; i < size_; ++i) {
        if (records_[i] == bits) return true;
        if (!are_of_one_position(records_[i], bits)) continue;
        if (!merger_.merge(records_[i], bits, merged_)) return false;
        std::swap(records_[i], merged_);
        return true;
    }
    if (size_ == records_.size()) records_.emplace_back();
    records_[size_++].assign(bits);
    return true;
}

std::span<const std::string> RecordGroup::sorted() {
    const std::span<std::string> all = std::span(records_).first(size_);
    std::ranges::sort(all);
    return all;
}

PositionBits::PositionBits(const chess::AnyPosition& position) {
    BitWriter writer;
    put_position(position, writer);
    size_ = writer.bit_count();
    bytes_ = writer.take();
}

bool PositionBits::begin(std::string_view record) const {
    return begin_alike(bytes_, record, size_);
}

void RecordBlockWriter::add(const PackedRecord& record) {
    records_.push_back({record.key, bytes_.size()});
    put_varint(record.bits.size(), bytes_);
    bytes_ += record.bits;
}

bool RecordBlockWriter::is_full_before(const PackedRecord& record) const {
    if (records_.empty() || records_.back().key == record.key) return false;
    const std::size_t count = records_.size() + 1;
    const std::size_t size = kRecordsHeadBytes + kPartOffsetBytes * parts_for(count) +
                             bytes_.size() + varint_size(record.bits.size()) + record.bits.size();
    return size > kRecordBlockBytes;
}

std::string RecordBlockWriter::close(std::uint64_t last) const {
    const std::size_t parts = parts_for(records_.size());
    std::string out;
    out.reserve(kRecordsHeadBytes + kPartOffsetBytes * parts + bytes_.size());
    put_fixed(records_.size(), kRecordsCountBytes, out);
    put_fixed(last, kLastKeyBytes, out);
    auto record = records_.begin();
    for (std::size_t part = 0; part < parts; ++part) {
        while (record != records_.end() && part_of(record->key, first_, last, parts) < part)
            ++record;
        put_fixed(std::min(record == records_.end() ? bytes_.size() : record->offset, kMostOffset),
                  kPartOffsetBytes, out);
    }
    out += bytes_;
    return out;
}

std::optional<RecordBlock> RecordBlock::open(std::string_view data, std::uint64_t first) {
    if (data.size() < kRecordsHeadBytes) return std::nullopt;
    RecordBlock block;
    block.first_ = first;
    block.count_ = get_fixed(data, 0, kRecordsCountBytes);
    block.last_ = get_fixed(data, kRecordsCountBytes, kLastKeyBytes);
    data.remove_prefix(kRecordsHeadBytes);
    const std::size_t directory = kPartOffsetBytes * parts_for(block.count_);
    if (block.last_ < first || data.size() < directory) return std::nullopt;
    block.directory_ = data.substr(0, directory);
    block.records_ = data.substr(directory);
    return block;
}

std::string_view RecordBlock::find(std::uint64_t key, const PositionBits& position) const {
    if (key < first_ || key > last_) return {};
    const std::size_t parts = directory_.size() / kPartOffsetBytes;
    const std::size_t part = part_of(key, first_, last_, parts);
    if (part >= parts) return {};
    const auto offset_of = [&](std::size_t which) {
        return get_fixed(directory_, which * kPartOffsetBytes, kPartOffsetBytes);
    };
    const std::size_t begin = offset_of(part);
    if (begin == kMostOffset) return {};
    std::size_t end = part + 1 < parts ? offset_of(part + 1) : kMostOffset;
    if (end == kMostOffset) end = records_.size();
    if (begin > end || end > records_.size()) return {};
    ByteReader rest(records_.substr(begin, end - begin));
    while (!rest.done()) {
        const std::string_view bits = rest.bytes(rest.varint());
        if (position.begin(bits)) return bits;
    }
    return {};
}

bool RecordBlock::Records::next(std::string_view& bits) {
    if (left_ == 0) return false;
    ByteReader reader(rest_);
    bits = reader.bytes(reader.varint());
    damaged_ = reader.failed() || bits.empty();
    if (damaged_) return false;
    rest_ = reader.rest();
    --left_;
    return true;
}

}  // namespace fendex::codec
