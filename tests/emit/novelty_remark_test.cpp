#include "emit/novelty_remark.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "codec/annotation.hpp"

namespace {

using namespace fendex;

/// The annotation as text: "M" for a move of the game.
std::string text_of(std::string_view stream) {
    using Token = codec::AnnotationToken;
    std::string out;
    codec::AnnotationStreamReader in(stream);
    while (in.next()) {
        switch (in.token()) {
            case Token::kMove: out += 'M'; break;
            case Token::kComment: out.append("{").append(in.text()).append("}"); break;
            case Token::kGlyph: out.append("<").append(in.text()).append(">"); break;
            case Token::kOpen: out += '('; break;
            case Token::kClose: out += ')'; break;
            case Token::kWord: out.append(in.text()).append(" "); break;
            case Token::kResult: out += '='; break;
        }
    }
    CHECK_FALSE(in.corrupt());
    return out;
}

std::string remarked(const std::function<void(codec::AnnotationStreamWriter&)>& write,
                     std::uint32_t ply) {
    codec::AnnotationStreamWriter out;
    write(out);
    std::string stream;
    if (!out.empty()) out.append_to(stream);
    return text_of(emit::with_remark(stream, ply, "$146", "new"));
}

store::GameHeader header() {
    store::GameHeader game;
    game.white = "Kramnik, Vladimir";
    game.black = "Leko";
    game.event = "Linares";
    game.site = "Linares ESP";
    game.date = "2003.02.24";
    game.result = codec::Result::kWhiteWins;
    return game;
}

}  // namespace

TEST_CASE("A remark comes after the glyphs of its move, before its comments") {
    const auto annotated = [](codec::AnnotationStreamWriter& out) {
        out.comment("before");
        out.move();
        out.glyph("!");
        out.glyph("$16");
        out.comment("[%clk 0:01:02] after");
        out.open();
        out.word("d4");
        out.comment("in it");
        out.close();
        out.move();
        out.move();
        out.glyph("$146");
        out.result();
        out.comment("end");
    };
    const std::string after = "{[%clk 0:01:02] after}(d4 {in it})";
    CHECK(remarked(annotated, 1) == "{before}M<!><$16><$146>{new}" + after + "MM<$146>={end}");
    CHECK(remarked(annotated, 2) == "{before}M<!><$16>" + after + "M<$146>{new}M<$146>={end}");
    CHECK(remarked(annotated, 3) == "{before}M<!><$16>" + after + "MM<$146>{new}={end}");
    CHECK(remarked(annotated, 5) == "{before}M<!><$16>" + after + "MM<$146>={end}MM<$146>{new}");
    const auto plain = [](codec::AnnotationStreamWriter& out) { out.move(); };
    CHECK(remarked(plain, 1) == "M<$146>{new}");
    CHECK(remarked(plain, 3) == "MMM<$146>{new}");
    CHECK_THROWS_AS(emit::with_remark(std::string(3, '\xFF'), 1, "$146", "new"),
                    std::invalid_argument);
}

TEST_CASE("game_in_words() has surnames, place, year and result, as far as they are known") {
    store::GameHeader game = header();
    CHECK(emit::game_in_words(game) == "Kramnik - Leko, Linares 2003, 1-0");
    game.event = "Linares 2003";
    CHECK(emit::game_in_words(game) == "Kramnik - Leko, Linares 2003, 1-0");
    game.event = "?";
    game.black.reset();
    CHECK(emit::game_in_words(game) == "Kramnik - ?, Linares ESP 2003, 1-0");
    game.site = "";
    game.result = codec::Result::kUnknown;
    CHECK(emit::game_in_words(game) == "Kramnik - ?, 2003");
    game.date = "????.??.??";
    CHECK(emit::game_in_words(game) == "Kramnik - ?");
}

TEST_CASE("The comment on a novelty names the last known position and the moves played before") {
    query::KnownPosition known;
    known.total.games = 1;
    CHECK(emit::novelty_comment(known, header()) ==
          "Last known position: 1 game, Kramnik - Leko, Linares 2003, 1-0. It ended here");
    known.total.games = 12;
    CHECK(emit::novelty_comment(known, header()) ==
          "Last known position: 12 games, most recently Kramnik - Leko, Linares 2003, 1-0. All "
          "ended here");
    for (const char* const san : {"Nf3", "d4", "c4", "g3", "b3", "a3", "h3"}) {
        known.played.push_back({san, {}, {}});
        known.played.back().tally.games = 10 - known.played.size();
    }
    CHECK(emit::novelty_comment(known, header()) ==
          "Last known position: 12 games, most recently Kramnik - Leko, Linares 2003, 1-0. Played "
          "before: Nf3 (9), d4 (8), c4 (7), g3 (6), b3 (5), a3 (4), ...");
}
