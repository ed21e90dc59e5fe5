#include "query/annotated_plies.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/json.hpp"
#include "base/number_of.hpp"
#include "codec/annotation.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::query {

namespace {

using Glyph = std::pair<std::string_view, int>;

constexpr Glyph kGlyphs[] = {{"!", 1},    {"?", 2},   {"!!", 3},   {"??", 4},
                             {"!?", 5},   {"?!", 6},  {"=", 10},   {"+=", 14},
                             {"+/=", 14}, {"=+", 15}, {"+/-", 16}, {"-/+", 17},
                             {"+-", 18},  {"-+", 19}, {"+--", 20}, {"--+", 21}};

}  // namespace

void append_nag(std::string_view glyph, std::string& nags) {
    nags += nags.empty() ? '[' : ',';
    if (glyph.starts_with('$')) {
        if (const auto number = base::number_of<std::uint32_t>(glyph.substr(1))) {
            json::append_value(*number, nags);
            return;
        }
    }
    const auto* known = std::ranges::find(kGlyphs, glyph, &Glyph::first);
    if (known != std::end(kGlyphs)) {
        json::append_value(known->second, nags);
    } else {
        json::append_value(glyph, nags);
    }
}

std::vector<AnnotatedPly> annotated_plies(std::uint64_t game, std::string_view stream) {
    using Token = codec::AnnotationToken;
    std::vector<AnnotatedPly> plies;
    std::uint32_t ply = 0;
    const auto here = [&]() -> AnnotatedPly& {
        if (plies.empty() || plies.back().ply != ply) plies.emplace_back().ply = ply;
        return plies.back();
    };
    codec::AnnotationStreamReader reader(stream);
    const auto append_to_variation = [&](std::string_view text) {
        std::string& out = here().variations;
        if (!out.empty() && out.back() != '(' && text != ")") out += ' ';
        out += text;
    };
    while (reader.next()) {
        switch (reader.token()) {
            case Token::kMove: ++ply; break;
            case Token::kResult: break;
            case Token::kGlyph: append_nag(reader.text(), here().nags); break;
            case Token::kOpen: append_to_variation("("); break;
            case Token::kClose: append_to_variation(")"); break;
            case Token::kWord: append_to_variation(reader.text()); break;
            case Token::kComment:
                if (reader.depth() > 0) {
                    append_to_variation("{" + std::string(reader.text()) + "}");
                } else if (std::optional<std::string>& comment = here().comment) {
                    comment->append("\n").append(reader.text());
                } else {
                    comment = reader.text();
                }
                break;
        }
    }
    if (reader.corrupt()) replay::throw_damaged_annotation(game);
    for (AnnotatedPly& each : plies) {
        if (!each.nags.empty()) each.nags += ']';
    }
    return plies;
}

}  // namespace fendex::query
