#include "store/sqlite/engine/game_set.hpp"

#include <bit>
#include <cstring>
#include <new>
#include <string>

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

void append_container(const Container& container, std::string& out) {
    std::size_t written = container.words.size();
    if (container.size > kMostNumbers) {
        for (const std::uint64_t word : container.words) codec::put_fixed(word, 8, out);
        for (; written < kWordsOfContainer; ++written) codec::put_fixed(0, 8, out);
        return;
    }
    for (std::size_t w = 0; w < container.words.size(); ++w) {
        for (std::uint64_t rest = container.words[w]; rest != 0; rest &= rest - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
            codec::put_fixed(64 * w + bit, 2, out);
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
    std::string bytes;
    codec::put_fixed(kCookie, 4, bytes);
    codec::put_fixed(containers.size(), 4, bytes);
    for (const Container& each : containers) {
        codec::put_fixed(each.number, 2, bytes);
        codec::put_fixed(each.size - 1, 2, bytes);
    }
    std::size_t place = bytes.size() + containers.size() * sizeof(std::uint32_t);
    for (const Container& each : containers) {
        codec::put_fixed(place, 4, bytes);
        place += each.size > kMostNumbers ? 8 * kWordsOfContainer : 2 * each.size;
    }
    bytes.reserve(place);
    for (const Container& each : containers) append_container(each, bytes);
    roaring_bitmap_t* const bitmap =
        roaring_bitmap_portable_deserialize_safe(bytes.data(), bytes.size());
    if (bitmap == nullptr) throw std::bad_alloc();
    return GameSet(bitmap);
}

}  // namespace fendex::store
