// Bit streams and varints: written values are read back, and nothing is read past the end.
#include "codec/bits.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "codec/bit_sets.hpp"
#include "support/first_wrong.hpp"

namespace {

using namespace fendex::codec;
using Random = std::mt19937_64;

/// A number of at most `bits` bits; every length is equally likely.
std::uint64_t random_number(Random& random, unsigned bits) {
    const std::uint64_t length = random() % (bits + 1);
    return length == 0 ? 0 : random() >> (64 - length);
}

/// Writes a number in a random code and returns a function that reads it back and compares.
std::function<bool(BitReader&)> put_something(Random& random, BitWriter& out) {
    switch (random() % 4) {
        case 0: {
            const auto bits = static_cast<unsigned>(random() % 57);
            const std::uint64_t value = random_number(random, bits);
            out.put(value, bits);
            return [=](BitReader& in) { return in.get(bits) == value; };
        }
        case 1: {
            const std::uint64_t n = 1 + random_number(random, 50);
            const std::uint64_t value = random() % n;
            out.put_uniform(value, n);
            return [=](BitReader& in) { return in.get_uniform(n) == value; };
        }
        case 2: {
            const auto k = static_cast<unsigned>(random() % 49);
            const std::uint64_t value = random_number(random, k + 6);
            out.put_rice(value, k);
            return [=](BitReader& in) { return in.get_rice(k) == value; };
        }
        default: {
            const auto k = static_cast<unsigned>(random() % 29);
            const std::uint64_t value = random_number(random, 49);
            out.put_golomb(value, k);
            return [=](BitReader& in) { return in.get_golomb(k) == value; };
        }
    }
}

}  // namespace

TEST_CASE("The members of a set become a number, and the number becomes members again") {
    Random random(9);
    for (int turn = 0; turn < 2000; ++turn) {
        const std::uint64_t set = random_number(random, 64);
        const std::uint64_t value = random();
        std::uint64_t expected = 0;
        unsigned members = 0;
        for (unsigned i = 0; i < 64; ++i) {
            if ((set >> i & 1) != 0) expected |= (value >> i & 1) << members++;
        }
        REQUIRE(gathered(value, set) == expected);
        REQUIRE(scattered(expected, set) == (value & set));
        // Bits beyond the members do not matter.
        if (members < 64) REQUIRE(scattered(expected | random() << members, set) == (value & set));
    }
}

TEST_CASE("Bits are copied from any place to any place") {
    Random random(10);
    for (int turn = 0; turn < 500; ++turn) {
        BitWriter first;
        std::vector<bool> bits(random() % 300);
        for (std::size_t i = 0; i < bits.size(); ++i) {
            bits[i] = random() % 2 != 0;
            first.put(bits[i] ? 1 : 0, 1);
        }
        const std::size_t begin = random() % (bits.size() + 1);
        const std::size_t size = random() % (bits.size() - begin + 1);
        const std::string part = first.bytes_with(begin, size);
        BitWriter out;
        const auto before = static_cast<unsigned>(random() % 64);
        out.put(0, before);
        copy_bits(BitReader(part, begin % 8), size, out);
        REQUIRE(out.bit_count() == before + size);
        const std::string copied = out.take();
        BitReader reader(copied, before);
        for (std::size_t i = 0; i < size; ++i) REQUIRE((reader.get(1) != 0) == bits[begin + i]);
    }
}

TEST_CASE("bits_for() is the number of bits that distinguish the values") {
    CHECK(bits_for(0) == 0);
    CHECK(bits_for(1) == 0);
    CHECK(bits_for(2) == 1);
    CHECK(bits_for(3) == 2);
    CHECK(bits_for(4) == 2);
    CHECK(bits_for(5) == 3);
    CHECK(bits_for(std::uint64_t{1} << 63) == 63);
    CHECK(bits_for((std::uint64_t{1} << 63) + 1) == 64);
}

TEST_CASE("Any mixture of codes is read back unchanged") {
    Random random(1);
    for (int round = 0; round < 2000; ++round) {
        BitWriter out;
        std::vector<std::function<bool(BitReader&)>> checks;
        for (std::uint64_t n = random() % 60; n-- > 0;)
            checks.push_back(put_something(random, out));
        const std::size_t bits = out.bit_count();
        const std::string bytes = out.take();
        REQUIRE(bytes.size() == (bits + 7) / 8);
        REQUIRE(out.bit_count() == 0);

        BitReader in(bytes);
        fendex::test::FirstWrong wrong;
        for (std::size_t i = 0; i < checks.size(); ++i) {
            const std::size_t at = in.position();
            wrong.check(checks[i](in), [&] {
                return "round " + std::to_string(round) + ", number " + std::to_string(i) + " of " +
                       std::to_string(checks.size()) + ", at bit " + std::to_string(at);
            });
        }
        CHECK(wrong.text() == "");
        CHECK_FALSE(in.failed());
        CHECK(in.position() == bits);
        in.align();
        CHECK(in.position() == bytes.size() * 8);
        CHECK_FALSE(in.failed());

        // The same bytes cut short: a reader that reads past the end has failed().
        const std::string_view cut =
            std::string_view(bytes).substr(0, random() % (bytes.size() + 1));
        BitReader short_of(cut);
        for (const auto& check : checks) {
            check(short_of);
            REQUIRE(short_of.position() <= cut.size() * 8);
        }
        if (cut.size() * 8 < bits) CHECK(short_of.failed());
    }
}

TEST_CASE("Whole words are written from any bit of a byte") {
    for (unsigned before = 0; before < 64; ++before) {
        BitWriter out;
        out.put(0, before);
        out.put(0xFEDCBA9876543210ULL, 64);
        out.put(5, 3);
        const std::string bytes = out.take();
        BitReader in(bytes);
        for (unsigned n = before; n > 0; --n) REQUIRE(in.get(1) == 0);
        CHECK(in.get(32) == 0x76543210U);
        CHECK(in.get(32) == 0xFEDCBA98U);
        CHECK(in.get(3) == 5);
    }
}

TEST_CASE("Bits fill a byte from the lowest to the highest") {
    BitWriter out;
    out.put(1, 1);
    out.put(0, 2);
    out.put(0x15, 5);
    out.put(0x3, 2);
    std::string bytes = "x";
    out.append_to(bytes);
    CHECK(bytes == "x\xA9\x03");
    CHECK(out.take() == "\xA9\x03");
}

TEST_CASE("A uniform code encodes every value, the lowest ones in one bit less") {
    for (std::uint64_t n = 1; n <= 70; ++n) {
        for (std::uint64_t value = 0; value < n; ++value) {
            BitWriter out;
            out.put_uniform(value, n);
            const std::size_t bits = out.bit_count();
            const unsigned most = bits_for(n);
            CHECK(bits <= most);
            CHECK(bits + 1 >= most);
            const std::string bytes = out.take();
            BitReader in(bytes);
            CHECK(in.get_uniform(n) == value);
            CHECK(in.position() == bits);
        }
    }
    SECTION("no bits decode to a value out of range") {
        for (unsigned byte = 0; byte < 256; ++byte) {
            for (std::uint64_t n = 1; n <= 70; ++n) {
                const std::string bytes(1, static_cast<char>(byte));
                BitReader in(bytes);
                REQUIRE(in.get_uniform(n) < n);
            }
        }
    }
}

TEST_CASE("Exponential Golomb codes have a bounded length") {
    constexpr std::uint64_t kLargest = (std::uint64_t{1} << 50) - 2;
    BitWriter out;
    out.put_golomb(kLargest, 0);
    out.put_golomb((kLargest << 10) + 1023, 10);
    const std::string bytes = out.take();
    BitReader in(bytes);
    CHECK(in.get_golomb(0) == kLargest);
    CHECK(in.get_golomb(10) == (kLargest << 10) + 1023);
    CHECK_FALSE(in.failed());
    SECTION("endless zeros are a failure") {
        const std::string zeros(100, '\0');
        BitReader nothing(zeros);
        CHECK(nothing.get_golomb(0) == 0);
        CHECK(nothing.failed());
    }
}

TEST_CASE("Unary parts of any length are read back, and endless zeros are a failure") {
    for (const std::uint64_t high : {0U, 1U, 31U, 32U, 33U, 63U, 64U, 65U, 1000U, 100'000U}) {
        for (const unsigned k : {0U, 3U, 40U}) {
            BitWriter out;
            out.put(1, 1);
            out.put_rice(high << k, k);
            const std::string bytes = out.take();
            BitReader in(bytes);
            CHECK(in.get(1) == 1);
            CHECK(in.get_rice(k) == high << k);
            CHECK_FALSE(in.failed());
        }
    }
    const std::string zeros(1000, '\0');
    BitReader in(zeros);
    in.get_rice(0);
    CHECK(in.failed());
}

TEST_CASE("Reads past the end give zeros, and the failure is remembered") {
    BitReader empty{std::string_view{}};
    CHECK(empty.get(0) == 0);
    CHECK_FALSE(empty.failed());
    CHECK(empty.get(1) == 0);
    CHECK(empty.failed());
    CHECK(empty.peek() == 0);
    CHECK(empty.position() == 0);
    BitReader byte("\xFF");
    CHECK((byte.peek() & 15U) == 15);
    CHECK(byte.get(12) == 0xFF);
    CHECK(byte.failed());
}

TEST_CASE("zigzag() turns small signed numbers into small unsigned ones") {
    CHECK(zigzag(0) == 0);
    CHECK(zigzag(-1) == 1);
    CHECK(zigzag(1) == 2);
    CHECK(zigzag(-2) == 3);
    for (const std::int64_t v :
         {std::int64_t{0}, std::int64_t{12345}, std::int64_t{-12345},
          std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
        CHECK(unzigzag(zigzag(v)) == v);
    }
}

TEST_CASE("Varints take seven bits a byte and are read back unchanged") {
    Random random(2);
    std::vector<std::uint64_t> values{0, 1, 127, 128, 16'383, 16'384, ~std::uint64_t{0}};
    for (int i = 0; i < 1000; ++i) values.push_back(random_number(random, 64));
    std::string bytes;
    for (const std::uint64_t value : values) {
        const std::size_t before = bytes.size();
        put_varint(value, bytes);
        const auto bits = static_cast<unsigned>(std::bit_width(value | 1));
        REQUIRE(bytes.size() - before == (bits + 6) / 7);
    }
    ByteReader in(bytes);
    fendex::test::FirstWrong wrong;
    for (const std::uint64_t value : values) {
        const std::uint64_t read = in.varint();
        wrong.check(read == value,
                    [&] { return std::to_string(value) + " reads as " + std::to_string(read); });
    }
    CHECK(wrong.text() == "");
    CHECK(in.done());
    CHECK_FALSE(in.failed());
}

TEST_CASE("A varint that does not end is a failure, and so are all later reads") {
    ByteReader cut("\x80\x80");
    CHECK(cut.varint() == 0);
    CHECK(cut.failed());
    CHECK(cut.done());
    CHECK(cut.varint() == 0);
    CHECK(cut.bytes(0).empty());
    ByteReader endless(std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x01"));
    CHECK(endless.varint() == 0);
    CHECK(endless.failed());
}

TEST_CASE("bytes() takes bytes from the front, never more than are left") {
    ByteReader in("abcde");
    CHECK(in.bytes(2) == "ab");
    CHECK(in.rest() == "cde");
    CHECK(in.bytes(0).empty());
    CHECK(in.bytes(3) == "cde");
    CHECK(in.done());
    CHECK_FALSE(in.failed());
    CHECK(in.bytes(1).empty());
    CHECK(in.failed());
    ByteReader greedy("abc");
    CHECK(greedy.bytes(~std::uint64_t{0}).empty());
    CHECK(greedy.failed());
    CHECK(greedy.rest().empty());
}
