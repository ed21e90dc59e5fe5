// Archives that are cut off, damaged or fail while being read: everything before the damage is
// delivered, then the error.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "pgn/source_fixtures.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::pgn::test;
using Catch::Matchers::Contains;
using fendex::pgn::open_source;
using fendex::pgn::SourceError;
using namespace std::string_literals;

}  // namespace

TEST_CASE("a truncated archive delivers what there is, then says where it ends", "[full]") {
    // Two parts: cuts fall into headers, blocks and checksums, and between the parts.
    const std::string first = sample_text(fendex::test::at_size(800U, 3000U));
    const std::string second = sample_text(fendex::test::at_size(300U, 700U));
    const std::string text = first + second;
    for (const Format& format : formats()) {
        const std::string first_part = format.compress(first);
        const std::string archive = first_part + format.compress(second);
        // Cuts leave at least two bytes, because the first byte alone does not identify an archive.
        for (std::size_t size = 2; size < archive.size(); ++size) {
            for (const std::size_t read_size : Sizes{1, 4096}) {
                CAPTURE(format.name, size, read_size);
                const Outcome outcome = drain_archive(archive.substr(0, size), read_size);
                CHECK(text.starts_with(outcome.text));
                if (size >= first_part.size()) {
                    CHECK(outcome.text.size() >= first.size());
                }
                CHECK(outcome.failed == (size != first_part.size()));
                if (outcome.failed) {
                    // Zeros at the end may be what a broken transfer has not written.
                    const std::size_t end = archive.find_last_not_of('\0', size - 1) + 1;
                    CHECK(outcome.byte == end);
                    CHECK_THAT(outcome.message,
                               Contains("cut off at byte " + std::to_string(end)) &&
                                   Contains(format.name) && Contains("fetch the file again"));
                }
            }
        }
    }
}

TEST_CASE("gzip: a truncated member delivers every byte that can be decoded") {
    const std::string text = sample_text(200'000);
    const std::string archive = gzip_member(text);
    const Outcome outcome = drain_archive(archive.substr(0, archive.size() - 8));
    CHECK(outcome.failed);
    CHECK(same(outcome.text, text));
}

TEST_CASE("zstd: every block before the damage is delivered") {
    // A block holds at most 128 KiB of text. Damage is put where a block's header is, so that it is
    // noticed before anything of that block is decoded: reserved block type 3.
    constexpr std::size_t kBlock = std::size_t{128} << 10;
    const std::string text = sample_text(6 * kBlock);
    const std::string archive = zstd_frame(text, {.checksum = false});
    std::vector<std::size_t> headers;
    std::size_t at = 4 + 2;  // magic, descriptor, window
    for (bool last = false; !last;) {
        headers.push_back(at);
        const auto byte = [&](std::size_t i) {
            return std::size_t{static_cast<unsigned char>(archive[at + i])};
        };
        const std::size_t header = byte(0) | byte(1) << 8 | byte(2) << 16;
        last = (header & 1) != 0;
        REQUIRE((header >> 1 & 1) == 0);  // raw or compressed: the size is that of the block
        at += 3 + (header >> 3);
    }
    REQUIRE(at == archive.size());
    REQUIRE(headers.size() >= 6);
    std::size_t before = 0;
    for (std::size_t block = 0; block < headers.size(); ++block) {
        std::string damaged = archive;
        damaged[headers[block]] |= '\x06';
        std::size_t delivered = 0;
        for (const std::size_t read_size : Sizes{100, 262'144, 1'000'000}) {
            CAPTURE(block, read_size);
            const Outcome outcome = drain_archive(damaged, read_size);
            CHECK(outcome.failed);
            CHECK(text.starts_with(outcome.text));
            CHECK(outcome.byte >= headers[block]);
            CHECK(outcome.byte <= headers[block] + 3);
            // Nothing is lost: as many bytes as after a cut before this header.
            CHECK(outcome.text.size() ==
                  drain_archive(archive.substr(0, headers[block])).text.size());
            delivered = outcome.text.size();
        }
        CHECK(delivered >= before);
        CHECK(delivered >= std::min(block, std::size_t{6}) * kBlock / 2);
        before = delivered;
    }
}

TEST_CASE("bzip2: all blocks before one with a wrong checksum are delivered, and nothing of it",
          "[full]") {
    // Four blocks of 100 kB, in two streams.
    const std::string text = sample_text(380'000);
    const std::string archive =
        bzip2_stream(text.substr(0, 190'000)) + bzip2_stream(text.substr(190'000));
    const std::size_t places = fendex::test::at_size(15U, 70U);
    std::size_t blocks = 0;
    for (std::size_t at = 60; at < archive.size(); at += archive.size() / places) {
        const std::size_t before = drain_archive(archive.substr(0, at)).text.size();
        std::string damaged = archive;
        damaged[at] = static_cast<char>(damaged[at] ^ '\x10');
        for (const std::size_t read_size : Sizes{777, 262'144, 1'000'000}) {
            CAPTURE(at, read_size);
            const Outcome outcome = drain_archive(damaged, read_size);
            CHECK(outcome.failed);
            CHECK(outcome.text.size() == before);
            CHECK(text.starts_with(outcome.text));
        }
        blocks += before != 0 ? 1U : 0U;
    }
    CHECK(blocks > fendex::test::at_size(8U, 40U));
}

TEST_CASE("bzip2: a block of one character, which is 45 MB, is delivered piece by piece") {
    const std::string text(50'000'000, 'a');
    const Outcome outcome = drain_archive(bzip2_stream(text), 100'000);
    CHECK_FALSE(outcome.failed);
    CHECK(same(outcome.text, text));
}

TEST_CASE("a damaged byte is an error, or changes the text if the format has no checksum",
          "[full]") {
    const std::string text = sample_text(fendex::test::at_size(500U, 2500U));
    std::vector<std::pair<std::string, std::string>> archives;
    for (const Format& format : formats()) {
        const std::string part = format.compress(text);
        archives.emplace_back(format.name, part + part);
    }
    archives.emplace_back("zstd without checksum", zstd_frame(text, {.checksum = false}));
    for (const auto& [name, archive] : archives) {
        for (std::size_t at = 0; at < archive.size(); ++at) {
            for (const unsigned flip : {1U << (at % 8), 0xffU}) {
                std::string damaged = archive;
                damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
                CAPTURE(name, at, flip);
                Outcome outcome;
                try {
                    outcome = drain_archive(damaged);
                } catch (const SourceError&) {
                    continue;  // the damaged magic is that of another format
                }
                if (outcome.failed) {
                    CHECK(outcome.byte <= damaged.size());
                    CHECK_FALSE(outcome.message.empty());
                } else if (!same(outcome.text, text + text)) {
                    // Damage is undetected only if the format cannot detect it: in the first magic
                    // number (then it is plain text), in a later one (then a warning tells of
                    // trailing bytes), or without a checksum.
                    const bool plain = outcome.text == damaged;
                    const bool garbage = outcome.text == text && !outcome.warning.empty();
                    CHECK((plain || garbage || name == "zstd without checksum"));
                }
            }
        }
    }
}

TEST_CASE("random bytes after a magic number never do harm") {
    std::mt19937 random(99);
    for (const std::string& magic :
         {"\x28\xb5\x2f\xfd"s, "\x1f\x8b\x08"s, "BZh9"s, "BZh1\x31\x41\x59\x26\x53\x59"s}) {
        for (int round = 0; round < 200; ++round) {
            std::string bytes = magic;
            const std::size_t size = random() % 2000;
            for (std::size_t i = 0; i < size; ++i) {
                bytes += static_cast<char>(random() & 0xff);
            }
            const Outcome outcome = drain_archive(bytes);
            CHECK(outcome.failed);
            CHECK(outcome.byte <= bytes.size());
        }
    }
}

TEST_CASE("after a read error, what was decoded before it is delivered first") {
    // The short text makes a zstd frame shorter than the longest frame header.
    for (const std::string& text : {sample_text(3000), "*"s}) {
        for (const Format& format : formats()) {
            const std::string part = format.compress(text);
            const std::string archive = part + part;
            for (std::size_t size = 1; size <= archive.size(); ++size) {
                if (fendex::test::left_out(size, 7)) continue;
                CAPTURE(format.name, text.size(), size);
                const auto source = make_source(
                    format.name,
                    std::make_unique<PieceSource>(std::vector{archive.substr(0, size)}, true));
                const Outcome outcome = drain(*source);
                CHECK(outcome.failed);
                CHECK(outcome.message == "the disk is on fire");
                CHECK(outcome.byte == size);
                CHECK((text + text).starts_with(outcome.text));
                if (size >= part.size()) {
                    CHECK(outcome.text.size() >= text.size());
                }
            }
        }
    }
    for (const Format& format : formats()) {
        const auto source = make_source(
            format.name, std::make_unique<PieceSource>(std::vector<std::string>{}, true));
        CHECK(drain(*source).failed);
    }
}
