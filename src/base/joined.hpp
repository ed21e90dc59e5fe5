// Lists of values as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

namespace fendex::base {

/// Returns the values, which `text` makes texts or numbers, with `between` between them.
template <typename Values, typename Text = std::identity>
[[nodiscard]] std::string joined(std::string_view between, const Values& values, Text text = {}) {
    std::string out;
    bool is_first = true;
    for (const auto& value : values) {
        if (!is_first) out += between;
        is_first = false;
        if constexpr (std::is_integral_v<
                          std::decay_t<std::invoke_result_t<Text, decltype(value)>>>) {
            out += std::to_string(std::invoke(text, value));
        } else {
            out += std::invoke(text, value);
        }
    }
    return out;
}

}  // namespace fendex::base
