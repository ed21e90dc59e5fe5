#include "store/posting_sorter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>

#include "store/sqlite.hpp"

namespace fendex::store {

using codec::Posting;

namespace {

constexpr std::size_t kMinChunkBytes = 2 * 1024;
constexpr std::size_t kMaxChunkBytes = 32 * 1024;

[[noreturn]] void fail(const std::string& directory, const char* doing) {
    const int error = errno;
    throw StoreError(directory + ": cannot " + doing + " a temporary file: " +
                     std::strerror(error) + std::string(advice_on_space(error)));
}

}  // namespace

PostingSorter::PostingSorter(std::size_t memory_bytes, unsigned feeders, std::string directory)
    : memory_bytes_(memory_bytes),
      chunk_postings_(std::clamp(memory_bytes / (std::size_t{feeders} * kPartitions * 8),
                                 kMinChunkBytes, kMaxChunkBytes) /
                      sizeof(Posting)),
      directory_(std::move(directory)),
      partitions_(kPartitions) {
    feeders_.reserve(feeders);
    for (unsigned i = 0; i < feeders; ++i) feeders_.push_back(Feeder(*this));
}

PostingSorter::~PostingSorter() {
    if (file_ >= 0) ::close(file_);
}

/// A full chunk goes to its partition, and an empty one takes its place.
void PostingSorter::turn_over(Feeder::Open& open, std::uint64_t partition) {
    if (open.size != 0) store_chunk(open, partition);
    if (!open.postings) {
        // Small imports touch every partition but fill none: begin small.
        open.capacity = open.capacity == 0 ? kMinChunkBytes / sizeof(Posting) : chunk_postings_;
        open.postings = std::make_unique_for_overwrite<Posting[]>(open.capacity);
        bytes_in_memory_ += open.capacity * sizeof(Posting);
    }
    open.size = 0;
}

void PostingSorter::store_chunk(Feeder::Open& open, std::uint64_t partition) {
    Partition& target = partitions_[partition];
    if (bytes_in_memory_ < memory_bytes_) {
        const std::lock_guard lock(target.mutex);
        target.chunks.push_back({std::move(open.postings), open.size});
    } else {
        const Extent extent = spill(open.postings.get(), open.size);
        const std::lock_guard lock(target.mutex);
        target.spilled.push_back(extent);
    }
}

PostingSorter::Extent PostingSorter::spill(const Posting* postings, std::size_t size) {
    {
        const std::lock_guard lock(file_mutex_);
        if (file_ < 0) {
            // Without a name: it is gone when the process is, whatever way it ends.
            file_ = ::open(directory_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
            if (file_ < 0) {
                std::string name = directory_ + "/fendex-XXXXXX";
                file_ = ::mkostemp(name.data(), O_CLOEXEC);
                if (file_ >= 0) ::unlink(name.c_str());
            }
            if (file_ < 0) fail(directory_, "create");
        }
    }
    const std::size_t bytes = size * sizeof(Posting);
    const Extent extent{file_size_.fetch_add(bytes), size};
    std::string_view rest(static_cast<const char*>(static_cast<const void*>(postings)), bytes);
    std::uint64_t offset = extent.offset;
    while (!rest.empty()) {
        const ssize_t n = ::pwrite(file_, rest.data(), rest.size(), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(directory_, "write");
        rest.remove_prefix(static_cast<std::size_t>(n));
        offset += static_cast<std::uint64_t>(n);
    }
    return extent;
}

std::uint64_t PostingSorter::close(std::uint32_t first) {
    first_ = first;
    for (Feeder& feeder : feeders_) {
        for (unsigned p = 0; p < kPartitions; ++p) {
            Feeder::Open& open = feeder.open_[p];
            if (open.size != 0)
                partitions_[p].chunks.push_back({std::move(open.postings), open.size});
            open = {};
        }
    }
    std::uint64_t total = 0;
    for (const Partition& partition : partitions_) {
        for (const Chunk& chunk : partition.chunks) total += chunk.size;
        for (const Extent& extent : partition.spilled) total += extent.size;
    }
    return total;
}

std::vector<Posting> PostingSorter::take(unsigned partition) {
    Partition& source = partitions_[partition];
    std::size_t total = 0;
    for (const Chunk& chunk : source.chunks) total += chunk.size;
    for (const Extent& extent : source.spilled) total += extent.size;
    std::vector<Posting> postings;
    postings.reserve(total);
    for (Chunk& chunk : source.chunks) {
        postings.insert(postings.end(), chunk.postings.get(), chunk.postings.get() + chunk.size);
        chunk.postings.reset();
    }
    for (const Extent& extent : source.spilled) {
        postings.resize(postings.size() + extent.size);
        auto* target =
            static_cast<char*>(static_cast<void*>(postings.data() + postings.size() - extent.size));
        std::size_t left = extent.size * sizeof(Posting);
        std::uint64_t offset = extent.offset;
        while (left != 0) {
            const ssize_t n = ::pread(file_, target, left, static_cast<off_t>(offset));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) fail(directory_, "read");
            target += n;
            left -= static_cast<std::size_t>(n);
            offset += static_cast<std::uint64_t>(n);
        }
    }
    source.chunks = std::vector<Chunk>();
    source.spilled = {};
    if (first_ != 0) {
        for (Posting& posting : postings) posting = posting.counted_from(first_);
    }
    sort_postings(postings);
    return postings;
}

namespace {

constexpr std::size_t kInsertionSize = 24;
constexpr unsigned kMaxDigitBits = 11;

void insertion_sort(std::span<Posting> postings) {
    for (std::size_t i = 1; i < postings.size(); ++i) {
        const Posting moving = postings[i];
        std::size_t hole = i;
        for (; hole > 0 && moving < postings[hole - 1]; --hole) postings[hole] = postings[hole - 1];
        postings[hole] = moving;
    }
}

/// Sorts postings whose keys agree in all but the lowest `bits` bits. In place ("American flag":
/// each posting is swapped to where its digit belongs), for a position that all games share is as
/// long as there are games, and room for it twice is room not kept for sorting.
void radix_sort(std::span<Posting> postings, unsigned bits) {
    if (postings.size() <= kInsertionSize) return insertion_sort(postings);
    const std::uint64_t first = postings.front().key;
    if (bits == 0 || std::all_of(postings.begin(), postings.end(),
                                 [&](const Posting& p) { return p.key == first; })) {
        // One position: the rest is a number, and comes nearly sorted.
        std::sort(postings.begin(), postings.end(),
                  [](const Posting& a, const Posting& b) { return a.rest < b.rest; });
        return;
    }
    const auto size_bits = static_cast<unsigned>(std::bit_width(postings.size()));
    const unsigned digit_bits = std::min({kMaxDigitBits, bits, size_bits > 4 ? size_bits - 3 : 1});
    const unsigned shift = bits - digit_bits;
    const std::size_t digits = std::size_t{1} << digit_bits;
    const auto digit_of = [&](const Posting& p) { return p.key >> shift & (digits - 1); };
    std::array<std::uint32_t, 1U << kMaxDigitBits> next;  // where the next of a digit goes
    std::array<std::uint32_t, 1U << kMaxDigitBits> ends;
    std::fill_n(ends.begin(), digits, 0U);
    for (const Posting& p : postings) ++ends[digit_of(p)];
    std::uint32_t sum = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {
        next[digit] = sum;
        sum += ends[digit];
        ends[digit] = sum;
    }
    for (std::size_t digit = 0; digit < digits; ++digit) {
        while (next[digit] < ends[digit]) {
            Posting moving = postings[next[digit]];
            for (std::size_t home = digit_of(moving); home != digit; home = digit_of(moving)) {
                std::swap(moving, postings[next[home]++]);
            }
            postings[next[digit]++] = moving;
        }
    }
    std::uint32_t begin = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {
        const std::uint32_t size = ends[digit] - begin;
        if (size > 1) radix_sort(postings.subspan(begin, size), shift);
        begin = ends[digit];
    }
}

}  // namespace

void sort_postings(std::vector<Posting>& postings) { radix_sort(postings, 64); }

}  // namespace fendex::store
