#include "store/sqlite/engine/game_set.hpp"

#include <bit>
#include <cstring>
#include <new>

#include "base/huge_allocator.hpp"
#include "base/little_endian.hpp"
#include "codec/columns.hpp"

namespace fendex::store {

namespace {

// Adding games to CRoaring one by one takes several times as long as finding them. So the set is
// written in the portable format (https://github.com/RoaringBitmap/RoaringFormatSpec), which
// CRoaring copies. It has a cookie and the number of containers; then the number and the size - 1
// of each container; then the offset of each container; then the containers. A container with at
// most kMostNumbers games is a list of numbers, a larger one is a bitmap.
constexpr std::uint32_t kCookie = 12346;
constexpr std::size_t kWordsOfContainer = 1024;
constexpr std::size_t kMostNumbers = 4096;

struct Container {
    std::size_t number = 0;
    std::size_t size = 0;
    std::span<const std::uint64_t> words;
};

template <typename Number>
void append(Number number, base::HugeString& out) {
    number = base::little_endian(number);
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_container(const Container& container, base::HugeString& out) {
    if (container.size > kMostNumbers) {
        for (const std::uint64_t word : container.words) append(word, out);
        out.append((kWordsOfContainer - container.words.size()) * sizeof(std::uint64_t), 0);
        return;
    }
    for (std::size_t w = 0; w < container.words.size(); ++w) {
        for (std::uint64_t rest = container.words[w]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
            append(static_cast<std::uint16_t>(64 * w + bit), out);
        }
    }
}

}  // namespace

GameSet GameSet::of_bits(std::span<const std::uint64_t> bits) {
    std::vector<Container> containers;
    for (std::size_t number = 0; number * kWordsOfContainer < bits.size(); ++number) {
        const std::size_t begin = number * kWordsOfContainer;
        const auto words = bits.subspan(begin, std::min(kWordsOfContainer, bits.size() - begin));
        std::size_t size = 0;
        for (const std::uint64_t word : words)
            size += static_cast<std::size_t>(std::popcount(word));
        if (size != 0) containers.push_back({number, size, words});
    }
    const auto bytes_of = [](const Container& container) {
        return container.size > kMostNumbers ? 8 * kWordsOfContainer : 2 * container.size;
    };
    std::size_t place = 8 + 8 * containers.size();
    std::size_t all = place;
    for (const Container& each : containers) all += bytes_of(each);
    base::HugeString bytes;
    bytes.reserve(all);
    append(kCookie, bytes);
    append(static_cast<std::uint32_t>(containers.size()), bytes);
    for (const Container& each : containers) {
        append(static_cast<std::uint16_t>(each.number), bytes);
        append(static_cast<std::uint16_t>(each.size - 1), bytes);
    }
    for (const Container& each : containers) {
        append(static_cast<std::uint32_t>(place), bytes);
        place += bytes_of(each);
    }
    for (const Container& each : containers) append_container(each, bytes);
    roaring_bitmap_t* const bitmap =
        roaring_bitmap_portable_deserialize_safe(bytes.data(), bytes.size());
    if (bitmap == nullptr) throw std::bad_alloc();
    return GameSet(bitmap);
}

base::HugeVector<std::uint64_t> GameSet::bits(GameId last) const {
    // Without runs the portable format has only the two kinds of containers that are known above.
    GameSet set(*this);
    roaring_bitmap_remove_run_compression(set.bitmap_.get());
    base::HugeString bytes(roaring_bitmap_portable_size_in_bytes(set.bitmap_.get()), 0);
    roaring_bitmap_portable_serialize(set.bitmap_.get(), bytes.data());
    base::HugeVector<std::uint64_t> out((last / 64 / kWordsOfContainer + 1) * kWordsOfContainer);
    const auto containers = static_cast<std::size_t>(codec::get_fixed(bytes, 4, 4));
    constexpr std::size_t kHead = 8;
    for (std::size_t i = 0; i < containers; ++i) {
        const std::size_t number = codec::get_fixed(bytes, kHead + 4 * i, 2);
        const std::size_t size = codec::get_fixed(bytes, kHead + 4 * i + 2, 2) + 1;
        const std::size_t begin = codec::get_fixed(bytes, kHead + 4 * containers + 4 * i, 4);
        std::uint64_t* const words = &out.at(number * kWordsOfContainer);
        if (size > kMostNumbers) {
            for (std::size_t w = 0; w < kWordsOfContainer; ++w) {
                words[w] = codec::get_fixed(bytes, begin + 8 * w, 8);
            }
            continue;
        }
        for (std::size_t k = 0; k < size; ++k) {
            const std::size_t game = codec::get_fixed(bytes, begin + 2 * k, 2);
            words[game / 64] |= std::uint64_t{1} << (game % 64);
        }
    }
    return out;
}

}  // namespace fendex::store
