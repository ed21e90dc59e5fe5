// The sizes of reads and batches, in bytes and games, must not change what a game is.
#include <catch2/catch.hpp>

#include "pgn/pgn_fixtures.hpp"
#include "support/corpus.hpp"
#include "support/first_wrong.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;

constexpr std::size_t kBig = std::size_t{1} << 17;

/// Splits the text in one go, checks the line numbers, and then splits it in many other ways.
void check_cuts(const std::string& text, const std::vector<std::size_t>& reads,
                const std::vector<std::size_t>& batches, std::size_t max_game_bytes) {
    TextSource whole(text);
    const SplitOutcome expected = split(whole, {.batch_bytes = text.size() + 1,
                                                .read_bytes = text.size() + 1,
                                                .max_game_bytes = max_game_bytes});
    REQUIRE(expected.sane);
    fendex::test::FirstWrong wrong;
    for (const Piece& piece : expected.pieces) {
        const auto check = [&](bool right, const char* what) {
            wrong.check(right, [&] {
                return std::string(what) + " of the piece at byte " + std::to_string(piece.offset) +
                       ", line " + std::to_string(piece.line);
            });
        };
        check(piece.line == line_at(text, piece.offset), "the line");
        check(text.compare(piece.offset, piece.text.size(), piece.text) == 0, "the text");
        check(piece.kind == Extent::Kind::kJunk || piece.text.size() <= max_game_bytes, "the size");
    }
    CHECK(wrong.text() == "");
    const auto check_split = [&](std::size_t read, std::size_t batch, std::size_t games) {
        TextSource source(text);
        const SplitOutcome outcome = split(source, {.batch_bytes = batch,
                                                    .batch_games = games,
                                                    .read_bytes = read,
                                                    .max_game_bytes = max_game_bytes});
        CAPTURE(read, batch, games, max_game_bytes, text.substr(0, 400));
        REQUIRE(outcome.sane);
        REQUIRE(outcome.pieces.size() == expected.pieces.size());
        REQUIRE((outcome.pieces == expected.pieces));
    };
    for (const std::size_t read : reads) {
        for (const std::size_t batch : batches) check_split(read, batch, text.size() + 1);
        check_split(read, kBig, 1 + read % 3);
    }
}

const std::vector<std::size_t> kReads{1, 2, 3, 7, 64, 1000, 1023, 1024, 1025, 4099};
const std::vector<std::size_t> kBatches{1, 2, 4, 5, 9, 100, 1500, 5000, kBig};

/// Checks the files of two folders of the corpus, or of its cut.
void check_files(const std::string& corpus) {
    std::mt19937_64 random(20'250'102);
    for (const char* folder : {"/nasty", "/annotated"}) {
        for (const std::string& path : fendex::test::files_below(corpus + folder)) {
            INFO(path);
            std::string text = read_file(path);
            const std::size_t limit = random() % 3 == 0 ? 100 + random() % 2000 : kBig;
            check_cuts(text, {1000, 4099}, {1000, kBig}, limit);
            // Reading byte by byte is slow, so only the beginning is read so, and damaged.
            text.resize(std::min<std::size_t>(text.size(), 12'000));
            check_cuts(text, {1, 7}, {1, 3000}, limit);
            check_cuts(mutate(text, random), {3, 64}, {1, 3000}, limit);
        }
    }
}

}  // namespace

TEST_CASE("Games are the same however the text is read and cut") {
    for (const std::string& text : nasty_texts()) {
        for (const std::size_t limit : {std::size_t{12}, std::size_t{60}, kBig}) {
            check_cuts(text, kReads, kBatches, limit);
        }
    }
}

TEST_CASE("Games are the same however one long text is read and cut", "[full]") {
    std::string text;
    for (int round = 0; round < 40; ++round) {
        const auto number = static_cast<std::size_t>(round);
        if (fendex::test::left_out(number) || fendex::test::left_to_full_size(number, 8)) continue;
        for (const std::string& each : nasty_texts()) text += each + "\n\n";
        text += "[Event \"" + std::string(static_cast<std::size_t>(round) * 97, 'x') +
                "\"]\n\n1. e4 *\n";
    }
    for (const std::size_t limit : {std::size_t{40}, std::size_t{1200}, kBig}) {
        check_cuts(text, {1, 3, 64, 1000, 1025, 4099}, {1, 100, 5000, kBig}, limit);
    }
}

TEST_CASE("Games of damaged text are the same however it is read and cut") {
    std::mt19937_64 random(20'250'101);
    for (int round = 0; round < fendex::test::fewer(1500); ++round) {
        std::string text;
        for (std::uint64_t parts = 1 + random() % 3; parts-- > 0;) {
            text += nasty_texts()[random() % nasty_texts().size()] + "\n";
        }
        text = mutate(std::move(text), random);
        const std::size_t limit = random() % 3 == 0 ? 8 + random() % 500 : kBig;
        check_cuts(text, {1, 1 + random() % 1200}, {1 + random() % 200, kBig}, limit);
    }
}

TEST_CASE("Games of other parsers' test files are the same however they are read and cut") {
    check_files(fendex::test::corpus_cut());
}

TEST_CASE("Games of the corpus are the same however it is read and cut", "[.corpus]") {
    check_files(fendex::test::whole_corpus());
}

TEST_CASE("A game that is too long is always cut off at the same byte") {
    const std::string body(5000, 'x');
    const std::string text = "[Event \"a\"]\n\n1. e4 {" + body + "} 1-0\n[Event \"b\"]\n\n1. d4 {" +
                             body + "} *\n\n1. c4 {" + body;
    for (const std::size_t read : {std::size_t{1}, std::size_t{100}, kBig}) {
        TextSource source(text);
        const SplitOutcome outcome =
            split(source, {.batch_bytes = 1, .read_bytes = read, .max_game_bytes = 2000});
        REQUIRE(outcome.pieces.size() == 3);
        for (const Piece& piece : outcome.pieces) {
            CHECK(piece.truncated);
            CHECK(piece.text.size() == 2000);
            CHECK(text.compare(piece.offset, 2000, piece.text) == 0);
        }
    }
}

TEST_CASE("Text outside games is reported with its beginning only") {
    for (const std::size_t read : {std::size_t{1}, std::size_t{100}, kBig}) {
        std::string text;
        while (text.size() < 20'000) text += "lorem ipsum ";
        text += "\n\n[Event \"a\"]\n\n1. e4 *\n";
        TextSource source(text);
        const SplitOutcome outcome = split(source, {.batch_bytes = 1000, .read_bytes = read});
        REQUIRE(outcome.pieces.size() == 2);
        CHECK(outcome.pieces[0].kind == Extent::Kind::kJunk);
        CHECK(outcome.pieces[0].truncated);
        CHECK(outcome.pieces[0].text == text.substr(0, 4096));
        CHECK(outcome.pieces[1].kind == Extent::Kind::kGame);
        CHECK(outcome.pieces[1].text == "[Event \"a\"]\n\n1. e4 *");
    }
}
