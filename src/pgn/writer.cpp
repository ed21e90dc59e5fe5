#include "pgn/writer.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/typeset.hpp"
#include "pgn/lexer.hpp"

namespace fendex::pgn {

namespace {

constexpr std::string_view kHalf = "\u00BD";

/// Returns whether a number and this word after it could be read as a result: -, -0, –1, -½.
bool may_end_result(std::string_view word) {
    const std::size_t dash = base::dash_length(word);
    word.remove_prefix(dash);
    return dash != 0 &&
           (word.empty() || word[0] == '0' || word[0] == '1' || word.starts_with(kHalf));
}

/// Returns whether a word could begin a result: 0-, 1–.
bool may_begin_result(std::string_view word) {
    constexpr std::size_t kWideDash = 3;
    if (word.ends_with('-')) {
        word.remove_suffix(1);
    } else if (word.size() > kWideDash &&
               base::dash_length(word.substr(word.size() - kWideDash)) == kWideDash) {
        word.remove_suffix(kWideDash);
    } else {
        return false;
    }
    return !word.empty() && (is_digit(word.back()) || word.ends_with(kHalf));
}

}  // namespace

void GameWriter::tag(std::string_view name, std::string_view value) {
    out_ += '[';
    out_ += name;
    out_ += " \"";
    std::size_t done = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] != '"' && value[i] != '\\') continue;
        out_.append(value, done, i - done);
        out_ += '\\';
        done = i;
    }
    out_.append(value, done);
    out_ += "\"]\n";
}

void GameWriter::begin_movetext() {
    if (!in_moves_) out_ += '\n';
    in_moves_ = true;
}

void GameWriter::move(unsigned number, bool white, std::string_view san) {
    begin_movetext();
    if (white || number_due_) {
        char digits[16];
        char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        *end++ = '.';
        if (!white) {
            *end++ = '.';
            *end++ = '.';
        }
        put_word({digits, end});
    }
    number_due_ = false;
    put_word(san);
}

void GameWriter::comment(std::string_view text) {
    begin_movetext();
    number_due_ = true;
    const BraceFit fit = fit_braces(text);
    if (fit == BraceFit::kNot) {
        const std::size_t brace = text.find_first_of("{}");
        const bool closes = brace != text.npos && text[brace] == '}';
        if (std::ranges::none_of(text, is_newline) && !(unclosed_ && closes)) {
            put_word(";");
            put(text);
            return end_line();
        }
        std::string changed(text);
        std::ranges::replace(changed, '{', '(');
        std::ranges::replace(changed, '}', ')');
        for (std::size_t at = 1; at < changed.size(); ++at) {
            if (changed[at] == '[' && is_newline(changed[at - 1])) changed[at] = '(';
        }
        return comment(changed);
    }
    unclosed_ = fit == BraceFit::kUnlessClosed;
    separate(std::min(text.find('\n'), text.size() + 1) + 1);
    put("{");
    put(text);
    if (const std::size_t line = text.rfind('\n'); line != text.npos) {
        column_ = text.size() - line - 1;
    }
    put("}");
}

void GameWriter::glyph(std::string_view text) {
    begin_movetext();
    put_word(text);
}

void GameWriter::open_variation() {
    begin_movetext();
    number_due_ = true;
    put_word("(");
    joined_ = true;
}

void GameWriter::word(std::string_view text) {
    if (text.starts_with('%')) {  // at the beginning of a line it would be an escape
        joined_ = false;
        put(" ");
        return put(text);
    }
    // After a number in the same line it would be read as a result, 1 - 0.
    if (may_end_result(text) && column_ != 0) end_line();
    put_word(text);
    // With text after it in the same line, a bracket could be read as a tag pair or markup.
    if (may_begin_result(text) || text == "[" || text == "<") end_line();
}

void GameWriter::close_variation() {
    number_due_ = true;
    joined_ = true;
    put_word(")");
}

void GameWriter::result(std::string_view marker) {
    begin_movetext();
    put_word(marker);
}

void GameWriter::end() { end_line(); }

/// Adds a blank, or begins a new line if `size` characters do not fit into this one.
void GameWriter::separate(std::size_t size) {
    const bool joined = std::exchange(joined_, false);
    if (column_ == 0) return;
    if (column_ + (joined ? 0 : 1) + size > kLineLength) {
        end_line();
    } else if (!joined) {
        put(" ");
    }
}

void GameWriter::put_word(std::string_view text) {
    separate(text.size());
    put(text);
}

void GameWriter::put(std::string_view text) {
    if (filled_ + text.size() > kLineLength) {
        out_.append(line_, filled_);
        out_ += text;
        filled_ = 0;
    } else {
        std::memcpy(line_ + filled_, text.data(), text.size());
        filled_ += text.size();
    }
    column_ += text.size();
}

void GameWriter::end_line() {
    line_[filled_++] = '\n';
    out_.append(line_, filled_);
    filled_ = 0;
    column_ = 0;
}

}  // namespace fendex::pgn
