// Cuts pieces off the front of a text.
#pragma once

#include <algorithm>
#include <string_view>

namespace fendex::base {

/// Returns what stands before the separator, and removes both; without a separator, all of it.
inline std::string_view cut(std::string_view& text, char separator) {
    const std::string_view piece = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(piece.size() + 1, text.size()));
    return piece;
}

/// Returns the next word, and removes it and the blanks before it; empty at the end.
template <char... kBlanks>
std::string_view cut_word(std::string_view& text) {
    const auto is_blank = [](char c) { return (... || (c == kBlanks)); };
    const auto begin = std::ranges::find_if_not(text, is_blank);
    const auto end = std::find_if(begin, text.end(), is_blank);
    text = {end, text.end()};
    return {begin, end};
}

}  // namespace fendex::base
