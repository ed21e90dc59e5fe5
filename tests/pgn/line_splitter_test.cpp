// Lines in batches: whatever the sizes, the same lines with the same numbers; reading goes on at
// any line end.
#include "pgn/line_splitter.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

namespace {

using namespace fendex;

struct Line {
    std::uint64_t number = 0;
    std::uint64_t byte = 0;
    std::string text;
    bool truncated = false;

    bool operator==(const Line&) const = default;
};

/// A text that comes in small pieces.
class Pieces final : public pgn::ByteSource {
  public:
    Pieces(std::string text, std::uint64_t seed) : text_(std::move(text)), random_(seed) {}

    std::size_t read(std::span<char> out) override {
        const std::size_t count =
            text_.copy(out.data(), std::min(out.size(), 1 + random_() % 7), at_);
        at_ += count;
        return count;
    }
    std::uint64_t compressed_offset() const override { return at_; }

  private:
    std::string text_;
    std::size_t at_ = 0;
    std::mt19937_64 random_;
};

std::vector<Line> lines_of(const pgn::Batch& batch) {
    std::vector<Line> out;
    std::uint64_t number = batch.first_line;
    for (std::size_t begin = 0; begin < batch.text.size(); ++number) {
        const std::size_t end = std::min(batch.text.find('\n', begin), batch.text.size());
        out.push_back({number, batch.stream_offset + begin, batch.text.substr(begin, end - begin),
                       !batch.extents.empty()});
        begin = end + 1;
    }
    return out;
}

}  // namespace

TEST_CASE("Lines are the same whatever the size of reads and batches") {
    std::mt19937_64 random(1);
    for (unsigned round = 0; round < 200; ++round) {
        std::string text;
        for (std::uint64_t i = random() % 40; i > 0; --i) {
            text += std::string(random() % 30, static_cast<char>('a' + random() % 26));
            text += random() % 8 == 0 ? "\r\n" : "\n";
        }
        if (random() % 2 == 0) text += "the last";
        std::vector<Line> expected;
        std::vector<Line> found;
        std::vector<pgn::Checkpoint> checkpoints;
        Pieces source(text, round);
        pgn::LineSplitter splitter(
            source, {.batch_bytes = 1 + random() % 100, .read_bytes = 1 + random() % 60});
        pgn::Batch batch;
        while (splitter.next(batch)) {
            for (Line& each : lines_of(batch)) found.push_back(std::move(each));
            checkpoints.push_back(batch.checkpoint);
        }
        std::uint64_t number = 1;
        for (std::size_t begin = 0; begin < text.size(); ++number) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            expected.push_back({number, begin, text.substr(begin, end - begin), false});
            begin = end + 1;
        }
        REQUIRE(found == expected);
        CHECK(splitter.text_bytes() == text.size());
        base::Digest whole;
        whole.add(text);
        CHECK(splitter.digest() == whole.hex());
        // From each checkpoint on.
        for (const pgn::Checkpoint& checkpoint : checkpoints) {
            pgn::TextBefore before;
            before.checkpoint = checkpoint;
            before.digest.add(text.substr(0, checkpoint.byte));
            CHECK(before.digest.hex() == checkpoint.digest);
            Pieces rest(text.substr(checkpoint.byte), round);
            pgn::LineSplitter again(rest, {.batch_bytes = 50, .read_bytes = 9}, std::move(before));
            std::vector<Line> after;
            while (again.next(batch)) {
                for (Line& each : lines_of(batch)) after.push_back(std::move(each));
            }
            const auto first =
                std::find_if(expected.begin(), expected.end(),
                             [&](const Line& line) { return line.byte >= checkpoint.byte; });
            CHECK(after == std::vector<Line>(first, expected.end()));
            CHECK(again.digest() == whole.hex());
        }
    }
}

TEST_CASE("A line that is too long is cut, and the lines after it keep their numbers") {
    const std::string text = "first\n" + std::string(1000, 'x') + "\nthird\n";
    Pieces source(text, 1);
    pgn::LineSplitter splitter(source,
                               {.batch_bytes = 10, .read_bytes = 64, .max_line_bytes = 200});
    std::vector<Line> found;
    pgn::Batch batch;
    while (splitter.next(batch)) {
        for (Line& each : lines_of(batch)) found.push_back(std::move(each));
    }
    REQUIRE(found.size() == 3);
    CHECK(found[1].truncated);
    CHECK(found[1].text.size() < 300);
    CHECK(found[2] == Line{3, 1007, "third", false});
    CHECK(splitter.checkpoint().byte == text.size());
}
