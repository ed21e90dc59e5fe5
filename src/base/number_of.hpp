// Reads numbers.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace fendex::base {

/// Returns the number if the whole text is one that fits; else empty. Integers may have another
/// radix than ten.
template <typename Number, typename... Radix>
std::optional<Number> number_of(std::string_view text, Radix... radix) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, radix...);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace fendex::base
