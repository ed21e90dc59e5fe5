// Packed positions and records of them: exact, canonical, and safe against damage.
#include "codec/position_record.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "codec/packed_position.hpp"
#include "codec/record_block.hpp"
#include "codec/record_fixtures.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using test::Random;

std::string bits_of(const chess::AnyPosition& position) {
    codec::BitWriter out;
    codec::put_position(position, out);
    return out.take();
}

std::string packed(const chess::AnyPosition& position, const codec::PositionRecord& record) {
    codec::BitWriter scratch;
    std::string out;
    codec::pack_record(position, record, scratch, out);
    return out;
}

}  // namespace

TEST_CASE("A packed position comes back exactly, with its key") {
    Random random(1);
    std::size_t bytes = 0;
    const unsigned rounds = test::fewer(3000U, 10);
    for (unsigned turn = 0; turn < rounds; ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        const std::string bits = bits_of(position);
        CAPTURE(chess::to_fen(position));
        codec::BitReader reader(bits);
        chess::AnyPosition again;
        REQUIRE(codec::get_position(reader, again));
        CHECK(again.same_as(position));
        CHECK(again.key() == position.key());
        CHECK(bits_of(again) == bits);
        std::uint64_t key = 0;
        codec::BitReader for_key(bits);
        REQUIRE(codec::get_position_key(for_key, key));
        CHECK(key == position.key());
        CHECK(for_key.position() == reader.position());
        if (position.standard() != nullptr) bytes += bits.size();
    }
    CHECK(bytes / rounds < 24);
}

TEST_CASE("Bits of positions are equal exactly if the positions are the same") {
    const char* const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk -",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq -",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq -",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQk -",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w Bb -",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR w Aa -",
    };
    std::set<std::string> bits;
    for (const char* const fen : fens) bits.insert(bits_of(*chess::parse_fen(fen).position));
    CHECK(bits.size() == std::size(fens));
    // The en passant square is no difference if no capture is legal.
    CHECK(bits_of(*chess::parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3")
                       .position) ==
          bits_of(*chess::parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
                       .position));
    CHECK(bits_of(chess::AnyPosition::start_of(chess::Variant::kAtomic)) !=
          bits_of(chess::AnyPosition::start_of(chess::Variant::kKingOfTheHill)));
}

TEST_CASE("A record comes back as it was") {
    Random random(2);
    for (unsigned turn = 0; turn < test::fewer(2000U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        const codec::PositionRecord record = test::random_record(position, random);
        CAPTURE(chess::to_fen(position));
        chess::AnyPosition again;
        codec::PositionRecord out;
        REQUIRE(codec::unpack_record(packed(position, record), again, out));
        CHECK(again.same_as(position));
        CHECK(out == record);
    }
}

TEST_CASE("Whatever their order, merged records are the same") {
    Random random(3);
    for (unsigned turn = 0; turn < test::fewer(200U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        std::vector<codec::PositionRecord> records;
        for (unsigned i = 0; i < 6; ++i) {
            records.push_back(test::random_record(position, random));
            for (codec::Evaluation& each : records.back().evaluations) each.depth %= 3;
            for (codec::Evaluation& each : records.back().evaluations) each.nodes %= 2;
        }
        std::set<std::string> results;
        codec::RecordMerger merger;
        for (unsigned order = 0; order < 5; ++order) {
            std::shuffle(records.begin(), records.end(), random);
            std::string sum = packed(position, records[0]);
            for (std::size_t i = 1; i < records.size(); ++i) {
                std::string next;
                REQUIRE(merger.merge(sum, packed(position, records[i]), next));
                sum = next;
            }
            results.insert(sum);
        }
        CHECK(results.size() == 1);
    }
}

TEST_CASE("The best search of a packed record is that of the unpacked one") {
    Random random(9);
    codec::PackedSearches searches;
    unsigned with_moves = 0;
    for (unsigned turn = 0; turn < test::fewer(2000U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        codec::PositionRecord record = test::random_record(position, random);
        for (codec::Evaluation& each : record.evaluations) each.depth %= 3;
        const std::string bits = packed(position, record);
        codec::BitReader reader(bits, codec::PositionBits(position).size());
        codec::BestSearch best;
        REQUIRE(codec::get_best(reader, position, searches, best));
        const codec::BestSearch expected = codec::best_of(record);
        CHECK(best.rank() == expected.rank());
        CHECK(best.score == expected.score);
        CHECK(best.move == expected.move);
        if (best.move) ++with_moves;
    }
    CHECK(with_moves > 10);
}

TEST_CASE("Packed records are merged as unpacked ones are") {
    Random random(7);
    codec::RecordMerger merger;
    for (unsigned turn = 0; turn < test::fewer(2000U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        codec::PositionRecord a = test::random_record(position, random);
        codec::PositionRecord b = test::random_record(position, random);
        if (random() % 4 == 0) b.evaluations = a.evaluations;
        if (random() % 2 == 0) a.operations.clear();
        if (random() % 2 == 0) b.operations.clear();
        std::string merged;
        REQUIRE(merger.merge(packed(position, a), packed(position, b), merged));
        codec::merge_record(b, a);
        CHECK(merged == packed(position, a));
    }
}

TEST_CASE("A group of records of one key has one of each position, whatever their order") {
    Random random(10);
    codec::RecordGroup group;
    for (unsigned turn = 0; turn < test::fewer(200U, 10); ++turn) {
        std::vector<std::string> all;
        std::vector<std::string> merged;
        for (unsigned i = 0; i < 3; ++i) {
            const chess::AnyPosition position = test::random_any_position(random, turn + i);
            codec::PositionRecord sum;
            for (unsigned k = 0; k < 3; ++k) {
                const codec::PositionRecord record = test::random_record(position, random);
                all.push_back(packed(position, record));
                codec::merge_record(record, sum);
            }
            merged.push_back(packed(position, sum));
        }
        std::shuffle(all.begin(), all.end(), random);
        group.clear();
        for (const std::string& each : all) REQUIRE(group.add(each));
        std::ranges::sort(merged);
        CHECK(std::ranges::equal(group.sorted(), merged));
    }
    // Searches that are cut off. The records of a turn may have none, but the longest one has some.
    const std::string longest = *std::ranges::max_element(group.sorted(), {}, &std::string::size);
    REQUIRE(longest.size() > 60);
    CHECK_FALSE(group.add(longest.substr(0, longest.size() / 2)));
}

TEST_CASE("A line with many searches keeps those that a record of them keeps") {
    Random random(8);
    codec::PackedSearches searches;
    for (unsigned turn = 0; turn < test::fewer(500U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        codec::PositionRecord record;
        searches.clear();
        for (unsigned i = 0; i < 8; ++i) {
            codec::Evaluation search = test::random_evaluation(position, 1 + random() % 4, random);
            search.depth %= 3;
            search.nodes %= 2;
            searches.add(position, search);
            codec::add_evaluation(std::move(search), record);
        }
        codec::BitWriter scratch;
        std::string bits;
        codec::pack_record(position, searches, {}, scratch, bits);
        CHECK(bits == packed(position, record));
    }
}

TEST_CASE("For each number of PVs the deepest search stays, of equal ones that with more nodes") {
    const auto search = [](std::uint32_t depth, std::uint64_t nodes, std::size_t pvs) {
        return codec::Evaluation{depth, nodes, std::vector<codec::Variation>(pvs)};
    };
    codec::PositionRecord record;
    codec::add_evaluation(search(20, 1000, 3), record);
    codec::add_evaluation(search(30, 10, 1), record);
    codec::add_evaluation(search(20, 2000, 3), record);
    codec::add_evaluation(search(25, 9000, 1), record);
    codec::add_evaluation(search(99, 9000, 0), record);
    REQUIRE(record.evaluations.size() == 2);
    CHECK(record.evaluations[0] == search(30, 10, 1));
    CHECK(record.evaluations[1] == search(20, 2000, 3));
    CHECK(record.best() == record.evaluations.data());
}

TEST_CASE("A record keeps the first operations in their order, each once") {
    codec::PositionRecord forwards;
    codec::PositionRecord backwards;
    constexpr int kOperations = 2 * codec::kMostOperations;
    for (int i = 0; i < kOperations; ++i) {
        codec::add_operation({"c" + std::to_string(i), "x"}, forwards.operations);
        codec::add_operation({"c" + std::to_string(i), "x"}, forwards.operations);
        codec::add_operation({"c" + std::to_string(kOperations - 1 - i), "x"},
                             backwards.operations);
    }
    CHECK(forwards.operations.size() == codec::kMostOperations);
    CHECK(forwards == backwards);
}

TEST_CASE("Damaged records are refused, or give legal PVs") {
    Random random(4);
    unsigned refused = 0;
    for (unsigned turn = 0; turn < test::fewer(3000U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        std::string bits = packed(position, test::random_record(position, random));
        bits[random() % bits.size()] ^= static_cast<char>(1U << random() % 8);
        if (random() % 4 == 0) bits.resize(random() % bits.size());
        chess::AnyPosition found;
        codec::PositionRecord record;
        if (!codec::unpack_record(bits, found, record)) {
            ++refused;
            continue;
        }
        for (const codec::Evaluation& each : record.evaluations) {
            for (const codec::Variation& pv : each.pvs) {
                chess::AnyPosition board = found;
                for (const chess::Move move : pv.moves) {
                    REQUIRE(board.visit([&](const auto& b) { return b.is_legal(move); }));
                    board.play(move);
                }
            }
        }
        chess::AnyPosition again;
        codec::PositionRecord same;
        REQUIRE(codec::unpack_record(packed(found, record), again, same));
        CHECK(same == record);
    }
    CHECK(refused > 100);
}

TEST_CASE("Blocks find each of their records, and no other") {
    Random random(5);
    std::map<std::uint64_t, std::pair<chess::AnyPosition, std::string>> records;
    for (unsigned turn = 0; turn < test::fewer(6000U, 10); ++turn) {
        const chess::AnyPosition position = test::random_any_position(random, turn);
        records.emplace(
            position.key(),
            std::pair(position, packed(position, test::random_record(position, random))));
    }
    codec::RecordBlockWriter writer;
    std::vector<std::pair<std::uint64_t, std::string>> blocks;
    const auto close = [&](std::uint64_t last) {
        blocks.emplace_back(writer.first(), writer.close(last));
    };
    writer.begin(0);
    for (const auto& [key, record] : records) {
        if (writer.is_full_before({key, record.second})) {
            close(key - 1);
            writer.begin(key);
        }
        writer.add({key, record.second});
    }
    close(~std::uint64_t{0});
    const codec::PositionBits other(*chess::parse_fen("8/8/8/4k3/8/8/8/K7 w - -").position);
    for (const auto& [key, record] : records) {
        const codec::PositionBits bits(record.first);
        std::size_t found = 0;
        for (const auto& [first, data] : blocks) {
            CHECK(data.size() <= codec::kRecordBlockBytes);
            const auto block = codec::RecordBlock::open(data, first);
            REQUIRE(block);
            const std::string_view hit = block->find(key, bits);
            if (hit.empty()) continue;
            CHECK(hit == record.second);
            ++found;
            // The key alone does not find another position.
            CHECK(block->find(key, other).empty());
        }
        CHECK(found == 1);
    }
    std::size_t count = 0;
    for (const auto& [first, data] : blocks) {
        const auto block = codec::RecordBlock::open(data, first);
        codec::RecordBlock::Records cursor(*block);
        std::string_view bits;
        while (cursor.next(bits)) ++count;
        CHECK(cursor.at_end());
    }
    CHECK(count == records.size());
}
