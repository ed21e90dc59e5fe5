#include "emit/novelty_remark.hpp"

#include <algorithm>
#include <stdexcept>

#include "codec/annotation.hpp"

namespace fendex::emit {

namespace {

/// Moves that are listed as played before.
constexpr std::size_t kMostListed = 6;

bool says_something(const std::optional<std::string_view>& text) {
    return text && text->find_first_not_of("?-. ") != std::string_view::npos;
}

std::string surname(const std::optional<std::string_view>& name) {
    if (!says_something(name)) return "?";
    return std::string(name->substr(0, name->find(',')));
}

}  // namespace

std::string game_in_words(const store::GameHeader& game) {
    std::string out = surname(game.white) + " - " + surname(game.black);
    std::string where;
    if (says_something(game.event)) {
        where = *game.event;
    } else if (says_something(game.site)) {
        where = *game.site;
    }
    if (!where.empty()) out += ", " + where;
    if (game.date && game.date->size() >= 4 && game.date->find('?') >= 4) {
        const std::string_view year = game.date->substr(0, 4);
        if (where.find(year) == std::string::npos) {
            out += (where.empty() ? ", " : " ") + std::string(year);
        }
    }
    if (game.result != codec::Result::kUnknown) {
        out.append(", ").append(codec::result_text(game.result));
    }
    return out;
}

std::string novelty_comment(const query::KnownPosition& known, const store::GameHeader& last) {
    const std::uint64_t games = known.total.games;
    std::string in_words = game_in_words(last);
    std::ranges::replace(in_words, '{', '(');
    std::ranges::replace(in_words, '}', ')');
    std::string out = "Last known position: " + std::to_string(games) +
                      (games == 1 ? " game, " : " games, most recently ") + in_words + ". ";
    if (known.played.empty()) return out + (games == 1 ? "It ended here" : "All ended here");
    out += "Played before: ";
    for (std::size_t i = 0; i < known.played.size(); ++i) {
        if (i == kMostListed) return out + ", ...";
        const query::NoveltyMove& move = known.played[i];
        out += (i == 0 ? "" : ", ") + move.san + " (" + std::to_string(move.tally.games) + ")";
    }
    return out;
}

std::string with_remark(std::string_view annotation, std::uint32_t ply, std::string_view glyph,
                        std::string_view comment) {
    using Token = codec::AnnotationToken;
    codec::AnnotationStreamWriter out;
    std::uint32_t moves = 0;
    bool due = ply == 0;  // the move has been written, the remark has not
    bool has_glyph = false;
    const auto write_remark = [&] {
        if (!has_glyph) out.glyph(glyph);
        out.comment(comment);
        due = false;
    };
    codec::AnnotationStreamReader in(annotation);
    const bool any = !annotation.empty();
    while (any && in.next()) {
        if (due && in.token() != Token::kGlyph) write_remark();
        switch (in.token()) {
            case Token::kMove:
                out.move();
                due = ++moves == ply;
                break;
            case Token::kComment: out.comment(in.text()); break;
            case Token::kGlyph:
                has_glyph |= due && in.text() == glyph;
                out.glyph(in.text());
                break;
            case Token::kOpen: out.open(); break;
            case Token::kClose: out.close(); break;
            case Token::kWord: out.word(in.text()); break;
            case Token::kResult: out.result(); break;
        }
    }
    if (any && in.corrupt()) throw std::invalid_argument("damaged annotation");
    for (; moves < ply; ++moves) {
        out.move();
        due = true;
    }
    if (due) write_remark();
    std::string stream;
    out.append_to(stream);
    return stream;
}

}  // namespace fendex::emit
