#include "query/same_game.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "base/edit_distance.hpp"
#include "base/text_fold.hpp"
#include "codec/calendar.hpp"

namespace fendex::query {

namespace {

using base::NameFit;
using codec::Date;

/// Returns whether what is known of both dates is equal.
bool is_part(Date a, Date b) {
    if (a.year() != b.year()) return false;
    if (a.month() == 0 || b.month() == 0) return true;
    if (a.month() != b.month()) return false;
    return a.day() == 0 || b.day() == 0 || a.day() == b.day();
}

bool is_whole(Date date) { return date.year() != 0 && date.month() != 0 && date.day() != 0; }

std::chrono::sys_days days_of(Date date) { return codec::calendar_day(date); }

int differing_digits(std::uint32_t a, std::uint32_t b) {
    int differing = 0;
    for (; a != 0 || b != 0; a /= 10, b /= 10) differing += a % 10 != b % 10 ? 1 : 0;
    return differing;
}

bool is_number(std::string_view word) {
    return word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool are_alike(std::string_view a, std::string_view b) {
    if (a.starts_with(b) || b.starts_with(a)) return true;
    constexpr std::size_t kFewestLetters = 4;
    return std::min(a.size(), b.size()) >= kFewestLetters && base::edits_between(a, b, 1) <= 1;
}

/// Returns whether half of the letters of `folded` are in words that are alike in `other`.
bool is_mostly_in(std::string_view folded, std::string_view other) {
    std::size_t letters = 0;
    std::size_t alike = 0;
    const std::vector<std::string_view> words = base::words_of(other);
    for (const std::string_view word : base::words_of(folded)) {
        if (is_number(word)) continue;
        letters += word.size();
        const bool found = std::ranges::any_of(words, [&](std::string_view each) {
            return !is_number(each) && are_alike(word, each);
        });
        if (found) alike += word.size();
    }
    return letters != 0 && 2 * alike >= letters;
}

}  // namespace

bool says_something(std::string_view value) {
    return value.find_first_not_of("?.-* ") != std::string_view::npos;
}

DateFit dates_fit(Date a, Date b) {
    if (a.year() == 0 || b.year() == 0) return DateFit::kUnknown;
    if (a == b) return is_whole(a) ? DateFit::kSame : DateFit::kPart;
    if (is_part(a, b)) return DateFit::kPart;
    if (!is_whole(a) || !is_whole(b)) return DateFit::kOther;
    if (std::chrono::abs(days_of(a) - days_of(b)) <= std::chrono::days(kMostDaysApart)) {
        return DateFit::kNear;
    }
    const bool exchanged = a.year() == b.year() && a.month() == b.day() && a.day() == b.month();
    return exchanged || differing_digits(a.number(), b.number()) == 1 ? DateFit::kNear
                                                                      : DateFit::kOther;
}

TextFit texts_fit(std::string_view a, std::string_view b) {
    const std::string folded_a = base::fold(a);
    const std::string folded_b = base::fold(b);
    if (folded_a.empty() || folded_b.empty()) return TextFit::kUnknown;
    if (folded_a == folded_b) return TextFit::kSame;
    return is_mostly_in(folded_a, folded_b) || is_mostly_in(folded_b, folded_a) ? TextFit::kNear
                                                                                : TextFit::kOther;
}

std::optional<std::uint32_t> plies_needed(const HeaderFit& headers, MovesFit moves) {
    std::uint32_t needed = kFewestSharedPlies;
    if (headers.white == NameFit::kOther && headers.black == NameFit::kOther) return std::nullopt;
    const std::uint32_t doubled = headers.drawn ? 2 : 1;
    for (const NameFit player : {headers.white, headers.black}) {
        if (player == NameFit::kUnknown) needed += doubled * kPliesUnknownPlayer;
        if (player == NameFit::kOther) needed += kPliesOtherPlayer;
    }
    switch (headers.date) {
        case DateFit::kSame: break;
        case DateFit::kPart: needed += kPliesPartOfDate; break;
        case DateFit::kNear: needed += doubled * kPliesNearDate; break;
        case DateFit::kUnknown: needed += doubled * kPliesUnknownDate; break;
        case DateFit::kOther: needed += doubled * kPliesOtherDate; break;
    }
    switch (headers.event) {
        case TextFit::kSame:
        case TextFit::kNear:
            if (headers.other_round) needed += kPliesOtherRound;
            break;
        case TextFit::kUnknown: needed += kPliesUnknownEvent; break;
        case TextFit::kOther: needed += kPliesOtherEvent; break;
    }
    if (headers.other_address) needed += kPliesOtherAddress;
    if (headers.other_result) needed += kPliesOtherResult;
    if (moves == MovesFit::kCutShort) needed += kPliesCutShort;
    if (moves == MovesFit::kOtherLastMove) needed += kPliesOtherLastMove;
    return needed;
}

unsigned certainty(std::uint32_t shared, std::uint32_t needed) {
    constexpr double kPliesToHalve = 10;
    const double more = shared - needed;
    return static_cast<unsigned>(100 - 50 * std::exp2(-more / kPliesToHalve));
}

}  // namespace fendex::query
