#include "chess/fen_text.hpp"

#include <optional>
#include <vector>

#include "base/cut.hpp"
#include "base/number_of.hpp"

namespace fendex::chess::fen_text {

namespace {

/// Returns the character that %XX stands for in a web address; empty if it cannot be part of a FEN.
std::optional<char> unescaped(std::string_view escape) {
    if (escape.size() != 3 || escape[0] != '%') return std::nullopt;
    const auto code = base::number_of<unsigned>(escape.substr(1), 16);
    if (!code || *code > 0x7F || !is_printable(static_cast<char>(*code))) return std::nullopt;
    return static_cast<char>(*code);
}

/// Restores the pluses of Three-check's counts, which look like blanks if an address writes a plus
/// for each blank. A double blank shows that checks given follow ("- 0 2" is +0+2, with clocks or
/// without). Eight words show checks left ("- 3 1 1 5" is 3+1). "- 3 1" could be checks left or
/// clocks; it is read as clocks.
void restore_checks(std::string& text) {
    constexpr std::size_t kFields = 4;
    std::vector<std::string_view> words;
    std::string_view rest = text;
    while (true) {
        const std::string_view word = base::cut_word<' '>(rest);
        const bool is_operation = words.size() >= kFields && !word.empty() && is_letter(word[0]);
        if (word.empty() || is_operation) break;
        words.push_back(word);
    }
    const std::size_t n = words.size();
    const auto begin = [&](std::size_t i) {
        return static_cast<std::size_t>(words[i].data() - text.data());
    };
    const auto are_counts = [&](std::size_t i) {
        return words[i].size() == 1 && words[i + 1].size() == 1;
    };
    if (n < kFields + 2 || n > kFields + 4) return;
    if (text.find("  ") == begin(n - 2) - 2 && are_counts(n - 2)) {
        text[begin(n - 2) - 1] = '+';
        text[begin(n - 1) - 1] = '+';
    } else if (n == kFields + 4 && are_counts(kFields)) {
        text[begin(kFields + 1) - 1] = '+';
    }
}

}  // namespace

PlainText::PlainText(std::string_view text) : text_(text) {
    // If the text has other separators, a plus is not one: `1+1` counts checks in Three-check and
    // must not be read as two clocks.
    const bool plus_separates = text.find_first_of(" \t_") == std::string_view::npos &&
                                text.find("%20") == std::string_view::npos;
    plain_.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); i += length_at(i)) {
        if (const std::optional<char> character = unescaped(text.substr(i, 3))) {
            plain_ += *character;
        } else if (text[i] == '_' || text[i] == '\t' || (text[i] == '+' && plus_separates)) {
            plain_ += ' ';
        } else {
            plain_ += text[i];
        }
    }
    if (plus_separates) restore_checks(plain_);
}

std::string_view PlainText::original(std::string_view last) const {
    std::size_t i = 0;
    for (std::size_t n = plain_.size() - last.size(); n > 0; --n) i += length_at(i);
    return text_.substr(i);
}

std::size_t PlainText::length_at(std::size_t i) const {
    return text_[i] == '%' && unescaped(text_.substr(i, 3)) ? 3 : 1;
}

}  // namespace fendex::chess::fen_text
