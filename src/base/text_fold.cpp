#include "base/text_fold.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace fendex::base {

namespace {

/// Letters that Unicode does not decompose but that people type as plain ASCII letters.
std::string_view plain_letters(utf8proc_int32_t folded) {
    switch (folded) {
        case 0xE6: return "ae";
        case 0xF0: return "d";
        case 0xF8: return "o";
        case 0xFE: return "th";
        case 0x111: return "d";
        case 0x127: return "h";
        case 0x131: return "i";
        case 0x142: return "l";
        case 0x153: return "oe";
        default: return {};
    }
}

bool is_word_character(utf8proc_int32_t c) {
    switch (utf8proc_category(c)) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO: return true;
        default: return false;
    }
}

/// The lower case of the ASCII letters and digits; a blank for each other ASCII character.
constexpr std::array<char, 128> kAsciiFolded = [] {
    std::array<char, 128> folded{};
    folded.fill(' ');
    for (const char c : kWordLetters) {
        const auto lower = static_cast<unsigned char>(c);
        folded[lower] = c;
        if (c >= 'a') folded[lower - std::size_t{'a' - 'A'}] = c;
    }
    return folded;
}();

class Folded {
  public:
    /// Takes the ASCII characters with which the text begins; most names have no others.
    void take_ascii(std::string_view& text) {
        const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
        const std::string_view taken(text.begin(), std::ranges::find_if_not(text, is_ascii));
        text.remove_prefix(taken.size());
        const std::size_t before = text_.size();
        text_.resize(before + 1 + taken.size());
        char* const begin = text_.data();
        char* out = begin + before;
        bool blank = blank_;
        for (const char c : taken) {
            const char folded = kAsciiFolded[static_cast<unsigned char>(c)];
            if (folded == ' ') {
                blank = true;
                continue;
            }
            if (blank && out != begin) *out++ = ' ';
            blank = false;
            *out++ = folded;
        }
        blank_ = blank;
        text_.resize(static_cast<std::size_t>(out - begin));
    }
    void character(utf8proc_int32_t c) {
        if (const std::string_view plain = plain_letters(c); !plain.empty()) {
            word(plain);
        } else if (is_word_character(c)) {
            std::array<utf8proc_uint8_t, 4> bytes{};
            const auto size = static_cast<std::size_t>(utf8proc_encode_char(c, bytes.data()));
            std::string utf8;
            for (std::size_t i = 0; i < size; ++i) utf8 += static_cast<char>(bytes[i]);
            word(utf8);
        } else if (utf8proc_category(c) != UTF8PROC_CATEGORY_MN) {
            blank_ = true;
        }
    }
    void word(std::string_view letters) {
        if (blank_ && !text_.empty()) text_ += ' ';
        blank_ = false;
        text_ += letters;
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
    bool blank_ = false;
};

}  // namespace

std::string fold(std::string_view text) {
    Folded folded;
    for (;;) {
        folded.take_ascii(text);
        if (text.empty()) return folded.take();
        utf8proc_int32_t c = 0;
        const utf8proc_ssize_t size =
            utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                             static_cast<utf8proc_ssize_t>(text.size()), &c);
        if (size <= 0) {
            folded.word(text.substr(0, 1));
            text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(static_cast<std::size_t>(size));
        std::array<utf8proc_int32_t, 16> parts{};
        int boundary = 0;
        const utf8proc_ssize_t count = utf8proc_decompose_char(
            c, parts.data(), static_cast<utf8proc_ssize_t>(parts.size()),
            static_cast<utf8proc_option_t>(UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE |
                                           UTF8PROC_COMPAT | UTF8PROC_STRIPMARK),
            &boundary);
        for (utf8proc_ssize_t i = 0; i < count && i < 16; ++i) {
            folded.character(parts[static_cast<std::size_t>(i)]);
        }
    }
}

namespace {

bool has_word(std::string_view folded, std::string_view beginning) {
    for (std::size_t at = folded.find(beginning); at != std::string_view::npos;
         at = folded.find(beginning, at + 1)) {
        if (at == 0 || folded[at - 1] == ' ') return true;
    }
    return false;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view folded) {
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < folded.size();) {
        const std::size_t end = std::min(folded.find(' ', begin), folded.size());
        if (end > begin) words.push_back(folded.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

NameWords::NameWords(std::string_view folded) {
    for (const std::string_view word : words_of(folded)) words_.emplace_back(word);
    std::ranges::stable_sort(
        words_, [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    for (std::size_t i = 0; i < words_.size(); ++i) {
        for (std::size_t j = i + 1; j < words_.size(); ++j) {
            nested_ |= words_[i].starts_with(words_[j]);
        }
    }
}

bool NameWords::fit(std::string_view folded_name) const {
    if (!nested_) {
        return std::ranges::all_of(
            words_, [&](const std::string& word) { return has_word(folded_name, word); });
    }
    // If a long word is a prefix of a name's word, so is every prefix of the long word. The longest
    // word therefore chooses first, and which of its candidates it takes makes no difference.
    std::vector<std::string_view> free = words_of(folded_name);
    return std::ranges::all_of(words_, [&](const std::string& word) {
        const auto found = std::ranges::find_if(
            free, [&](std::string_view each) { return each.starts_with(word); });
        if (found == free.end()) return false;
        free.erase(found);
        return true;
    });
}

}  // namespace fendex::base
