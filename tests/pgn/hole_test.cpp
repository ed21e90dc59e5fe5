// Archives with zeros where a broken transfer wrote nothing: at the end, or inside. No text is made
// of these zeros, and zeros that belong to an archive do no harm.
#include "pgn/hole.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "pgn/source_fixtures.hpp"

namespace {

using namespace fendex::pgn::test;
using Catch::Matchers::Contains;
using fendex::pgn::find_hole;
using fendex::pgn::kMinHole;
using fendex::pgn::SourceError;

std::string zeros(std::size_t count) { return std::string(count, '\0'); }

std::vector<Format> all_formats() {
    std::vector<Format> all = formats();
    all.push_back(
        {"zstd", [](std::string_view text) { return zstd_frame(text, {.checksum = false}); }});
    return all;
}

/// Reads an archive that comes in pieces, as from a pipe.
Outcome drain_pieces(const std::string& format, std::string_view archive,
                     std::size_t read_size = 4096) {
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < archive.size(); at += 1000) {
        pieces.emplace_back(archive.substr(at, 1000));
    }
    return drain(*make_source(format, std::make_unique<PieceSource>(std::move(pieces), false)),
                 read_size);
}

/// Returns from where on the failure says that the text may be wrong.
std::optional<std::uint64_t> wrong_from(const std::string& format, const std::string& archive) {
    const auto source = make_source(
        format, std::make_unique<PieceSource>(std::vector<std::string>{archive}, false));
    std::vector<char> buffer(100'000);
    try {
        while (source->read(buffer) != 0) {
        }
    } catch (const SourceError& error) {
        return error.wrong_from();
    }
    FAIL_CHECK("no failure");
    return std::nullopt;
}

}  // namespace

TEST_CASE("A hole is a run of at least kMinHole zeros, found at any offset") {
    for (const std::size_t begin : {0U, 1U, 511U, 512U, 513U, 1700U}) {
        for (const std::size_t size : {1U, 511U, 512U, 513U, 1023U, 1024U, 5000U}) {
            for (const std::size_t rest : {0U, 1U, 600U}) {
                CAPTURE(begin, size, rest);
                const std::string bytes =
                    std::string(begin, 'x') + zeros(size) + std::string(rest, 'y');
                const auto hole = find_hole(bytes);
                REQUIRE(hole.has_value() == (size >= kMinHole));
                if (!hole) continue;
                CHECK(hole->begin == begin);
                CHECK(hole->end == begin + size);
                CHECK_FALSE(find_hole(bytes, hole->end));
                const auto second = find_hole(bytes + 'z' + bytes, hole->end);
                REQUIRE(second);
                CHECK(second->begin == bytes.size() + 1 + begin);
            }
        }
    }
}

TEST_CASE("An archive that ends in zeros counts as cut off after its last other byte") {
    const std::string text = sample_text(30'000);
    for (const Format& format : all_formats()) {
        const std::string archive = format.compress(text);
        for (std::size_t cut = 20; cut < archive.size(); cut += archive.size() / 60) {
            const std::size_t end = archive.find_last_not_of('\0', cut - 1) + 1;
            const Outcome expected = drain_pieces(format.name, archive.substr(0, end));
            REQUIRE(expected.failed);
            REQUIRE(text.starts_with(expected.text));
            const std::size_t round = cut % 3;
            const std::size_t size = round == 0   ? archive.size() - end
                                     : round == 1 ? 3000
                                                  : 400'000;
            for (const std::size_t read_size : Sizes{7, 100'000}) {
                CAPTURE(format.name, cut, size, read_size);
                const Outcome outcome =
                    drain_pieces(format.name, archive.substr(0, end) + zeros(size), read_size);
                CHECK(outcome.failed);
                CHECK(same(outcome.text, expected.text));
                CHECK(outcome.byte == end);
                CHECK_THAT(outcome.message, Contains("cut off at byte " + std::to_string(end)) &&
                                                Contains("everything before it was read") &&
                                                Contains("fetch the file again"));
                CHECK((outcome.message.find("only zeros follow") != std::string::npos) ==
                      (size >= kMinHole));
            }
        }
    }
}

TEST_CASE("Zeros that are an archive's last bytes belong to it, and zeros after it are padding") {
    std::vector<std::pair<std::string, std::string>> archives;  // format and archive
    const std::string text = "1. e4 e5 2. Nf3 1-0\n";
    for (const std::string& each : {text, std::string()}) {
        for (const Format& format : all_formats()) {
            const std::string archive = format.compress(each);
            for (const std::size_t size : Sizes{0, 1, 100, 300'000}) {
                for (const std::size_t read_size : Sizes{1, 4096}) {
                    CAPTURE(format.name, each.size(), size, read_size);
                    const Outcome outcome =
                        drain_pieces(format.name, archive + zeros(size), read_size);
                    CHECK_FALSE(outcome.failed);
                    CHECK(outcome.text == each);
                    CHECK(outcome.warning.empty());
                }
            }
            // One of the zeros that end it is missing.
            if (archive.back() != '\0') continue;
            CHECK(drain_pieces(format.name, archive.substr(0, archive.size() - 1)).failed);
        }
    }
}

TEST_CASE("zstd: zeros in skippable frames are not a hole") {
    const auto skippable = [](std::size_t size) {
        std::string frame = skippable_frame(size);
        std::fill(frame.begin() + 8, frame.end(), '\0');
        return frame;
    };
    const std::string text = sample_text(5000);
    const std::string frame = zstd_frame(text);
    for (const std::size_t size : Sizes{0, 5, 4000, 500'000}) {
        CAPTURE(size);
        const Outcome outcome = drain_pieces(
            "zstd", skippable(size) + frame + skippable(size) + frame + skippable(size));
        CHECK_FALSE(outcome.failed);
        CHECK(same(outcome.text, text + text));
    }
}

TEST_CASE("gzip: zeros that encode a long run of one character are not a hole") {
    const std::string text = sample_text(2000) + std::string(20'000'000, ' ') + sample_text(2000);
    const std::string archive = gzip_member(text);
    REQUIRE(find_hole(archive));
    const Outcome outcome = drain_pieces("gzip", archive, 100'000);
    CHECK_FALSE(outcome.failed);
    CHECK(same(outcome.text, text));
    // If it is cut off, nobody knows.
    CHECK(wrong_from("gzip", archive.substr(0, archive.size() - 5)) == 0U);
}

TEST_CASE("A hole inside shows that text is wrong even if no checksum does") {
    const std::string text = sample_text(300'000);
    const auto with_hole = [](std::string archive, std::size_t at, std::size_t size) {
        return archive.replace(at, size, zeros(size));
    };
    const std::string gzip = gzip_member(text);
    for (std::size_t at = 500; at + 2000 < gzip.size(); at += 3500) {
        CAPTURE(at);
        const std::size_t size = at % 1000 == 0 ? kMinHole : 1200;
        CHECK(wrong_from("gzip", with_hole(gzip, at, size).substr(0, at + 1400)) == 0U);
    }
    // After the first block.
    const std::string zstd = zstd_frame(text, {.checksum = false});
    for (std::size_t at = zstd.size() / 2; at + 2000 < zstd.size(); at += 3500) {
        CAPTURE(at);
        CHECK(wrong_from("zstd", with_hole(zstd, at, kMinHole)) == 0U);
    }
    // Too many zeros to be text of any kind: nothing of them is decoded.
    const std::string member = gzip.substr(0, 9000);
    const Outcome outcome = drain_pieces("gzip", member + zeros(1'000'000) + gzip.substr(9000));
    CHECK(outcome.failed);
    CHECK(same(outcome.text, drain_pieces("gzip", member).text));
}
