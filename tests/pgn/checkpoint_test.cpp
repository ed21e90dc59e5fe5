// Reading a text from a checkpoint gives the same result as reading it without a break.
#include <catch2/catch.hpp>

#include "base/digest.hpp"
#include "pgn/pgn_fixtures.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;
using fendex::base::Digest;

std::string digest_of(std::string_view text) {
    Digest digest;
    digest.add(text);
    return digest.hex();
}

/// Returns what is known of the text before a checkpoint.
TextBefore before(std::string_view text, const Checkpoint& checkpoint) {
    const std::string_view skipped = text.substr(0, checkpoint.byte);
    TextBefore out{checkpoint, {}, {}};
    out.digest.add(skipped);
    out.last_bytes =
        skipped.substr(skipped.size() - std::min(skipped.size(), Splitter::kLookbehind));
    return out;
}

struct Ending {
    Checkpoint checkpoint;
    std::string digest;
    std::uint64_t bytes = 0;
};

/// Returns all pieces from a checkpoint on; checks what the splitter reports at the end.
std::vector<Piece> pieces_from(std::string_view text, const Checkpoint& checkpoint,
                               const SplitterOptions& options) {
    TextSource source(text.substr(checkpoint.byte));
    Splitter splitter(source, options, before(text, checkpoint));
    std::vector<Piece> pieces;
    for (Batch batch; splitter.next(batch);) {
        for (const Extent& extent : batch.extents) {
            pieces.push_back({extent.kind, batch.stream_offset + extent.offset,
                              batch.first_line + count_lines(batch.text, extent.offset),
                              extent.truncated, batch.text.substr(extent.offset, extent.size)});
        }
    }
    CHECK(splitter.text_bytes() == text.size());
    CHECK(splitter.digest() == digest_of(text));
    return pieces;
}

/// Checks every checkpoint of the text; returns their number.
std::size_t check_restarts(const std::string& text, const SplitterOptions& options) {
    const std::vector<Piece> expected = pieces_from(text, {0, 1, digest_of("")}, options);
    std::vector<Checkpoint> checkpoints;
    TextSource source(text);
    Splitter splitter(source, options);
    for (Batch batch; splitter.next(batch);) checkpoints.push_back(batch.checkpoint);
    checkpoints.push_back(splitter.checkpoint());
    for (const Checkpoint& checkpoint : checkpoints) {
        CAPTURE(text, checkpoint.byte);
        CHECK(checkpoint.line == line_at(text, checkpoint.byte));
        CHECK(checkpoint.digest == digest_of(text.substr(0, checkpoint.byte)));
        const auto behind = std::find_if(expected.begin(), expected.end(), [&](const Piece& piece) {
            return piece.offset >= checkpoint.byte;
        });
        const std::vector<Piece> rest(behind, expected.end());
        REQUIRE((pieces_from(text, checkpoint, options) == rest));
    }
    // A game is after the last checkpoint only if the text ends in it or it is too long.
    const auto games = std::count_if(expected.begin(), expected.end(), [&](const Piece& piece) {
        return piece.kind == Extent::Kind::kGame && piece.offset >= checkpoints.back().byte;
    });
    CHECK(games <= 1);
    return checkpoints.size();
}

}  // namespace

TEST_CASE("A digest is XXH3 of 128 bits") {
    // The output of `printf '' | xxhsum -H2` and `printf abc | xxhsum -H2`.
    CHECK(digest_of("") == "99aa06d3014798d86001c324468d497f");
    CHECK(digest_of("abc") == "06b05ab6733a618578af5f94892f3950");
}

TEST_CASE("A text can be read on from every checkpoint") {
    std::string all;
    for (const std::string& text : nasty_texts()) {
        for (const std::size_t limit : {std::size_t{12}, std::size_t{1} << 17}) {
            for (const std::size_t read : {std::size_t{1}, std::size_t{64}, std::size_t{5000}}) {
                check_restarts(text, {1, read, limit});
            }
        }
        all += text + "\n[Event \"next\"]\n\n*\n";  // ends a comment, too
    }
    CHECK(check_restarts(all, {1, 7, 30}) > 10);
    CHECK(check_restarts(all, {1, 4096, std::size_t{1} << 17}) > 1);
}

TEST_CASE("A damaged text can be read on from every checkpoint") {
    std::mt19937_64 random(20'261'121);
    for (int round = 0; round < 400; ++round) {
        std::string text;
        for (std::uint64_t parts = 2 + random() % 4; parts-- > 0;) {
            text += nasty_texts()[random() % nasty_texts().size()] + "\n";
        }
        text = mutate(std::move(text), random);
        check_restarts(text, {1 + random() % 200, 1 + random() % 100, 8 + random() % 500});
    }
}

TEST_CASE("A read error leaves a checkpoint after the last whole game") {
    const std::string text = "1. e4 *\n\n1. d4 1-0\n[Event \"x\"]\n\n1. c4 c5";
    TextSource source(text, 5, 9);  // fails in the third game
    Splitter splitter(source, {1, 5, 1000});
    Batch batch;
    CHECK_THROWS_AS(
        [&] {
            while (splitter.next(batch)) {
            }
        }(),
        SourceError);
    CHECK(splitter.checkpoint().byte == text.find("\n[Event"));
    CHECK(splitter.text_bytes() == 40);
    CHECK(splitter.digest() == digest_of(text.substr(0, 40)));
}
