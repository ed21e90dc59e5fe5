#include "replay/contradictions.hpp"

#include <algorithm>
#include <array>

#include "base/number_of.hpp"
#include "replay/tag_facts.hpp"

namespace fendex::replay {

namespace {

constexpr std::uint32_t kHighestElo = 4000;

constexpr auto number_of = [](std::string_view text) {
    return base::number_of<std::uint32_t>(text);
};

/// Splits a date at `.`, `-` or `/`; parts after the third are ignored.
std::array<std::string_view, 3> parts_of_date(std::string_view date) {
    std::array<std::string_view, 3> parts;
    for (std::string_view& part : parts) {
        const std::size_t size = std::min(date.find_first_of(".-/"), date.size());
        part = date.substr(0, size);
        date.remove_prefix(std::min(size + 1, date.size()));
    }
    return parts;
}

std::uint32_t days_in(std::uint32_t year, std::uint32_t month) {
    constexpr std::uint8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return kDays[month - 1] + (month == 2 && leap ? 1U : 0U);
}

/// Returns what is wrong with a date; empty if nothing is wrong or the text is not a date.
std::string_view wrong_date(std::string_view date) {
    const auto [first, second, third] = parts_of_date(date);
    if (third.size() == 4 && number_of(third) && number_of(first) && number_of(second)) {
        return "the date does not begin with the year, so it is not known";
    }
    const std::uint32_t month = number_of(second).value_or(0);
    const std::uint32_t day = number_of(third).value_or(0);
    const bool exists =
        month <= 12 && day <= (month == 0 ? 31 : days_in(number_of(first).value_or(2000), month));
    return first.size() != 4 || exists ? std::string_view() : "there is no such date";
}

/// Returns whether a name stands for an unknown player.
bool is_nobody(std::string_view name) {
    std::string letters;
    for (const char c : name) {
        if ((c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80) letters += c;
        if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    }
    return letters.empty() || letters == "nn" || letters == "anonymous" || letters == "unknown";
}

}  // namespace

void find_contradictions(std::span<const store::TagPair> tags, const GameEnd& end,
                         std::vector<Contradiction>& out) {
    const auto add = [&](const store::TagPair* tag, std::string_view reason) {
        out.push_back({std::string(kContradiction) + std::string(reason), tag});
    };
    const store::TagPair* white = nullptr;
    const store::TagPair* black = nullptr;
    const store::TagPair* result = nullptr;
    for (const store::TagPair& tag : tags) {
        const std::string_view name = tag.name;
        if (name == "White") white = &tag;
        if (name == "Black") black = &tag;
        if (name == "Result") result = &tag;
        if (name == "Date" || name == "UTCDate" || name == "EventDate") {
            if (const std::string_view wrong = wrong_date(tag.value); !wrong.empty()) {
                add(&tag, wrong);
            }
        }
        if ((name == "WhiteElo" || name == "BlackElo") &&
            number_of(tag.value).value_or(0) > kHighestElo) {
            add(&tag, "no player has such a rating");
        }
        if (name == "PlyCount" && end.plies) {
            const std::optional<std::uint32_t> plies = number_of(tag.value);
            if (plies && *plies != *end.plies) {
                add(&tag, "the game has " + std::to_string(*end.plies) + " plies");
            }
        }
    }
    if (white != nullptr && black != nullptr && white->value == black->value &&
        !is_nobody(white->value)) {
        add(black, "a player plays against himself");
    }
    const auto tagged = result != nullptr ? result_of_tag(result->value) : codec::Result::kUnknown;
    if (tagged != codec::Result::kUnknown && end.marker != codec::Result::kUnknown &&
        tagged != end.marker) {
        add(result, "the moves end with " + std::string(codec::result_text(end.marker)));
        return;
    }
    const std::string_view said =
        codec::result_text(tagged != codec::Result::kUnknown ? tagged : end.marker);
    if (end.by_rules != "*" && said != "*" && said != end.by_rules) {
        add(tagged != codec::Result::kUnknown ? result : nullptr,
            "the result is " + std::string(said) + ", but by the last position it is " +
                std::string(end.by_rules));
    }
}

}  // namespace fendex::replay
