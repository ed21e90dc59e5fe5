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

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    return base::number_of<Number>(text);
}

/// Returns the value of [%name value]; empty if there is none.
std::string_view command(std::string_view comment, std::string_view name) {
    for (std::size_t at = 0; (at = comment.find("[%", at)) != comment.npos;) {
        at += 2;
        std::string_view rest = comment.substr(at);
        if (!rest.starts_with(name) || rest.substr(name.size(), 1) != " ") continue;
        rest.remove_prefix(std::min(rest.find_first_not_of(' ', name.size()), rest.size()));
        rest = rest.substr(0, std::min(rest.find(']'), rest.size()));
        while (rest.ends_with(' ')) rest.remove_suffix(1);
        return rest;
    }
    return {};
}

/// Reads H:MM:SS, MM:SS or S; the seconds may have a fraction.
std::optional<double> seconds_of(std::string_view text) {
    double seconds = 0;
    while (true) {
        const std::size_t colon = text.find(':');
        const auto part = number_of<double>(text.substr(0, colon));
        if (!part || !(*part >= 0 && *part < 1e9)) return std::nullopt;
        seconds = seconds * 60 + *part;
        if (colon == text.npos) return seconds;
        text.remove_prefix(colon + 1);
    }
}

/// Returns the evaluation without the depth, which may follow after a comma.
std::string_view eval_of(std::string_view comment) {
    const std::string_view value = command(comment, "eval");
    return value.substr(0, value.find(','));
}

}  // namespace

void append_nag(std::string_view glyph, std::string& nags) {
    nags += nags.empty() ? '[' : ',';
    if (glyph.starts_with('$')) {
        if (const auto number = number_of<std::uint32_t>(glyph.substr(1))) {
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

std::optional<double> clock_seconds(std::string_view comment) {
    return seconds_of(command(comment, "clk"));
}
std::optional<double> elapsed_seconds(std::string_view comment) {
    return seconds_of(command(comment, "emt"));
}
std::optional<double> eval_pawns(std::string_view comment) {
    return number_of<double>(eval_of(comment));
}
std::optional<std::int64_t> eval_mate(std::string_view comment) {
    const std::string_view eval = eval_of(comment);
    if (!eval.starts_with('#')) return std::nullopt;
    return number_of<std::int64_t>(eval.substr(1));
}

std::string without_numbers(std::string_view comment) {
    std::string out;
    while (!comment.empty()) {
        const std::size_t begin = std::min(comment.find("[%"), comment.size());
        out += comment.substr(0, begin);
        comment.remove_prefix(begin);
        const std::size_t end = comment.find(']');
        if (end == comment.npos) {
            out += comment;
            break;
        }
        const std::string_view command = comment.substr(0, end + 1);
        const std::string_view name = command.substr(2, command.find(' ') - 2);
        if (name != "clk" && name != "emt" && name != "eval") out += command;
        comment.remove_prefix(command.size());
    }
    out.erase(0, std::min(out.find_first_not_of(' '), out.size()));
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

}  // namespace fendex::query
