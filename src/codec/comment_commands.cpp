#include "codec/comment_commands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/number_of.hpp"

namespace fendex::codec {

namespace {

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

std::optional<std::int64_t> mate_of(std::string_view eval) {
    if (!eval.starts_with('#')) return std::nullopt;
    return number_of<std::int64_t>(eval.substr(1));
}

/// Larger numbers become the largest.
std::int32_t as_score_value(double value) {
    constexpr double kMost = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(std::lround(std::clamp(value, -kMost, kMost)));
}

}  // namespace

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
    return mate_of(eval_of(comment));
}

std::optional<Score> eval_score(std::string_view comment) {
    constexpr double kCentipawns = 100;
    const std::string_view eval = eval_of(comment);
    if (const auto mate = mate_of(eval)) {
        return Score{true, as_score_value(static_cast<double>(*mate))};
    }
    const auto pawns = number_of<double>(eval);
    if (!pawns || !std::isfinite(*pawns)) return std::nullopt;
    return Score{false, as_score_value(kCentipawns * *pawns)};
}

std::optional<std::uint32_t> eval_depth(std::string_view comment) {
    const std::string_view value = command(comment, "eval");
    const std::size_t comma = value.find(',');
    if (comma == value.npos) return std::nullopt;
    return number_of<std::uint32_t>(value.substr(comma + 1));
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

}  // namespace fendex::codec
