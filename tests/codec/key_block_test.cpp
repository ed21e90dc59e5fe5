// Blocks of the position index: every posting comes back and no other does; damage is reported or
// gives other values, but does nothing worse.
#include "codec/key_block.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <utility>

#include "codec/codec_fixtures.hpp"
#include "support/first_wrong.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::codec;
using test::Random;

struct Index {
    SegmentShape shape;
    std::vector<Posting> postings;
    std::vector<Block> blocks;

    /// The block in which a reader looks for the key.
    const Block* block_of(std::uint64_t key) const {
        const Block* found = nullptr;
        for (const Block& block : blocks) {
            if (block.first_key <= shape.short_key(key)) found = &block;
        }
        return found;
    }
};

Index make_index(std::vector<Posting> postings, std::uint64_t games) {
    Index index{segment_shape(postings.size(), games), std::move(postings), {}};
    index.shape.seed = games;
    BlockBuilder builder(index.shape);
    KeyRunEncoder encoder(index.shape);
    std::vector<Posting> big;
    for (std::span<const Posting> rest = index.postings; !rest.empty();) {
        KeyRun run = encoder.encode(rest, big);
        const std::size_t n = encoder.postings();
        REQUIRE(n > 0);
        if (n < rest.size()) {
            // Neither a key nor a short key may be in two runs.
            REQUIRE(index.shape.short_key(rest[n - 1].key) != index.shape.short_key(rest[n].key));
        }
        if (!builder.add(run)) {
            const auto front = cut_front(run, builder.room(), index.shape);
            if (front) REQUIRE(builder.add(*front));
            index.blocks.push_back(builder.take(run.first_key));
            REQUIRE(builder.add(run));
        }
        rest = rest.subspan(n);
    }
    if (!builder.empty()) index.blocks.push_back(builder.take(kNoKey));
    return index;
}

using Lists = std::map<std::uint64_t, std::vector<Posting>>;

Lists by_key(const std::vector<Posting>& postings) {
    Lists lists;
    for (const Posting& p : postings) lists[p.key].push_back(p);
    return lists;
}

/// Returns whether the postings of a position are stored as singletons.
bool are_singletons(const std::vector<Posting>& list) {
    if (list.size() > 3) return false;
    std::set<std::uint32_t> games;
    for (const Posting& p : list) games.insert(p.game());
    return games.size() == list.size();
}

/// The postings of an entry, in their order: one, or those of a position.
std::vector<std::vector<Posting>> entries_of(const Lists& lists) {
    std::vector<std::vector<Posting>> entries;
    for (const auto& [key, list] : lists) {
        if (are_singletons(list)) {
            for (const Posting& p : list) entries.push_back({p});
        } else {
            entries.push_back(list);
        }
    }
    return entries;
}

/// Compares for_each_entry() with the postings of the index.
void check_entries(const Index& index) {
    const std::vector<std::vector<Posting>> entries = entries_of(by_key(index.postings));
    auto expected = entries.begin();
    test::FirstWrong wrong;
    for (const Block& block : index.blocks) {
        bool first = true;
        const BlockStatus status =
            for_each_entry(block.data, index.shape, [&](const BlockEntry& e) {
                const auto check = [&](bool right, const char* what) {
                    return wrong.check(right, [&] {
                        return std::string(what) + ": entry of key " + std::to_string(e.key) +
                               " in the block of key " + std::to_string(block.first_key);
                    });
                };
                if (first && block.first_key != 0) {
                    check(block.first_key == index.shape.short_key(e.key), "the block's key");
                }
                first = false;
                if (!check(expected != entries.end(), "one too many")) return;
                const std::vector<Posting>& list = *expected++;
                const std::uint64_t key = list[0].key;
                check(e.singleton == (list.size() == 1), "a single posting");
                check(e.big == (list.size() >= kBigPosition), "a big position");
                if (e.singleton) {
                    check(e.key == index.shape.short_key(key), "a single posting's key");
                    check(e.game == list[0].game(), "a single posting's game");
                } else {
                    check(e.key == key, "the key");
                    if (!e.big) {
                        check(std::equal(e.postings.begin(), e.postings.end(), list.begin(),
                                         list.end()),
                              "postings");
                    }
                }
            });
        REQUIRE(status == BlockStatus::kOk);
    }
    CHECK(wrong.text() == "");
    CHECK(expected == entries.end());
}

/// The expected result of a look-up.
KeyMatch expected_match(const Lists& lists, const SegmentShape& shape, std::uint64_t key) {
    KeyMatch match;
    for (auto at = lists.lower_bound(shape.short_key(key));
         at != lists.end() && shape.short_key(at->first) == shape.short_key(key); ++at) {
        const auto& [other, list] = *at;
        if (are_singletons(list)) {
            for (const Posting& p : list) match.singletons.push_back(p.game());
        } else if (other == key) {
            match.big = list.size() >= kBigPosition;
            if (!match.big) match.postings = list;
        }
    }
    return match;
}

bool equal(const KeyMatch& a, const KeyMatch& b) {
    return a.singletons == b.singletons && a.postings == b.postings && a.big == b.big;
}

void check_look_up(const Index& index, const Lists& lists, std::uint64_t key) {
    const Block* home = index.block_of(key);
    KeyMatch match;
    REQUIRE(home != nullptr);  // the first block begins before every key
    REQUIRE(look_up(home->data, home->first_key, index.shape, key, match) == BlockStatus::kOk);
    const KeyMatch expected = expected_match(lists, index.shape, key);
    CAPTURE(key);
    REQUIRE(equal(match, expected));
    for (const Block& other : index.blocks) {
        if (&other == home) continue;
        KeyMatch nothing;
        REQUIRE(look_up(other.data, other.first_key, index.shape, key, nothing) ==
                BlockStatus::kCorrupt);
    }
}

void check_index(const Index& index, Random& random) {
    for (const Block& block : index.blocks) CHECK(block.data.size() <= kBlockBytes);
    check_entries(index);
    const Lists lists = by_key(index.postings);
    std::vector<std::uint64_t> keys;
    for (const auto& [key, list] : lists) keys.push_back(key);
    for (int i = 0; i < 20; ++i) keys.push_back(random());
    const std::size_t known = keys.size();
    for (std::size_t i = 0; i < known; i += 1 + known / 200) {
        for (const std::uint64_t near :
             {keys[i] + 1, keys[i] - 1, keys[i] ^ 0xFF00, index.shape.short_key(keys[i]),
              keys[i] ^ (std::uint64_t{1} << 63)}) {
            keys.push_back(near);
        }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!test::left_out(i, 3)) check_look_up(index, lists, keys[i]);
    }
}

/// Reads damaged bytes with every decoder and without checksums: all values must be within bounds.
void read_damaged(const std::string& bytes, SegmentShape shape, std::uint64_t key) {
    shape.checked = false;
    std::size_t entries = 0;
    std::size_t postings = 0;
    bool sane = true;
    static_cast<void>(for_each_entry(bytes, shape, [&](const BlockEntry& e) {
        ++entries;
        postings += e.postings.size();
        sane = sane && e.postings.size() < kBigPosition && (!e.singleton || e.game < shape.games);
        for (const Posting& p : e.postings) {
            sane = sane && p.key == e.key && p.game() < shape.games && p.ply() <= Posting::kMaxPly;
        }
    }));
    KeyMatch match;
    static_cast<void>(look_up(bytes, 0, shape, key, match));
    for (const std::uint32_t game : match.singletons) sane = sane && game < shape.games;
    for (const Posting& p : match.postings) sane = sane && p.key == key && p.game() < shape.games;
    REQUIRE(sane);
    REQUIRE(entries <= bytes.size() * 8);
    REQUIRE(postings <= bytes.size() * 8);
}

}  // namespace

TEST_CASE("A posting returns its values and is ordered by them") {
    const chess::Move move(12, 28, chess::MoveKind::kDoublePush);
    const Posting p(0x123456789ABCDEFULL, move, Posting::kMaxGames - 1, Posting::kMaxPly);
    CHECK(p.key == 0x123456789ABCDEFULL);
    CHECK(p.next() == move);
    CHECK(p.game() == Posting::kMaxGames - 1);
    CHECK(p.ply() == Posting::kMaxPly);
    CHECK(Posting(1, kGameEndsHere, 0, 0).next() == kGameEndsHere);
    CHECK(Posting(1, move, 9, 9) < Posting(2, move, 0, 0));
    CHECK(Posting(1, chess::Move(1, 2), 9, 9) < Posting(1, chess::Move(2, 2), 0, 0));
    CHECK(Posting(1, move, 1, 9) < Posting(1, move, 2, 0));
    CHECK(Posting(1, move, 1, 8) < Posting(1, move, 1, 9));
    static_assert(sizeof(Posting) == 16);
}

TEST_CASE("Next moves are read back unchanged, including the end of a game") {
    std::vector<chess::Move> moves{kGameEndsHere, chess::Move::null()};
    for (unsigned kind = 0; kind <= chess::index(chess::MoveKind::kPromoteKing); ++kind) {
        for (unsigned square = 0; square < 64; square += 7) {
            moves.emplace_back(square, 63 - square, static_cast<chess::MoveKind>(kind));
        }
    }
    BitWriter out;
    for (const chess::Move move : moves) put_next_move(move, out);
    const std::string bytes = out.take();
    BitReader in(bytes);
    for (const chess::Move move : moves) CHECK(get_next_move(in) == move);
    CHECK_FALSE(in.failed());
    SECTION("invalid kinds are a failure") {
        for (unsigned kind = chess::index(chess::MoveKind::kPromoteKing) + 1; kind < 15; ++kind) {
            BitWriter wrong;
            wrong.put(1, 1);
            wrong.put(kind, 4);
            wrong.put(0, 12);
            const std::string wrong_bytes = wrong.take();
            BitReader reader(wrong_bytes);
            get_next_move(reader);
            CHECK(reader.failed());
        }
    }
}

TEST_CASE("A segment's short keys have more bits than its postings need") {
    CHECK(segment_shape(0, 1).key_bits == 8);
    CHECK(segment_shape(1 << 20, 5).key_bits == 24);
    CHECK(segment_shape(1 << 20, 5).games == 5);
    CHECK(segment_shape(std::uint64_t{1} << 60, 5).key_bits == 48);
    CHECK(fits_postings(24, 1 << 20));
    CHECK(fits_postings(28, 1 << 20));  // by an earlier version
    CHECK_FALSE(fits_postings(23, 1 << 20));
    CHECK_FALSE(fits_postings(29, 1 << 20));
    CHECK_FALSE(fits_postings(-1, 0));
    CHECK(SegmentShape{8, 1}.short_key(~std::uint64_t{0}) == 0xFF00000000000000ULL);
    CHECK(SegmentShape{48, 1}.short_key(~std::uint64_t{0}) == 0xFFFFFFFFFFFF0000ULL);
}

TEST_CASE("Small indexes are read back whole, and look-ups find every posting") {
    Random random(21);
    for (int round = 0; round < test::fewer(150); ++round) {
        const std::uint64_t games = 1 + random() % (round % 3 == 0 ? 3 : 5000);
        check_index(make_index(test::random_postings(random, 1 + random() % 120, games), games),
                    random);
    }
}

TEST_CASE("Indexes of many blocks are read back whole, and look-ups find every posting") {
    Random random(22);
    for (const std::uint64_t games :
         {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{Posting::kMaxGames}}) {
        const Index index = make_index(test::random_postings(random, 6000, games), games);
        CHECK(index.blocks.size() > 2);
        check_index(index, random);
    }
}

TEST_CASE("Blocks are full, except for the last one") {
    Random random(28);
    std::vector<Posting> postings;
    for (int i = 0; i < 30'000; ++i) test::add_postings(random(), 1, 1000, random, postings);
    test::sort_unique(postings);
    const Index index = make_index(postings, 1000);
    REQUIRE(index.blocks.size() > 2);
    for (std::size_t i = 0; i + 1 < index.blocks.size(); ++i) {
        CHECK(index.blocks[i].data.size() > kBlockBytes - 50);
    }
}

TEST_CASE("A run that is cut in two has the same entries") {
    Random random(29);
    std::size_t cuts = 0;
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t games = 1 + random() % 5000;
        const std::vector<Posting> postings =
            test::random_postings(random, 1 + random() % 150, games);
        const SegmentShape shape = segment_shape(postings.size(), games);
        std::vector<Posting> big;
        const KeyRun whole = KeyRunEncoder(shape).encode(postings, big);
        const auto texts_of = [&](const KeyRun& run) {
            std::vector<std::string> texts;
            detail::KeyRunReader reader(run.bytes, run.first_key, shape);
            for (BlockEntry e; reader.next(e);) {
                std::string text = std::to_string(e.key) + (e.singleton ? " game " : " ") +
                                   std::to_string(e.game) + (e.big ? " big" : "");
                for (const Posting& p : e.postings) text += " " + std::to_string(p.rest);
                texts.push_back(std::move(text));
            }
            REQUIRE_FALSE(reader.failed());
            return texts;
        };
        const std::size_t bytes = random() % (whole.bytes.size() + 10);
        KeyRun rest = whole;
        const auto front = cut_front(rest, bytes, shape);
        std::vector<std::string> texts;
        if (front) {
            ++cuts;
            CHECK(front->bytes.size() <= bytes);
            CHECK(front->first_key == whole.first_key);
            CHECK(rest.first_key > whole.first_key);
            texts = texts_of(*front);
        }
        for (std::string& text : texts_of(rest)) texts.push_back(std::move(text));
        CHECK(texts == texts_of(whole));
    }
    CHECK(cuts > 100);
}

TEST_CASE("Keys that agree in their leading bits stay together", "[full]") {
    Random random(23);
    for (int round = 0; round < test::at_size(4, test::fewer(20)); ++round) {
        std::vector<Posting> postings;
        // Many more positions with the same short key than a run usually holds.
        for (std::uint64_t i = 0; i < 400; ++i) {
            const std::uint64_t key = 0x4242424242000000ULL + i * 3;
            test::add_postings(key, random() % 3 == 0 ? 2 : 1, 100, random, postings);
        }
        test::add_postings(0x4242424242000000ULL + 30, 300, 100, random, postings);
        for (int i = 0; i < 300; ++i) test::add_postings(random(), 1, 100, random, postings);
        test::sort_unique(postings);
        check_index(make_index(postings, 100), random);
    }
}

TEST_CASE("Posting lists of every length are read back unchanged") {
    Random random(24);
    for (std::size_t n = 1; n <= 300; n += n < 20 ? 1 : 13) {
        for (const std::uint64_t games :
             {std::uint64_t{1}, std::uint64_t{40}, std::uint64_t{1} << 27}) {
            std::vector<Posting> postings;
            test::add_postings(0x8000000000000001ULL, n, games, random, postings);
            test::sort_unique(postings);
            check_index(make_index(postings, games), random);
        }
    }
    std::vector<Posting> extremes;
    for (const std::uint32_t ply : {0U, 1U, Posting::kMaxPly}) {
        for (const std::uint32_t game : {0U, 1U, Posting::kMaxGames - 1}) {
            extremes.emplace_back(7, chess::Move::null(), game, ply);
            extremes.emplace_back(7, kGameEndsHere, game, ply);
        }
    }
    test::sort_unique(extremes);
    check_index(make_index(extremes, Posting::kMaxGames), random);
}

TEST_CASE("A block that is damaged anywhere is refused or misread, and never does harm") {
    Random random(25);
    const std::uint64_t games = 300;
    const Index index = make_index(test::random_postings(random, 150, games), games);
    const std::string& block = index.blocks.front().data;
    for (std::size_t at = 0; at < block.size(); ++at) {
        for (unsigned bit = 0; bit < 8; bit += at < 40 ? 1 : 3) {
            std::string damaged = block;
            damaged[at] ^= static_cast<char>(1U << bit);
            read_damaged(damaged, index.shape, index.postings[at % index.postings.size()].key);
        }
    }
    for (std::size_t size = 0; size < block.size(); ++size) {
        read_damaged(block.substr(0, size), index.shape,
                     index.postings[size % index.postings.size()].key);
    }
    CHECK(for_each_entry("", index.shape, [](const BlockEntry&) {}) == BlockStatus::kCorrupt);
    KeyMatch match;
    CHECK(look_up("x", 0, index.shape, 1, match) == BlockStatus::kCorrupt);
}

TEST_CASE("A look-up in a damaged block finds every posting or reports the damage") {
    Random random(27);
    const Index index = make_index(test::random_postings(random, 6000, 300), 300);
    REQUIRE(index.blocks.size() > 2);
    const Lists lists = by_key(index.postings);
    unsigned refused = 0;
    unsigned refused_damaged = 0;
    unsigned refused_of_row = 0;
    const auto check = [&](const std::string& block, std::uint64_t row_key, std::uint64_t key) {
        KeyMatch match;
        if (look_up(block, row_key, index.shape, key, match) != BlockStatus::kOk) {
            ++refused;
            return true;
        }
        return equal(match, expected_match(lists, index.shape, key));
    };
    for (int round = 0; round < test::fewer(20'000); ++round) {
        const std::uint64_t key =
            round % 3 == 0 ? random() : index.postings[random() % index.postings.size()].key;
        const Block* const home = index.block_of(key);
        std::string damaged = home->data;
        // Half of the damage is in the directory.
        const std::size_t at =
            random() % std::min<std::size_t>(round % 2 == 0 ? 200 : kBlockBytes, damaged.size());
        damaged[at] ^= static_cast<char>(1U << random() % 8);
        REQUIRE(check(damaged, home->first_key, key));
        refused_damaged += std::exchange(refused, 0);
        // The key of another row, another block of the segment, a block of another segment.
        REQUIRE(check(home->data, home->first_key ^ std::uint64_t{1} << random() % 64, key));
        refused_of_row += std::exchange(refused, 0);
        const Block& other = index.blocks[random() % index.blocks.size()];
        REQUIRE(check(other.data, home->first_key, key));
        REQUIRE(std::exchange(refused, 0) == (&other == home ? 0 : 1));
        SegmentShape shape = index.shape;
        ++shape.seed;
        KeyMatch match;
        REQUIRE(look_up(home->data, home->first_key, shape, key, match) == BlockStatus::kCorrupt);
    }
    CHECK(refused_damaged > test::fewer(1000U));
    CHECK(refused_of_row > test::fewer(1000U));
}

TEST_CASE("Random bytes are refused or decoded within bounds") {
    Random random(26);
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes(random() % 400, '\0');
        for (char& c : bytes) c = static_cast<char>(random());
        if (bytes.size() > 2) {
            bytes[0] = static_cast<char>(random() % 8);
            bytes[1] = 0;
        }
        const SegmentShape shape{8 + static_cast<unsigned>(random() % 41), 1 + random() % 100'000};
        read_damaged(bytes, shape, random());
    }
    const Index index = make_index(test::random_postings(random, 800, 1000), 1000);
    for (int round = 0; round < 3000; ++round) {
        const Block& block = index.blocks[random() % index.blocks.size()];
        read_damaged(test::damage(block.data, random), index.shape,
                     index.postings[random() % index.postings.size()].key);
    }
}

TEST_CASE("A directory whose runs overlap costs no more than its bytes") {
    // A run that claims as many positions as possible, with two bits each.
    BitWriter run;
    run.put(0xFFFF, 16);
    run.put(0, 6);
    run.put(0, 1);
    for (unsigned i = 1; i < 0xFFFF; ++i) run.put(1, 2);
    const std::string data = run.take();
    // Every second run of the directory claims all bytes.
    constexpr std::size_t kRuns = 60'000;
    std::string block{static_cast<char>(kRuns & 0xFF), static_cast<char>(kRuns >> 8)};
    for (std::size_t i = 0; i < kRuns; ++i) {
        const std::size_t offset = i % 2 == 0 ? 0 : data.size();
        block += std::string(6, '\0');
        block += static_cast<char>(offset & 0xFF);
        block += static_cast<char>(offset >> 8);
    }
    block += data;
    std::size_t entries = 0;
    const auto count = [&](const BlockEntry&) { ++entries; };
    CHECK(for_each_entry(block, {48, 1, 0, false}, count) == BlockStatus::kCorrupt);
    CHECK(entries > 60'000);
    CHECK(entries <= block.size() * 8);
}
