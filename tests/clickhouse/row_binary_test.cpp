#include "clickhouse/client/row_binary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "store/store_error.hpp"

using namespace fendex::clickhouse;
using fendex::store::StoreError;

namespace {

// Gives a few bytes at a time, so that values are cut everywhere.
class SlowSource : public RowSource {
  public:
    SlowSource(std::string bytes, std::size_t step) : bytes_(std::move(bytes)), step_(step) {}

    bool append_to(std::string& out) override {
        const std::size_t length = std::min(step_, bytes_.size() - position_);
        out.append(bytes_, position_, length);
        position_ += length;
        return length != 0;
    }

  private:
    std::string bytes_;
    std::size_t step_;
    std::size_t position_ = 0;
};

struct Row {
    std::uint8_t a;
    std::uint16_t b;
    std::uint32_t c;
    std::uint64_t d;
    std::int8_t e;
    std::string f;
    std::vector<std::uint32_t> g;
    std::vector<std::uint64_t> h;

    friend bool operator==(const Row&, const Row&) = default;
};

Row random_row(std::mt19937_64& random) {
    Row row{.a = static_cast<std::uint8_t>(random()),
            .b = static_cast<std::uint16_t>(random()),
            .c = static_cast<std::uint32_t>(random()),
            .d = random(),
            .e = static_cast<std::int8_t>(random()),
            .f = std::string(random() % 300, static_cast<char>(random())),
            .g = std::vector<std::uint32_t>(random() % 4),
            .h = std::vector<std::uint64_t>(random() % 200)};
    for (auto& value : row.g) value = static_cast<std::uint32_t>(random());
    for (auto& value : row.h) value = random();
    return row;
}

void write(const Row& row, RowWriter& out) {
    out.u8(row.a);
    out.u16(row.b);
    out.u32(row.c);
    out.u64(row.d);
    out.i8(row.e);
    out.string(row.f);
    out.size(row.g.size());
    for (const auto value : row.g) out.u32(value);
    out.size(row.h.size());
    for (const auto value : row.h) out.u64(value);
}

Row read(RowReader& in) {
    Row row{};
    row.a = in.u8();
    row.b = in.u16();
    row.c = in.u32();
    row.d = in.u64();
    row.e = in.i8();
    row.f = in.string();
    row.g = in.u32s();
    row.h = in.u64s();
    return row;
}

}  // namespace

TEST_CASE("RowBinary is little-endian with LEB128 lengths") {
    RowWriter out;
    out.u16(0x0102);
    out.i8(-1);
    out.string("ab");
    out.size(300);
    CHECK(out.bytes() ==
          "\x02\x01\xFF\x02"
          "ab\xAC\x02");
    out.clear();
    CHECK(out.bytes().empty());
}

TEST_CASE("RowBinary: values are read back unchanged, however the bytes are cut") {
    std::mt19937_64 random(17);
    std::vector<Row> rows;
    RowWriter out;
    for (int count = 0; count < 50; ++count) {
        rows.push_back(random_row(random));
        write(rows.back(), out);
    }
    const auto check = [&](RowReader in) {
        for (const Row& row : rows) {
            REQUIRE_FALSE(in.at_end());
            REQUIRE(read(in) == row);
        }
        CHECK(in.at_end());
        CHECK(in.at_end());
    };
    check(RowReader(out.bytes()));
    for (const std::size_t step : {1u, 2u, 7u, 4096u, 1u << 20}) {
        SlowSource source(out.bytes(), step);
        check(RowReader(source));
    }
}

TEST_CASE("Lines are read, however the bytes are cut") {
    const std::string text = "one\n\ntwo\tthree\n" + std::string(5000, 'x') + "\nfour";
    for (const std::size_t step : {1u, 3u, 4096u, 1u << 20}) {
        SlowSource source(text, step);
        RowReader in(source);
        CHECK(in.line() == "one");
        CHECK(in.line().empty());
        CHECK(in.line() == "two\tthree");
        CHECK(in.line() == std::string(5000, 'x'));
        CHECK_FALSE(in.at_end());
        CHECK_THROWS_AS(in.line(), StoreError);
    }
}

TEST_CASE("RowBinary: a row that is cut off is an error") {
    std::mt19937_64 random(18);
    for (int count = 0; count < 10; ++count) {
        RowWriter out;
        write(random_row(random), out);
        const std::string& whole = out.bytes();
        for (std::size_t length = 0; length < whole.size(); ++length) {
            RowReader in(std::string_view(whole).substr(0, length));
            CHECK_THROWS_AS(read(in), StoreError);
            SlowSource source(whole.substr(0, length), 5);
            RowReader slow(source);
            CHECK_THROWS_AS(read(slow), StoreError);
        }
    }
}

TEST_CASE("RowBinary: absurd lengths are errors and allocate no memory") {
    const std::string bytes = GENERATE(std::string(20, '\xFF'), std::string(9, '\xFF') + '\x7F',
                                       std::string("\xFF\xFF\xFF\xFF\x0F"));
    CHECK_THROWS_AS(RowReader(bytes).string(), StoreError);
    CHECK_THROWS_AS(RowReader(bytes).u32s(), StoreError);
    CHECK_THROWS_AS(RowReader(bytes).u64s(), StoreError);
}
