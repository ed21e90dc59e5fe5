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

std::vector<std::uint64_t> GameSet::bits(GameId last) const {
    // Without runs the portable format has only the two kinds of containers that are known above.
    GameSet set(*this);
    roaring_bitmap_remove_run_compression(set.bitmap_.get());
    std::string bytes(roaring_bitmap_portable_size_in_bytes(set.bitmap_.get()), 0);
    roaring_bitmap_portable_serialize(set.bitmap_.get(), bytes.data());
    std::vector<std::uint64_t> out((last / 64 / kWordsOfContainer + 1) * kWordsOfContainer);
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
