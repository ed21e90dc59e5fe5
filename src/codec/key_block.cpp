#include "codec/key_block.hpp"

#include <algorithm>
#include <bit>

#include "base/checksum.hpp"
#include "codec/columns.hpp"

namespace fendex::codec {

namespace {

constexpr std::size_t kPositionsPerRun = 128;
constexpr std::size_t kPostingsPerRun = 512;
constexpr unsigned kSpareKeyBits = 4;
constexpr unsigned kMostSpareKeyBits = 8;  // in databases of versions 4 and 5
constexpr unsigned kMinKeyBits = 8;
constexpr unsigned kMaxKeyBits = 48;  // the directory has room for these
/// Cutting off fewer positions than this saves no bytes.
constexpr std::size_t kLeastCut = 8;
constexpr unsigned kCountBits = 16;
constexpr unsigned kGapParameterBits = 6;
constexpr unsigned kRunHeaderBits = kCountBits + kGapParameterBits;
constexpr unsigned kPlyParameter = 5;
// A block: 2 bytes of count and 6 of the key at which it ends, then for each run 6 bytes of key, 2
// of offset and 4 of checksum. Version 4 has neither the end nor checksums.
constexpr unsigned kRunCountBytes = 2;
constexpr unsigned kKeyBytes = 6;
constexpr unsigned kOffsetBytes = 2;
constexpr std::size_t kBlockHeader = kRunCountBytes + kKeyBytes;
constexpr std::size_t kDirectoryEntry = kKeyBytes + kOffsetBytes + base::kSealBytes;
constexpr unsigned kCutKeyBits = 64 - 8 * kKeyBytes;

/// Seed of a run's checksum: its segment, its range of keys (`begin` included, `end` excluded), and
/// its first key.
std::uint64_t run_seed(std::uint64_t segment_seed, std::uint64_t begin, std::uint64_t first_key,
                       std::uint64_t end) {
    return base::checksum_seed({segment_seed, begin, first_key, end});
}

/// Returns how many postings at the front have the same key as the first one.
std::size_t same_key(std::span<const Posting> sorted) {
    std::size_t n = 1;
    while (n < sorted.size() && sorted[n].key == sorted[0].key) ++n;
    return n;
}

/// Returns whether the postings of a position are stored as singletons.
bool are_singletons(std::span<const Posting> position) {
    if (position.size() > kMostSingletons) return false;
    for (std::size_t i = 1; i < position.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (position[i].game() == position[j].game()) return false;
        }
    }
    return true;
}

/// Appends the bits from `begin` up to, but not including, `end`.
void copy_bits(std::string_view bytes, std::size_t begin, std::size_t end, BitWriter& out) {
    constexpr std::size_t kAtOnce = 48;
    BitReader in(bytes.substr(begin / 8));
    in.skip(static_cast<unsigned>(begin % 8));
    for (std::size_t left = end - begin; left != 0;) {
        const auto n = static_cast<unsigned>(std::min(left, kAtOnce));
        out.put(in.get(n), n);
        left -= n;
    }
}

/// Golomb parameter for the gaps between `n` game numbers spread over all games.
unsigned game_gap_parameter(const SegmentShape& shape, std::size_t n) {
    const unsigned all = bits_for(shape.games);
    const unsigned spread = bits_for(n) + 1;
    return all > spread ? all - spread : 0;
}

}  // namespace

SegmentShape segment_shape(std::uint64_t postings, std::uint64_t games) {
    return {std::clamp(bits_for(postings) + kSpareKeyBits, kMinKeyBits, kMaxKeyBits), games};
}

bool fits_postings(std::int64_t key_bits, std::uint64_t postings) {
    const unsigned least = segment_shape(postings, 1).key_bits;
    const unsigned most = std::min(bits_for(postings) + kMostSpareKeyBits, kMaxKeyBits);
    return key_bits >= least && key_bits <= most;
}

void put_next_move(chess::Move move, BitWriter& out) {
    constexpr std::uint64_t kEndCode = 15;
    const auto kind = move == kGameEndsHere ? kEndCode : chess::index(move.kind());
    BitCode code{kind == 0 ? 0U : 1U, 1};
    if (kind != 0) code.append({kind, 4});
    if (kind != kEndCode) code.append({move.bits() & 0xFFFU, 12});
    out.put(code);
}

chess::Move get_next_move(BitReader& in) {
    const std::uint64_t kind = in.get(1) == 0 ? 0 : in.get(4);
    if (kind == 15) return kGameEndsHere;
    if (kind > chess::index(chess::MoveKind::kPromoteKing)) in.fail();
    return chess::Move::from_bits(static_cast<std::uint16_t>(kind << 12 | in.get(12)));
}

KeyRunEncoder::KeyRunEncoder(const SegmentShape& shape) : shape_(shape), game_codes_(shape.games) {}

/// Finds the positions of the run at the front.
void KeyRunEncoder::cut(std::span<const Posting> sorted) {
    positions_.clear();
    entries_ = 0;
    length_ = 0;
    std::size_t weight = 0;
    while (length_ < sorted.size()) {
        if ((entries_ >= kPositionsPerRun || weight >= kPostingsPerRun) &&
            shape_.short_key(sorted[length_].key) != shape_.short_key(sorted[length_ - 1].key)) {
            break;
        }
        const std::size_t n = same_key(sorted.subspan(length_));
        const bool singletons = n == 1 || are_singletons(sorted.subspan(length_, n));
        positions_.push_back({static_cast<std::uint32_t>(n), singletons});
        entries_ += singletons ? n : 1;
        length_ += n;
        weight += n < kBigPosition ? n : 1;
    }
}

/// Writes the gap before an entry, and the entry.
[[gnu::always_inline]] inline void KeyRunEncoder::put_gap(std::uint64_t gap, const BitCode& entry) {
    // Nearly always both fit one word.
    if ((gap >> gap_bits_) + 1 + gap_bits_ + entry.size <= 64) {
        BitCode both = short_rice_code(gap, gap_bits_);
        both.append(entry);
        out_.put(both);
    } else {
        out_.put_rice(gap, gap_bits_);
        out_.put(entry);
    }
}

KeyRun KeyRunEncoder::encode(std::span<const Posting> sorted, std::vector<Posting>& big) {
    cut(sorted);
    const unsigned drop = 64 - shape_.key_bits;
    KeyRun run;
    run.first_key = shape_.short_key(sorted.front().key);
    std::uint64_t previous = run.first_key >> drop;
    const std::uint64_t range = (sorted[length_ - 1].key >> drop) - previous;
    // Of the parameters k and k + 1, the latter gives shorter codes if the mean of geometric gaps
    // is more than 2^k / asinh(1/2), which is 2.078 * 2^k.
    const std::uint64_t mean = entries_ > 1 ? range * 77 / 80 / (entries_ - 1) : 0;
    gap_bits_ = mean == 0 ? 0 : static_cast<unsigned>(std::bit_width(mean)) - 1;

    out_.put(entries_, kCountBits);
    out_.put(gap_bits_, kGapParameterBits);
    bool is_first = true;
    for (const Position& position : positions_) {
        const std::span<const Posting> postings = sorted.first(position.postings);
        sorted = sorted.subspan(position.postings);
        const std::uint64_t key = postings[0].key;
        std::uint64_t gap = (key >> drop) - previous;
        previous = key >> drop;
        const auto put = [&](const BitCode& entry) __attribute__((always_inline)) {
            if (is_first) {
                out_.put(entry);  // the first one has no gap
            } else {
                put_gap(gap, entry);
            }
            is_first = false;
        };
        if (position.singletons) {
            for (const Posting& p : postings) {
                BitCode entry{0, 1};
                entry.append(game_codes_.code(p.game()));
                put(entry);
                gap = 0;
            }
        } else {
            const bool is_big = postings.size() >= kBigPosition;
            const std::uint64_t low = key & ((std::uint64_t{1} << drop) - 1);
            const std::uint64_t size_bit = is_big ? 1 : 0;
            put({1 | low << 1 | size_bit << (drop + 1), drop + 2});
            if (is_big) {
                big.insert(big.end(), postings.begin(), postings.end());
            } else {
                put_list(postings);
            }
        }
    }
    run.bytes = out_.take();
    return run;
}

void KeyRunEncoder::put_list(std::span<const Posting> postings) {
    std::size_t groups = 1;
    for (std::size_t i = 1; i < postings.size(); ++i) {
        groups += postings[i].next() != postings[i - 1].next() ? 1U : 0U;
    }
    const unsigned k = game_gap_parameter(shape_, postings.size());
    const std::uint32_t base_ply = postings[0].ply();
    out_.put_golomb(postings.size() - 2, 0);
    out_.put_golomb(groups - 1, 0);
    out_.put_golomb(base_ply, kPlyParameter);
    for (std::size_t begin = 0; begin < postings.size();) {
        std::size_t end = begin + 1;
        while (end < postings.size() && postings[end].next() == postings[begin].next()) ++end;
        put_next_move(postings[begin].next(), out_);
        // The length of the last group is not stored: it takes the rest.
        if (end != postings.size()) out_.put_golomb(end - begin - 1, 0);
        for (std::size_t i = begin; i < end; ++i) {
            const Posting& p = postings[i];
            if (i == begin) {
                out_.put(game_codes_.code(p.game()));
            } else {
                out_.put_golomb(p.game() - postings[i - 1].game(), k);
            }
            out_.put_golomb(zigzag(std::int64_t{p.ply()} - std::int64_t{base_ply}), 0);
        }
        begin = end;
    }
}

std::optional<KeyRun> cut_front(KeyRun& run, std::size_t bytes, const SegmentShape& shape) {
    const unsigned drop = 64 - shape.key_bits;
    BitReader header(run.bytes);
    const std::uint64_t count = header.get(kCountBits);
    const auto parameter = static_cast<unsigned>(header.get(kGapParameterBits));
    detail::KeyRunReader reader(run.bytes, run.first_key, shape);
    std::uint64_t before = 0;    // short key of the entry before
    std::size_t end = 0;         // of the entry before, in bits
    std::size_t cut = 0;         // how many entries are in front
    std::size_t front_end = 0;   // the end of the last of them, in bits
    std::size_t rest_begin = 0;  // where the entry after them begins, without its gap
    std::uint64_t rest_key = 0;  // its short key
    BlockEntry entry;
    for (std::size_t i = 0; end <= bytes * 8 && reader.next(entry); ++i) {
        const std::uint64_t key = shape.short_key(entry.key);
        if (i != 0 && key != before) {
            const std::uint64_t gap = (key - before) >> drop;
            cut = i;
            front_end = end;
            rest_begin = end + static_cast<std::size_t>(gap >> parameter) + 1 + parameter;
            rest_key = key;
        }
        before = key;
        end = reader.position();
    }
    if (cut < kLeastCut || count - cut < kLeastCut) return std::nullopt;
    BitWriter front;
    front.put(cut, kCountBits);
    front.put(parameter, kGapParameterBits);
    copy_bits(run.bytes, kRunHeaderBits, front_end, front);
    BitWriter rest;
    rest.put(count - cut, kCountBits);
    rest.put(parameter, kGapParameterBits);
    copy_bits(run.bytes, rest_begin, run.bytes.size() * 8, rest);
    KeyRun out{run.first_key, front.take()};
    run = {rest_key, rest.take()};
    return out;
}

std::size_t BlockBuilder::room() const {
    const std::size_t size =
        kBlockHeader + (first_keys_.size() + 1) * kDirectoryEntry + data_.size();
    return size < kBlockBytes ? kBlockBytes - size : 0;
}

bool BlockBuilder::add(const KeyRun& run) {
    if (!empty() && run.bytes.size() > room()) return false;
    first_keys_.push_back(run.first_key);
    offsets_.push_back(data_.size());
    data_ += run.bytes;
    return true;
}

Block BlockBuilder::take(std::uint64_t end) {
    Block block;
    block.first_key = is_first_ ? 0 : first_keys_.front();
    const std::size_t runs = first_keys_.size();
    std::string& out = block.data;
    out.reserve(kBlockHeader + runs * kDirectoryEntry + data_.size());
    put_fixed(runs, kRunCountBytes, out);
    put_fixed(end >> kCutKeyBits, kKeyBytes, out);
    for (std::size_t i = 0; i < runs; ++i) {
        const bool is_last = i + 1 == runs;
        const std::size_t data_end = is_last ? data_.size() : offsets_[i + 1];
        const std::string_view bytes =
            std::string_view(data_).substr(offsets_[i], data_end - offsets_[i]);
        put_fixed(first_keys_[i] >> kCutKeyBits, kKeyBytes, out);
        put_fixed(offsets_[i], kOffsetBytes, out);
        put_fixed(
            base::checksum(bytes, run_seed(shape_.seed, i == 0 ? block.first_key : first_keys_[i],
                                           first_keys_[i], is_last ? end : first_keys_[i + 1])),
            base::kSealBytes, out);
    }
    out += data_;
    *this = BlockBuilder(shape_);
    is_first_ = false;
    return block;
}

std::optional<std::uint64_t> reseal(std::string& block, std::uint64_t row_key,
                                    const SegmentShape& shape, std::uint64_t seed) {
    const detail::Directory directory(block, shape);
    if (!directory.valid()) return std::nullopt;
    for (std::size_t run = 0; run < directory.size(); ++run) {
        if (!directory.is_intact(run, row_key)) return std::nullopt;
        std::string sum;
        put_fixed(directory.checksum(run, row_key, seed), base::kSealBytes, sum);
        block.replace(directory.place_of_checksum(run), sum.size(), sum);
    }
    return directory.end_key(directory.size() - 1);
}

namespace detail {

Directory::Directory(std::string_view block, const SegmentShape& shape)
    : block_(block),
      seed_(shape.seed),
      checked_(shape.checked),
      header_(checked_ ? kBlockHeader : kRunCountBytes),
      entry_(checked_ ? kDirectoryEntry : kKeyBytes + kOffsetBytes) {
    if (block.size() < header_) return;
    runs_ = get_fixed(block, 0, kRunCountBytes);
    if (runs_ == 0 || block.size() < entry(runs_)) return;
    valid_ = true;
}

std::uint64_t Directory::first_key(std::size_t run) const {
    return get_fixed(block_, entry(run), kKeyBytes) << kCutKeyBits;
}

std::uint64_t Directory::end_key(std::size_t run) const {
    if (run + 1 < runs_) return first_key(run + 1);
    if (!checked_) return kNoKey;
    const std::uint64_t end = get_fixed(block_, kRunCountBytes, kKeyBytes) << kCutKeyBits;
    return end == kNoKey >> kCutKeyBits << kCutKeyBits ? kNoKey : end;
}

std::size_t Directory::offset(std::size_t run) const {
    return get_fixed(block_, entry(run) + kKeyBytes, kOffsetBytes);
}

std::string_view Directory::bytes(std::size_t run) const {
    const std::string_view data = block_.substr(entry(runs_));
    const std::size_t begin = offset(run);
    const std::size_t end = run + 1 < runs_ ? offset(run + 1) : data.size();
    return begin <= end && end <= data.size() ? data.substr(begin, end - begin)
                                              : std::string_view{};
}

bool Directory::is_intact(std::size_t run, std::uint64_t row_key) const {
    return !checked_ || get_fixed(block_, place_of_checksum(run), base::kSealBytes) ==
                            checksum(run, row_key, seed_);
}

std::uint32_t Directory::checksum(std::size_t run, std::uint64_t row_key,
                                  std::uint64_t seed) const {
    const std::uint64_t first = first_key(run);
    return base::checksum(bytes(run),
                          run_seed(seed, run == 0 ? row_key : first, first, end_key(run)));
}

std::size_t Directory::place_of_checksum(std::size_t run) const {
    return entry(run) + kKeyBytes + kOffsetBytes;
}

KeyRunReader::KeyRunReader(std::string_view bytes, std::uint64_t first_key,
                           const SegmentShape& shape)
    : bits_(bytes),
      shape_(shape),
      short_(first_key >> (64 - shape.key_bits)),
      left_(bits_.get(kCountBits)),
      gap_bits_(static_cast<unsigned>(bits_.get(kGapParameterBits))) {
    if (gap_bits_ > kMaxKeyBits) bits_.fail();
}

bool KeyRunReader::next(BlockEntry& out) {
    if (left_ == 0 || bits_.failed()) return false;
    --left_;
    const unsigned drop = 64 - shape_.key_bits;
    if (!first_) short_ += bits_.get_rice(gap_bits_);
    first_ = false;
    if (short_ >> shape_.key_bits != 0) bits_.fail();
    out = {};
    out.key = short_ << drop;
    out.singleton = bits_.get(1) == 0;
    if (out.singleton) {
        out.game = static_cast<std::uint32_t>(bits_.get_uniform(shape_.games));
    } else {
        out.key |= bits_.get(drop);
        out.big = bits_.get(1) != 0;
        if (!out.big) {
            read_postings(out.key);
            out.postings = postings_;
        }
    }
    return !bits_.failed();
}

void KeyRunReader::read_postings(std::uint64_t key) {
    postings_.clear();
    const std::uint64_t count = bits_.get_golomb(0) + 2;
    const std::uint64_t groups = bits_.get_golomb(0) + 1;
    const std::uint64_t base_ply = bits_.get_golomb(kPlyParameter);
    if (count >= kBigPosition || groups > count || base_ply > Posting::kMaxPly) bits_.fail();
    if (bits_.failed()) return;
    const unsigned k = game_gap_parameter(shape_, count);
    for (std::uint64_t group = 1; group <= groups; ++group) {
        const chess::Move next = get_next_move(bits_);
        const std::uint64_t left = count - postings_.size();
        const std::uint64_t size = group == groups ? left : bits_.get_golomb(0) + 1;
        if (size > left) bits_.fail();
        std::uint64_t game = 0;
        for (std::uint64_t i = 0; i < size && !bits_.failed(); ++i) {
            game = i == 0 ? bits_.get_uniform(shape_.games) : game + bits_.get_golomb(k);
            const std::int64_t ply =
                static_cast<std::int64_t>(base_ply) + unzigzag(bits_.get_golomb(0));
            if (game >= shape_.games || ply < 0 || ply > std::int64_t{Posting::kMaxPly}) {
                bits_.fail();
            } else {
                postings_.emplace_back(key, next, static_cast<std::uint32_t>(game),
                                       static_cast<std::uint32_t>(ply));
            }
        }
        if (bits_.failed()) return;
    }
}

}  // namespace detail

BlockStatus look_up(std::string_view block, std::uint64_t row_key, const SegmentShape& shape,
                    std::uint64_t key, KeyMatch& out) {
    const detail::Directory directory(block, shape);
    if (!directory.valid()) return BlockStatus::kCorrupt;
    const std::uint64_t wanted = shape.short_key(key);
    // Take the last run that begins at or before the key; no short key is in two runs.
    std::size_t low = 0;
    std::size_t high = directory.size();
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        (directory.first_key(middle) <= wanted ? low : high) = middle;
    }
    // The run's checksum covers these keys too, so they can be trusted once it has been verified.
    const std::uint64_t end = directory.end_key(low);
    if (!directory.is_intact(low, row_key) || (wanted >= end && end != kNoKey) ||
        (shape.checked && low == 0 && wanted < row_key)) {
        return BlockStatus::kCorrupt;
    }
    detail::KeyRunReader reader(directory.bytes(low), directory.first_key(low), shape);
    BlockEntry entry;
    while (reader.next(entry)) {
        const std::uint64_t found = shape.short_key(entry.key);
        if (found < wanted) continue;
        if (found > wanted) return BlockStatus::kOk;
        if (entry.singleton) {
            out.singletons.push_back(entry.game);
        } else if (entry.key == key) {
            out.big |= entry.big;
            out.postings.insert(out.postings.end(), entry.postings.begin(), entry.postings.end());
        }
    }
    return reader.failed() ? BlockStatus::kCorrupt : BlockStatus::kOk;
}

}  // namespace fendex::codec
