#include "store/tag_values.hpp"

#include "base/number_of.hpp"

namespace fendex::store {

namespace {

constexpr auto number_of = [](std::string_view text) {
    return base::number_of<std::uint32_t>(text);
};

}  // namespace

std::optional<std::int64_t> exact_number(std::string_view text) {
    if (text.size() > 9 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
    return number_of(text);
}

std::optional<codec::Date> exact_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '.' || text[7] != '.') return std::nullopt;
    const auto part = [](std::string_view s) -> std::optional<std::uint32_t> {
        if (s.find_first_not_of('?') == std::string_view::npos) return 0;
        const std::optional<std::uint32_t> number = number_of(s);
        return number == 0U ? std::nullopt : number;  // zeros would be read back as question marks
    };
    const auto year = part(text.substr(0, 4));
    const auto month = part(text.substr(5, 2));
    const auto day = part(text.substr(8, 2));
    if (!year || !month || !day) return std::nullopt;
    return codec::Date(*year, *month, *day);
}

std::string date_text(codec::Date date) {
    std::string out = "????.\?\?.\?\?";
    const auto put = [&](std::size_t at, std::size_t width, std::uint32_t value) {
        if (value == 0) return;
        for (std::size_t i = at + width; i-- > at; value /= 10) {
            out[i] = static_cast<char>('0' + value % 10);
        }
    };
    put(0, 4, date.year());
    put(5, 2, date.month());
    put(8, 2, date.day());
    return out;
}

}  // namespace fendex::store
