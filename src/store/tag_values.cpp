#include "store/tag_values.hpp"

#include <algorithm>
#include <charconv>

namespace fendex::store {

namespace {

bool all_digits(std::string_view s) {
    return !s.empty() &&
           std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int to_int(std::string_view digits) {
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

}  // namespace

std::optional<std::int64_t> exact_number(std::string_view text) {
    if (!all_digits(text) || text.size() > 9 || (text.size() > 1 && text[0] == '0'))
        return std::nullopt;
    return to_int(text);
}

std::optional<std::int64_t> exact_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '.' || text[7] != '.') return std::nullopt;
    const auto part = [](std::string_view s) {
        if (s.find_first_not_of('?') == std::string_view::npos) return 0;
        // Zeros would be read back as question marks.
        return all_digits(s) && to_int(s) != 0 ? to_int(s) : -1;
    };
    const int year = part(text.substr(0, 4));
    const int month = part(text.substr(5, 2));
    const int day = part(text.substr(8, 2));
    if (year < 0 || month < 0 || day < 0) return std::nullopt;
    return std::int64_t{year} * 10'000 + month * 100 + day;
}

std::string date_text(std::int64_t date) {
    std::string out = "????.\?\?.\?\?";
    const auto put = [&](std::size_t at, std::size_t width, std::int64_t value) {
        if (value == 0) return;
        for (std::size_t i = at + width; i-- > at; value /= 10) {
            out[i] = static_cast<char>('0' + value % 10);
        }
    };
    put(0, 4, date / 10'000 % 10'000);
    put(5, 2, date / 100 % 100);
    put(8, 2, date % 100);
    return out;
}

}  // namespace fendex::store
