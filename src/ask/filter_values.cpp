#include "ask/filter_values.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "base/joined.hpp"
#include "base/number_of.hpp"
#include "chess/variant_names.hpp"
#include "codec/swing.hpp"

namespace fendex::ask {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& text) {
    throw std::invalid_argument("'" + text + "' is not " + what);
}

std::vector<std::string> split(const std::string& text, const char* separators) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (std::string_view(separators).find(c) == std::string_view::npos) {
            parts.back() += c;
        } else {
            parts.emplace_back();
        }
    }
    return parts;
}

bool parse_digits(const std::string& text, std::uint32_t& out) {
    const auto number = base::number_of<std::uint32_t>(text);
    if (number) out = *number;
    return number.has_value();
}

/// Reads centipawns or a mate and returns the rank of the score.
bool parse_score(std::string_view text, std::int64_t& out) {
    codec::Score score{.is_mate = text.starts_with('#')};
    if (score.is_mate) text.remove_prefix(1);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto number = base::number_of<std::int32_t>(text);
    if (!number || (score.is_mate && *number == 0)) return false;
    score.value = *number;
    out = codec::rank_of(score, chess::Color::kWhite);
    return true;
}

/// Returns the date with `missing` for its missing parts.
codec::Date date_value(const std::string& text, std::uint32_t missing) {
    const std::vector<std::string> parts = split(text, ".-/");
    std::uint32_t numbers[3]{0, missing, missing};
    constexpr std::uint32_t kLargest[3]{9999, 12, 31};
    bool good = parts.size() <= 3 && parts[0].size() == 4;
    for (std::size_t i = 0; good && i < std::min(parts.size(), std::size(numbers)); ++i) {
        if (i > 0 && parts[i].find_first_not_of('?') == std::string::npos && !parts[i].empty()) {
            continue;  // 2004.??.??
        }
        good = parts[i].size() <= 4 && parse_digits(parts[i], numbers[i]) && numbers[i] >= 1 &&
               numbers[i] <= kLargest[i];
    }
    if (!good) refuse("a date: write 2004, 2004-11 or 2004.11.05", text);
    return {numbers[0], numbers[1], numbers[2]};
}

bool is_eco_prefix(const std::string& code) {
    return !code.empty() && code.size() <= 3 && code[0] >= 'A' && code[0] <= 'E' &&
           std::all_of(code.begin() + 1, code.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::uint32_t least_date_like(codec::Date date) {
    const std::uint32_t day = date.day() == 1 ? 0 : date.day();
    const std::uint32_t month = day == 0 && date.month() == 1 ? 0 : date.month();
    return codec::Date(date.year(), month, day).number();
}

std::uint32_t first_date(const std::string& text) { return least_date_like(date_value(text, 0)); }
std::uint32_t last_date(const std::string& text) { return date_value(text, 99).number(); }

std::uint32_t filter_number(const std::string& text) {
    std::uint32_t number = 0;
    if (!parse_digits(text, number)) refuse("a number", text);
    return number;
}

store::NumberRange number_range(const std::string& text) {
    store::NumberRange range;
    const std::size_t dash = text.find('-');
    const std::string low = text.substr(0, dash);
    const std::string high = dash == std::string::npos ? low : text.substr(dash + 1);
    const bool good = (low.empty() || parse_digits(low, range.low)) &&
                      (high.empty() || parse_digits(high, range.high)) &&
                      !(low.empty() && high.empty()) && range.low <= range.high;
    if (!good) refuse("a range: write 2500-2600, 2500-, -2600 or 2500", text);
    return range;
}

query::ScoreRange score_range(const std::string& text) {
    constexpr std::string_view kDots = "..";
    const std::size_t dots = text.find(kDots);
    const std::string low = text.substr(0, dots);
    const std::string high = dots == std::string::npos ? low : text.substr(dots + kDots.size());
    query::ScoreRange range;
    const bool good = (low.empty() || parse_score(low, range.low)) &&
                      (high.empty() || parse_score(high, range.high)) &&
                      !(low.empty() && high.empty());
    if (!good) refuse("evaluations: write -50..50, 150.., ..-150 (centipawns) or #5..#1", text);
    if (range.low > range.high) {
        throw std::invalid_argument("nothing is in '" + text +
                                    "': what is better for White comes last, and #1 is better than "
                                    "#5");
    }
    return range;
}

std::uint32_t swing_value(const std::string& text) {
    const std::uint32_t number = filter_number(text);
    if (number > codec::kMostSwing) {
        throw std::invalid_argument("no move loses " + text + " centipawns: the most is " +
                                    std::to_string(codec::kMostSwing) + ", from mate to mate");
    }
    return number;
}

std::pair<std::string, std::string> eco_range(std::string text) {
    for (char& c : text) {
        if (c >= 'a' && c <= 'e') c = static_cast<char>(c - 'a' + 'A');
    }
    const std::vector<std::string> ends = split(text, "-");
    const bool good = ends.size() <= 2 && is_eco_prefix(ends.front()) &&
                      is_eco_prefix(ends.back()) &&
                      ends.front() <= ends.back() + std::string(3 - ends.back().size(), '9');
    if (!good) refuse("an ECO code: write B90, B90-B99, or B9 for B90 to B99", text);
    return {ends.front(), ends.back()};
}

codec::Result result_value(const std::string& text) {
    if (text == "white") return codec::Result::kWhiteWins;
    if (text == "black") return codec::Result::kBlackWins;
    if (text == "draw") return codec::Result::kDraw;
    const codec::Result result = codec::result_of(text);
    if (result == codec::Result::kUnknown && text != "*") {
        refuse("a result: choose 1-0, 0-1, 1/2-1/2, * or white, black, draw", text);
    }
    return result;
}

codec::TimeClass time_class_value(const std::string& text) {
    using enum codec::TimeClass;
    if (text == "ultrabullet") return kUltraBullet;
    if (text == "bullet") return kBullet;
    if (text == "blitz") return kBlitz;
    if (text == "rapid") return kRapid;
    if (text == "classical") return kClassical;
    if (text == "correspondence") return kCorrespondence;
    refuse("a time control: choose ultrabullet, bullet, blitz, rapid, classical or correspondence",
           text);
}

codec::Mode mode_value(const std::string& text) {
    if (text == "rated") return codec::Mode::kRated;
    if (text == "casual") return codec::Mode::kCasual;
    refuse("a mode: choose rated or casual", text);
}

chess::Variant variant_value(const std::string& text) {
    const chess::Variant variant = chess::variant_of(text);
    if (variant == chess::Variant::kOther && text != chess::name_of(variant)) {
        refuse("a variant: choose one of " +
                   base::joined(", ", chess::known_variants(),
                                [](chess::Variant each) { return chess::name_of(each); }),
               text);
    }
    return variant;
}

}  // namespace fendex::ask
