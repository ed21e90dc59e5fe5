// The reader's events for annotations; and that a visitor which wants them sees the same moves.
#include <catch2/catch.hpp>

#include "pgn/pgn_fixtures.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex::pgn;
using namespace fendex::pgn::test;

/// A recorder that also writes down annotations, and moves among them.
struct AnnotationRecorder : Recorder {
    std::vector<std::string> events;
    int depth = 0;
    bool sane = true;

    bool move(std::string_view san, const char* where) {
        const bool wanted = Recorder::move(san, where);
        if (wanted) events.emplace_back("move");
        return wanted;
    }
    void comment(std::string_view text) { events.push_back("{" + std::string(text)); }
    void glyph(std::string_view text) {
        sane = sane && !text.empty();
        events.emplace_back(text);
    }
    void open_variation() {
        ++depth;
        events.emplace_back("(");
    }
    void word(std::string_view text) {
        sane = sane && depth > 0 && !text.empty();
        events.emplace_back(text);
    }
    void close_variation() {
        sane = sane && depth-- > 0;
        events.emplace_back(")");
    }
};

AnnotationRecorder annotations(std::string_view text, bool truncated = false,
                               std::size_t limit = std::numeric_limits<std::size_t>::max()) {
    AnnotationRecorder recorder;
    recorder.begin = text.data();
    recorder.limit = limit;
    read_game(text, truncated, recorder);
    return recorder;
}

using Events = std::vector<std::string>;

TEST_CASE("A visitor gets comments, glyphs and variations in the order of the text") {
    CHECK(annotations("[Event \"x\"]\n; one\n{two} 1. e4! $1$22 {three}e5?!+- (1... c5 {in {it} }"
                      "2.Nf3!(2. c3 )) +/- 2. d4 ; four } \n% gone {\n-+ *")
              .events == Events{"{ one", "{two", "move",      "!",  "$1",   "$22", "{three",
                                "move",  "?!",   "+-",        "(",  "1...", "c5",  "{in {it} ",
                                "2.",    "Nf3!", "(",         "2.", "c3",   ")",   ")",
                                "+/-",   "move", "{ four } ", "-+"});
}

TEST_CASE("A glyph may follow the e.p. of a capture") {
    CHECK(annotations("exd6 e.p.! exd6ep? exd6 ep.+- *").events ==
          Events{"move", "!", "move", "?", "move", "+-"});
}

TEST_CASE("Check marks and mate marks are not glyphs") {
    const auto marks = [](std::string_view move) {
        const MoveGlyphs glyphs = glyphs_of_move(move);
        return std::string(glyphs.mark) + "|" + std::string(glyphs.evaluation);
    };
    CHECK(marks("Nf3") == "|");
    CHECK(marks("Nf3+") == "|");
    CHECK(marks("Nf3++") == "|");
    CHECK(marks("Qh8#") == "|");
    CHECK(marks("Nf3+!") == "!|");
    CHECK(marks("Nf3!+") == "!|");
    CHECK(marks("Qh8#!?") == "!?|");
    CHECK(marks("Nf3+-") == "|+-");
    CHECK(marks("Nf3++-") == "|+-");
    CHECK(marks("Nf3!!+/-") == "!!|+/-");
    CHECK(marks("e8=Q+?!=") == "?!|=");
    CHECK(marks("Nf3!--") == "!|");  // would be a null move
}

TEST_CASE("A visitor gets every word of a variation, whatever the words are") {
    CHECK(annotations("e4 (junk [x] $5! ... <b> 1/2 1-0 * e8(Q)= ;line (\n}%no) e5").events ==
          Events{"move", "(", "junk", "[",   "x", "]",      "$5",      "!",   "...", "<",
                 "b",    ">", "1/2",  "1-0", "*", "e8(Q)=", "{line (", "%no", ")",   "move"});
}

TEST_CASE("A piece in parentheses belongs to the word before it if that ends in 1 or 8") {
    CHECK(annotations("e4 (8(Q) $1(N) 0-1(R) e8(Q)) e5").events ==
          Events{"move", "(", "8(Q)", "$1(N)", "0-1(R)", "e8(Q)", ")", "move"});
}

TEST_CASE("Open comments and variations are closed at the end of the text") {
    CHECK(annotations("e4 (d4 (c4 {x").events ==
          Events{"move", "(", "d4", "(", "c4", "{x", ")", ")"});
}

TEST_CASE("A visitor that wants no more moves gets no more annotations") {
    CHECK(annotations("e4 {a} e5! {b} (d5) Nf3 {c}", false, 2).events == Events{"move", "{a"});
}

TEST_CASE("Tags, moves, results and problems are the same with and without annotations") {
    std::mt19937_64 random(11);
    std::vector<std::string> texts = nasty_texts();
    for (const std::string& text : nasty_texts()) {
        for (int i = 0; i < fendex::test::fewer(300); ++i) texts.push_back(mutate(text, random));
    }
    for (const std::string& text : texts) {
        for (const bool truncated : {false, true}) {
            const Recorder plain = read(text, truncated);
            const AnnotationRecorder annotated = annotations(text, truncated);
            CAPTURE(text);
            REQUIRE(annotated.tags == plain.tags);
            REQUIRE(annotated.moves == plain.moves);
            REQUIRE(annotated.results == plain.results);
            REQUIRE(annotated.problems == plain.problems);
            REQUIRE(annotated.sane);
            REQUIRE(annotated.depth == 0);
        }
    }
}

TEST_CASE("A comment whose braces fit is read back unchanged, whatever follows it") {
    std::mt19937_64 random(12);
    unsigned fits = 0;
    unsigned unless = 0;
    for (int round = 0; round < fendex::test::fewer(20000); ++round) {
        std::string text;
        for (auto n = random() % 6; n > 0; --n) {
            text += std::vector<std::string>{
                "{", "}", "a", "\n[Event \"", "\n", std::string(1100, ' ')}[random() % 6];
        }
        const BraceFit fit = fit_braces(text);
        for (const std::string behind : {" e4", " e4 {x}", " e4 }"}) {
            if (fit == BraceFit::kNot) continue;
            if (fit == BraceFit::kUnlessClosed && behind.back() == '}' && behind.size() == 5)
                continue;
            const std::string written = "{" + text + "}" + behind;
            const AnnotationRecorder read_back = annotations(written);
            REQUIRE(read_back.events.size() >= 2);
            REQUIRE(read_back.events[0] == "{" + text);
            REQUIRE(read_back.events[1] == "move");
        }
        fits += fit == BraceFit::kFits ? 1U : 0U;
        unless += fit == BraceFit::kUnlessClosed ? 1U : 0U;
    }
    CHECK(fits > fendex::test::fewer(1000U));
    CHECK(unless > 100);
}

TEST_CASE("Comments become UTF-8 with LF as line end, and keep their backslashes") {
    CHECK(clean_text("a\r\nb\rc\n\r\n") == "a\nb\nc\n\n");
    CHECK(clean_text("\xFC \\\" \\\\") == "\xC3\xBC \\\" \\\\");
    CHECK(clean_text("\xC3\xBC") == "\xC3\xBC");
    CHECK(clean_text(std::string("a\0b", 3)) == "a b");
}

}  // namespace
