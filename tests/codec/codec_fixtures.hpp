// Random postings for tests of the index codecs.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "codec/posting.hpp"

namespace fendex::test {

using Random = std::mt19937_64;

inline chess::Move random_next(Random& random, unsigned choices) {
    const auto n = static_cast<unsigned>(random() % choices);
    switch (n % 5) {
        case 0: return codec::kGameEndsHere;
        case 1: return chess::Move::null();
        default: return chess::Move(n % 64, n * 7 % 64, static_cast<chess::MoveKind>(n % 8));
    }
}

/// Appends `count` postings of a key.
inline void add_postings(std::uint64_t key, std::size_t count, std::uint64_t games, Random& random,
                         std::vector<codec::Posting>& out) {
    const auto choices = static_cast<unsigned>(1 + random() % 12);
    const std::uint64_t max_ply = random() % 8 == 0 ? codec::Posting::kMaxPly : 1 + random() % 200;
    for (; count > 0; --count) {
        out.emplace_back(key, random_next(random, choices),
                         static_cast<std::uint32_t>(random() % games),
                         static_cast<std::uint32_t>(random() % (max_ply + 1)));
    }
}

inline void sort_unique(std::vector<codec::Posting>& postings) {
    std::sort(postings.begin(), postings.end());
    postings.erase(std::unique(postings.begin(), postings.end()), postings.end());
}

/// Sorted postings like those of an import, and harder ones: keys that are close together or at the
/// ends of the range, positions of one game, of a few, and of many.
inline std::vector<codec::Posting> random_postings(Random& random, std::size_t positions,
                                                   std::uint64_t games) {
    std::vector<codec::Posting> out;
    std::uint64_t key = random();
    for (std::size_t i = 0; i < positions; ++i) {
        switch (random() % 16) {
            case 0: key += 1 + random() % 3; break;     // neighbours
            case 1: key ^= random() & 0xFFFFFF; break;  // same leading bits
            case 2: key = random() % 2 == 0 ? 0 : ~std::uint64_t{0}; break;
            default: key = random(); break;
        }
        std::size_t count = 1;
        switch (random() % 24) {
            case 0: count = 2 + random() % 3; break;
            case 1: count = 2 + random() % 40; break;
            case 2: count = random() % 8 == 0 ? 250 + random() % 12 : 5; break;
            case 3: count = random() % 60 == 0 ? 1000 : 2; break;
            default: break;
        }
        add_postings(key, count, games, random, out);
    }
    sort_unique(out);
    return out;
}

/// Damages bytes in ways that disks and programs do.
inline std::string damage(std::string bytes, Random& random) {
    if (bytes.empty()) return bytes;
    switch (random() % 4) {
        case 0: bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8)); break;
        case 1: bytes[random() % bytes.size()] = static_cast<char>(random()); break;
        case 2: bytes.resize(random() % bytes.size()); break;
        default: {
            const std::size_t at = random() % bytes.size();
            const std::size_t n = std::min<std::size_t>(1 + random() % 20, bytes.size() - at);
            for (std::size_t i = 0; i < n; ++i) bytes[at + i] = static_cast<char>(random());
        }
    }
    return bytes;
}

}  // namespace fendex::test
