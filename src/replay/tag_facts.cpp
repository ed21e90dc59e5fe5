#include "replay/tag_facts.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "pgn/lexer.hpp"
#include "replay/time_control.hpp"

namespace fendex::replay {

namespace {

/// Takes a number off the front of `s`; empty if there is none.
std::optional<std::uint32_t> take_number(std::string_view& s) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc{}) return std::nullopt;
    s.remove_prefix(static_cast<std::size_t>(end - s.data()));
    return value;
}

/// Removes the separator after a part of a date. Returns false if something else is there.
bool take_date_separator(std::string_view& s) {
    if (s.empty()) return true;
    if (s.front() != '.' && s.front() != '-' && s.front() != '/') return false;
    s.remove_prefix(1);
    return true;
}

/// Takes a part of a date: digits, or ?? for unknown, then a separator or the end.
std::optional<std::uint32_t> take_date_part(std::string_view& s) {
    std::optional<std::uint32_t> part = take_number(s);
    if (!part) {
        const std::size_t marks = std::min(s.find_first_not_of('?'), s.size());
        if (marks == 0) return std::nullopt;
        s.remove_prefix(marks);
        part = 0;
    }
    return take_date_separator(s) ? part : std::nullopt;
}

}  // namespace

codec::Result result_of_tag(std::string_view value) {
    const codec::Result plain = codec::result_of(value);
    if (plain != codec::Result::kUnknown || value.empty()) return plain;
    const char* end = value.data() + value.size();
    const char* begin = pgn::skip_blanks(value.data(), end);
    if (begin == end) return codec::Result::kUnknown;
    const std::size_t size = pgn::match_result(begin, end);
    return size != 0 && pgn::skip_blanks(begin + size, end) == end
               ? codec::result_of(pgn::plain_result({begin, size}))
               : codec::Result::kUnknown;
}

std::uint16_t elo_of(std::string_view value) {
    const std::optional<std::uint32_t> elo = take_number(value);
    return elo && value.empty() && *elo < 10'000 ? static_cast<std::uint16_t>(*elo) : 0;
}

codec::Date date_of(std::string_view value) {
    const std::size_t size = value.size();
    const std::optional<std::uint32_t> year = take_number(value);
    if (!year || size - value.size() != 4 || !take_date_separator(value)) return 0;
    const std::uint32_t month = take_date_part(value).value_or(0);
    const std::uint32_t day = take_date_part(value).value_or(0);
    return month > 12 || day > 31 ? codec::Date(*year, 0, 0) : codec::Date(*year, month, day);
}

codec::Mode mode_of(std::string_view event) {
    const std::string_view word = event.substr(0, event.find(' '));
    if (word == "Rated" || word == "rated") return codec::Mode::kRated;
    if (word == "Casual" || word == "casual") return codec::Mode::kCasual;
    return codec::Mode::kUnknown;
}

void read_facts(std::span<const store::TagPair> tags, codec::Result marker,
                codec::GameFacts& facts) {
    codec::Date utc_date;
    std::string_view time_control;
    std::string_view site;
    codec::Result tagged = codec::Result::kUnknown;
    for (const auto& [name, value] : tags) {
        if (name == "Result") tagged = result_of_tag(value);
        if (name == "WhiteElo") facts.white_elo = elo_of(value);
        if (name == "BlackElo") facts.black_elo = elo_of(value);
        if (name == "Date") facts.date = date_of(value);
        if (name == "UTCDate") utc_date = date_of(value);
        if (name == "TimeControl") time_control = value;
        if (name == "Site") site = value;
        if (name == "Event") facts.mode = mode_of(value);
    }
    if (!time_control.empty()) {
        facts.time_class = time_class_of(time_control, names_server(site));
    }
    if (facts.date == 0) facts.date = utc_date;
    facts.result = tagged != codec::Result::kUnknown ? tagged : marker;
}

void read_stored_facts(std::span<const store::TagPair> tags, codec::Result stored,
                       codec::GameFacts& facts) {
    read_facts(tags, stored, facts);
    const auto names_another = [&](const store::TagPair& tag) {
        return tag.name == "Result" && codec::result_of(tag.value) == facts.result;
    };
    if (facts.result != stored && std::ranges::none_of(tags, names_another)) {
        facts.result = stored;
    }
}

}  // namespace fendex::replay
