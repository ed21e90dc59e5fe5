// Parses the text of one game, as the Splitter cut it out, and calls a visitor: for tag pairs, then
// moves, then the result. Comments, NAGs and variations are skipped (the moves of variations are
// not even tokenised) unless the visitor has functions for them. No board is used here: a move is a
// word.
//
// A visitor has:
//   void tag(std::string_view name, std::string_view value)
//       The value is raw text; see clean_value().
//   bool move(std::string_view san, const char* where)
//       Returns false if no more moves are wanted.
//   void result(std::string_view marker)
//       Called at most once, last.
//   void problem(const char* where, std::string_view reason)
//       The text is broken at `where`; reading goes on.
// A visitor may have, for speed:
//   std::size_t plain_move(std::string_view text)
//       If `text` (the rest of the game) begins with a move and a blank, plays the move and returns
//       its length. Otherwise returns 0; then move() is called with the word.
// A visitor that wants annotations has all of these too:
//   void comment(std::string_view text)
//       Raw text without braces, or from `;` to the end of the line.
//   void glyph(std::string_view text)
//       $14, !?, +-. Symbols beyond ASCII become their NAGs, ± becomes $16.
//   void open_variation()
//   void close_variation()
//       Called in pairs, even if a parenthesis is missing in the text.
//   void word(std::string_view text)
//       A word in a variation: a move, a number or anything else. "..." and "12..." are words, `}`
//       is not.
// A visitor that skips annotations may count them:
//   void left_out(Annotation what, std::string_view text)
//       Called instead of the functions for annotations, only outside variations.
// Views and pointers are into the text. Reentrant; allocates nothing.
#pragma once

#include <algorithm>

#include "pgn/char_class.hpp"
#include "pgn/lexer.hpp"
#include "pgn/symbols.hpp"

namespace fendex::pgn {

/// The NAG of ∆.
inline constexpr std::string_view kWithTheIdea = "$140";

/// An annotation of the main line. Whatever is inside a variation belongs to the variation.
enum class Annotation { kComment, kGlyph, kVariation };

/// A visitor may inherit from these what it ignores.
struct IgnoredText {
    static void tag(std::string_view, std::string_view) {}
    static bool move(std::string_view, const char*) { return true; }
    static void result(std::string_view) {}
    static void problem(const char*, std::string_view) {}
};
struct IgnoredAnnotations {
    static void comment(std::string_view) {}
    static void glyph(std::string_view) {}
    static void open_variation() {}
    static void word(std::string_view) {}
    static void close_variation() {}
};

namespace detail {

template <typename Visitor>
class GameReader {
  public:
    GameReader(std::string_view text, bool truncated, Visitor& visitor)
        : begin_(text.data()),
          p_(begin_),
          end_(begin_ + text.size()),
          truncated_(truncated),
          visitor_(visitor) {}

    void read() {
        read_tags();
        read_moves();
    }

  private:
    void read_tags() {
        while (p_ < end_) {
            const char c = *p_;
            if (is_space(c) || c == ']') {
                ++p_;
            } else if (is_wide_lead(c) && take_wide_blank()) {
                continue;
            } else if (c == ';') {
                read_line_comment();
            } else if (c == '%' && at_line_start()) {
                skip_line();
            } else if (c == '[') {
                read_tag();
            } else if (const std::size_t n = match_markup(p_, end_); n != 0) {
                p_ += n;
            } else {
                return;
            }
        }
    }

    void read_tag() {
        const TagOpening tag = match_tag(p_, end_);
        if (tag.name.empty()) return read_broken_tag();
        const char* value = tag.value;
        p_ = value;
        TagScan scan;
        const bool closed = scan.scan(p_, end_, end_) == TagScan::End::kClosed;
        std::string_view text(value, static_cast<std::size_t>(p_ - value));
        if (closed) {
            while (p_ < end_ && *p_ != ']') ++p_;
            if (p_ < end_) ++p_;
        } else {
            while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
            if (text.ends_with(']')) {
                text.remove_suffix(1);
                while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
                text = without_closing_quote(text);  // [Event "Tournament \"], [White “A”]
            } else {
                visitor_.problem(value, "tag pair without an end");
            }
        }
        visitor_.tag(tag.name, text);
    }

    /// [FEN rnbqkbnr/... w - - 0 1]: reads a tag pair without quotes.
    void read_broken_tag() {
        const char* open = p_;
        const char* name = p_ + 1;
        const char* name_end = name;
        while (name_end < end_ && is_name_char(*name_end)) ++name_end;
        while (p_ < end_ && *p_ != ']' && !is_newline(*p_)) ++p_;
        const char* value = name_end;
        while (value < p_ && is_blank(*value)) ++value;
        if (name_end > name && value > name_end && value < p_) {
            visitor_.tag({name, static_cast<std::size_t>(name_end - name)},
                         {value, static_cast<std::size_t>(p_ - value)});
        } else {
            visitor_.problem(open, "not a tag pair");
        }
        if (p_ < end_ && *p_ == ']') ++p_;
    }

    void read_moves() {
        while (p_ < end_) {
            switch (class_of(*p_)) {
                case CharClass::kSpace: ++p_; break;
                case CharClass::kBracket:
                    p_ += std::max<std::size_t>(1, match_markup(p_, end_));
                    break;
                case CharClass::kWord:
                    if (!take_plain_move()) read_word();
                    break;
                case CharClass::kHigh:
                    if (!take_wide_blank() && !read_symbol() && !read_result()) read_word();
                    break;
                case CharClass::kDigit:
                    if (!take_number() && !read_result()) read_number();
                    break;
                case CharClass::kStar:
                    if (!read_result()) ++p_;
                    break;
                case CharClass::kComment: read_comment(); break;
                case CharClass::kLineComment: read_line_comment(); break;
                case CharClass::kEscape:
                    if (at_line_start()) {
                        skip_line();
                    } else {
                        read_word();
                    }
                    break;
                case CharClass::kOpen:
                    if (const std::size_t n = match_promotion(begin_, p_, end_); n != 0) {
                        p_ += n;  // after a number: 8(Q)
                    } else if constexpr (kAnnotated) {
                        read_variation();
                    } else {
                        const char* open = p_;
                        skip_variation();
                        tell_variation_left_out({open, static_cast<std::size_t>(p_ - open)});
                    }
                    break;
                case CharClass::kClose:
                    visitor_.problem(p_, "')' without '('");
                    ++p_;
                    break;
                case CharClass::kNag: {
                    const char* nag = p_;
                    skip_nag();
                    tell_glyph({nag, static_cast<std::size_t>(p_ - nag)});
                    break;
                }
                case CharClass::kGlyph: {
                    const char* glyph = p_;
                    if (begins_sign(*p_) && (read_result() || read_symbol())) break;
                    skip_glyph();
                    if (!is_dot(*glyph)) tell_glyph({glyph, static_cast<std::size_t>(p_ - glyph)});
                    break;
                }
            }
        }
    }

    bool read_result() {
        const std::size_t n = match_result(p_, end_);
        if (n == 0) return false;
        if (!(truncated_ && p_ + n == end_)) visitor_.result({p_, n});
        p_ += n;
        return true;
    }

    /// Reads a move number, 12. or 12... or 12 or 012., or castling written with zeros.
    void read_number() {
        const char* number = p_;
        while (p_ < end_ && is_digit(*p_)) ++p_;
        if (*number == '0' && (p_ == end_ || *p_ != '.')) {
            p_ = number;
            return read_word();
        }
        while (p_ < end_ && *p_ == '.') ++p_;
    }

    /// Takes a number with dots, which cannot be a result.
    bool take_number() {
        const char* p = p_ + 1;
        while (p < end_ && is_digit(*p)) ++p;
        if (p == end_ || *p != '.') return false;
        while (p < end_ && *p == '.') ++p;
        p_ = p;
        return true;
    }

    bool take_plain_move() {
        if constexpr (requires(std::string_view text) { visitor_.plain_move(text); }) {
            if (!wanted_) return false;
            const std::size_t n = visitor_.plain_move({p_, static_cast<std::size_t>(end_ - p_)});
            if (n == 0) return false;
            p_ += n + 1;  // a blank follows
            return true;
        } else {
            return false;
        }
    }

    void skip_word() {
        const char* word = p_++;
        while (true) {
            while (p_ < end_ && !may_end_word(*p_)) ++p_;
            if (p_ == end_) return;
            if (*p_ == '(') {
                const std::size_t n = match_promotion(begin_, p_, end_);
                if (n == 0) return;
                p_ += n;  // (Q) is part of the move
            } else if (!may_begin_symbol(*p_) || match_wide_blank_within(word, p_, end_) != 0) {
                return;
            } else if (const char* symbol = symbol_in_word(word, p_, end_); symbol != nullptr) {
                p_ = symbol;
                return;
            } else {
                ++p_;
            }
        }
    }

    /// Returns whether `c` may begin a symbol that goes on with characters beyond ASCII: +−, =∞.
    static bool begins_sign(char c) { return c == '+' || c == '='; }

    bool take_wide_blank() {
        const std::size_t n = match_wide_blank(p_, end_);
        p_ += n;
        return n != 0;
    }

    bool read_symbol() {
        const Symbol symbol = match_symbol(p_, end_);
        if (symbol.size != 0 && !symbol.nag.empty()) tell_glyph(symbol.nag);
        p_ += symbol.size;
        if (symbol.nag == kWithTheIdea && p_ < end_ && class_of(*p_) == CharClass::kWord) {
            const char* idea = p_;  // ∆Re1: not played
            skip_word();
            tell_comment({idea, static_cast<std::size_t>(p_ - idea)});
        }
        return symbol.size != 0;
    }

    void read_word() {
        const char* word = p_;
        skip_word();
        if (const std::size_t n =
                match_promotion_apart({word, static_cast<std::size_t>(p_ - word)}, p_, end_);
            n != 0) {
            p_ += n - 1;
            skip_word();  // with its check mark
        }
        if (!wanted_ || (truncated_ && p_ == end_)) return;
        std::string_view text(word, static_cast<std::size_t>(p_ - word));
        if (is_aside(text)) return tell_glyphs_of(text);
        if (text[0] == '-' && text != "--" &&
            text.find_first_not_of("+-=/") == std::string_view::npos) {
            p_ = word;
            if (read_result()) return;
            p_ += text.size();
            return tell_glyph(text);  // -+ or -/+: an evaluation
        }
        std::string_view letters;
        if (text.back() >= 'D' && text.back() <= 'R') {
            letters = nag_of_whole(text);
            if (!letters.empty()) return tell_glyph(letters);
            letters = take_letters(text);
        }
        wanted_ = visitor_.move(text, word);
        tell_glyphs_of(text);
        if (!letters.empty()) tell_glyph(letters);
    }

    /// Returns the NAG of a word that ends here. An N before a soft hyphen begins a hyphenated
    /// move; it does not mark a novelty.
    std::string_view nag_of_whole(std::string_view word) const {
        const std::size_t n = p_ == end_ ? 0 : match_wide_blank(p_, end_);
        return n != 0 && is_invisible_blank({p_, n}) ? std::string_view() : nag_of_letters(word);
    }

    void tell_glyphs_of(std::string_view word) {
        if constexpr (kAnnotated || kCounted) {
            const MoveGlyphs glyphs = glyphs_of_move(word);
            if (!glyphs.mark.empty()) tell_glyph(glyphs.mark);
            if (!glyphs.evaluation.empty()) tell_glyph(glyphs.evaluation);
        }
    }

    static bool is_dot(char c) { return c == '.' || c == ','; }

    void skip_nag() {
        ++p_;
        while (p_ < end_ && is_digit(*p_)) ++p_;
    }

    /// Reads the dots of "...Nf6" or "... 0-0", or an evaluation: +/- or ?! or +0.35.
    void skip_glyph() {
        const bool dot = is_dot(*p_);
        ++p_;
        while (!dot && p_ < end_ && !may_end_word(*p_)) {
            const CharClass next = class_of(*p_);
            if (next == CharClass::kHigh || (next == CharClass::kWord && *p_ != '-')) return;
            ++p_;
        }
    }

    bool at_line_start() const { return p_ == begin_ || is_newline(p_[-1]); }

    void skip_line() {
        while (p_ < end_ && !is_newline(*p_)) ++p_;
    }

    /// Skips a comment and returns its text.
    std::string_view skip_comment() {
        const char* open = p_++;
        CommentScan scan;
        const bool closed = scan.scan(p_, end_, end_) == CommentScan::End::kClosed;
        const char* text_end = closed ? p_ - 1 : p_;
        if (!closed) {
            visitor_.problem(open, "comment without an end");
            p_ = end_;
        }
        return {open + 1, static_cast<std::size_t>(text_end - open - 1)};
    }

    void tell_comment(std::string_view text) {
        if constexpr (kAnnotated) {
            if (wanted_) visitor_.comment(text);
        } else if constexpr (kCounted) {
            if (wanted_) visitor_.left_out(Annotation::kComment, text);
        }
    }
    void tell_glyph(std::string_view text) {
        if constexpr (kAnnotated) {
            if (wanted_) visitor_.glyph(text);
        } else if constexpr (kCounted) {
            if (wanted_) visitor_.left_out(Annotation::kGlyph, text);
        }
    }
    void tell_variation_left_out(std::string_view text) {
        if constexpr (kCounted) {
            if (wanted_) visitor_.left_out(Annotation::kVariation, text);
        }
    }

    void read_comment() { tell_comment(skip_comment()); }

    void read_line_comment() {
        const char* text = p_ + 1;
        skip_line();
        tell_comment({text, static_cast<std::size_t>(p_ - text)});
    }

    void skip_variation() {
        const char* open = p_;
        unsigned depth = 0;
        while (p_ < end_) {
            switch (class_of(*p_)) {
                case CharClass::kComment: skip_comment(); continue;
                case CharClass::kLineComment: skip_line(); continue;
                case CharClass::kEscape:
                    if (at_line_start()) {
                        skip_line();
                        continue;
                    }
                    break;
                case CharClass::kOpen:
                    if (match_promotion(begin_, p_, end_) == 0) ++depth;
                    break;
                case CharClass::kClose:
                    if (closes_promotion(begin_, p_, end_)) break;
                    if (--depth == 0) {
                        ++p_;
                        return;
                    }
                    break;
                default: break;
            }
            ++p_;
        }
        visitor_.problem(open, "variation without an end");
    }

    /// Reads a variation up to the same end as skip_variation(), and calls the visitor for its
    /// contents.
    void read_variation() {
        const char* open = p_;
        std::size_t depth = 0;
        while (p_ < end_) {
            const char* word = p_;
            switch (class_of(*p_)) {
                case CharClass::kSpace: ++p_; continue;
                case CharClass::kComment: read_comment(); continue;
                case CharClass::kLineComment: read_line_comment(); continue;
                case CharClass::kEscape:
                    if (at_line_start()) {
                        skip_line();
                        continue;
                    }
                    skip_word();
                    break;
                case CharClass::kOpen:
                    if (const std::size_t n = match_promotion(begin_, p_, end_); n != 0) {
                        p_ += n;
                        break;
                    }
                    ++p_;
                    ++depth;
                    if (wanted_) visitor_.open_variation();
                    continue;
                case CharClass::kClose:
                    ++p_;
                    if (wanted_) visitor_.close_variation();
                    if (--depth == 0) return;
                    continue;
                case CharClass::kBracket:
                    ++p_;
                    if (*word == '}') continue;
                    break;
                case CharClass::kDigit:
                case CharClass::kStar: skip_number_or_result(); break;
                case CharClass::kNag: skip_nag(); break;
                case CharClass::kHigh:
                    if (take_wide_blank() || read_symbol_word()) continue;
                    skip_number_or_result();
                    break;
                case CharClass::kGlyph:
                    if (begins_sign(*p_) && read_symbol_word()) continue;
                    if (is_dot(*p_)) {
                        while (p_ < end_ && is_dot(*p_)) ++p_;
                    } else {
                        skip_word();
                    }
                    break;
                case CharClass::kWord: skip_word(); break;
            }
            skip_promotions();
            if (wanted_) tell_word({word, static_cast<std::size_t>(p_ - word)});
        }
        visitor_.problem(open, "variation without an end");
        for (; depth > 0 && wanted_; --depth) visitor_.close_variation();
    }

    /// A `(` directly after 8 or $1 belongs to the word; if written apart it would open a
    /// variation.
    void skip_promotions() {
        while (p_ < end_) {
            const std::size_t n = match_promotion(begin_, p_, end_);
            if (n == 0) return;
            p_ += n;
        }
    }

    bool read_symbol_word() {
        const Symbol symbol = match_symbol(p_, end_);
        if (symbol.size != 0 && !symbol.nag.empty() && wanted_) visitor_.word(symbol.nag);
        p_ += symbol.size;
        return symbol.size != 0;
    }

    /// Calls visitor_.word() with a word. A result beyond ASCII becomes ASCII. Letters of
    /// Informator at the end of a word become a NAG, which is a word of its own.
    void tell_word(std::string_view word) {
        const char* end = word.data() + word.size();
        const bool ascii = std::all_of(word.begin(), word.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        if (!ascii && match_result(word.data(), end) == word.size()) {
            return visitor_.word(plain_result(word));
        }
        if (word.back() < 'D' || word.back() > 'R') return visitor_.word(word);
        std::string_view letters = nag_of_whole(word);
        if (letters.empty()) {
            letters = take_letters(word);
            visitor_.word(word);
        }
        if (!letters.empty()) visitor_.word(letters);
    }

    void skip_number_or_result() {
        if (const std::size_t n = match_result(p_, end_); n != 0) {
            p_ += n;
            return;
        }
        if (!is_digit(*p_) || *p_ == '0') return skip_word();  // 0-0
        while (p_ < end_ && is_digit(*p_)) ++p_;
        while (p_ < end_ && *p_ == '.') ++p_;
    }

    static constexpr bool kAnnotated = requires(Visitor & visitor, std::string_view text) {
        visitor.comment(text);
    };
    static constexpr bool kCounted = requires(Visitor & visitor, std::string_view text) {
        visitor.left_out(Annotation::kComment, text);
    };

    const char* begin_;
    const char* p_;
    const char* end_;
    bool truncated_;
    bool wanted_ = true;
    Visitor& visitor_;
};

}  // namespace detail

template <typename Visitor>
void read_game(std::string_view text, bool truncated, Visitor& visitor) {
    detail::GameReader<Visitor>(text, truncated, visitor).read();
}

}  // namespace fendex::pgn
