// The grammar of a move, once for all scripts. A Script says how letters, dashes and captures are
// written, and what may follow the target square: English SAN (san.cpp), or any language
// (san_word.cpp). A template, since English is read once per move of every game. Pure functions.
#pragma once

#include <string_view>

#include "chess/san.hpp"

namespace fendex::chess::san {

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }

inline bool is_null_move(std::string_view text) {
    return text == "--" || text == "Z0" || text == "@@@@" || text == "0000" || text == "null";
}

/// Removes the O's of castling and the dashes between them from the start of `s` and returns the
/// number of O's. If that is not 2 or 3, it returns 0 and leaves `s` unchanged.
template <typename Script>
unsigned take_castling(std::string_view& s) {
    std::string_view rest = s;
    unsigned count = 0;
    while (true) {
        if (const std::size_t n = Script::castling_length(rest); n != 0) {
            rest.remove_prefix(n);
            ++count;
        } else if (const std::size_t dash = Script::dash_length(rest); dash != 0) {
            rest.remove_prefix(dash);
        } else {
            break;
        }
    }
    if (count != 2 && count != 3) return 0;
    s = rest;
    return count;
}

/// The square that is being collected, and the one before it.
struct Squares {
    std::uint8_t from_file = SanMove::kAny;
    std::uint8_t from_rank = SanMove::kAny;
    std::uint8_t file = SanMove::kAny;
    std::uint8_t rank = SanMove::kAny;

    constexpr bool complete() const { return file != SanMove::kAny && rank != SanMove::kAny; }
    constexpr bool on_last_rank() const { return rank == 0 || rank == 7; }
};

/// Removes files, ranks, and the dashes and capture signs between them from the start of `s`. When
/// a second square begins, the first becomes the origin. Always inlined: a call makes reading the
/// moves of an import a tenth slower.
template <typename Script>
[[gnu::always_inline]] inline SanError take_squares(std::string_view& s, SanMove& move) {
    Squares squares;
    std::size_t i = 0;
    for (; i < s.size(); ++i) {
        const char c = s[i];
        if (is_file(c)) {
            if (Script::ends_squares(s.substr(i), squares)) break;
            if (squares.file != SanMove::kAny || squares.rank != SanMove::kAny) {
                if (squares.from_file != SanMove::kAny || squares.from_rank != SanMove::kAny) {
                    return SanError::kTooManySquares;
                }
                squares.from_file = squares.file;
                squares.from_rank = squares.rank;
                squares.rank = SanMove::kAny;
            }
            squares.file = static_cast<std::uint8_t>(c - 'a');
        } else if (is_rank(c)) {
            if (squares.rank != SanMove::kAny) return SanError::kTooManySquares;
            squares.rank = static_cast<std::uint8_t>(c - '1');
        } else if (const std::size_t n = Script::capture_length(s.substr(i)); n != 0) {
            move.capture = true;
            i += n - 1;
        } else if (const std::size_t dash = Script::dash_length(s.substr(i)); dash != 0) {
            i += dash - 1;
        } else {
            break;
        }
    }
    move.from_file = squares.from_file;
    move.from_rank = squares.from_rank;
    move.to_file = squares.file;
    move.to_rank = squares.rank;
    s.remove_prefix(i);
    return SanError::kNone;
}

/// Reads a whole word. A Script has:
///   static std::size_t castling_length(s), dash_length(s), capture_length(s)   0 if there is none
///   static bool begins_plainly(char)   castling and null moves never begin with this character
///   static bool ends_squares(s, Squares)   the file letter at the start of `s` begins no square
///   SanError take_piece(s&, move)   removes the piece's letter, and the @ of a drop
///   SanError take_rest(s, move)   checks the target and reads what follows it
///   SanError take_tail(s, move)   reads what may follow any move
template <typename Script>
[[nodiscard]] SanError read_move(std::string_view s, Script& script, SanMove& out) {
    out = SanMove{};
    if (s.empty()) return SanError::kEmpty;
    if (!Script::begins_plainly(s[0])) {
        if (is_null_move(s)) {
            out.kind = SanMove::Kind::kNull;
            return SanError::kNone;
        }
        if (const unsigned rooks = take_castling<Script>(s); rooks != 0) {
            out.kind = rooks == 2 ? SanMove::Kind::kCastleShort : SanMove::Kind::kCastleLong;
            return script.take_tail(s, out);
        }
    }
    SanError error = script.take_piece(s, out);
    if (error == SanError::kNone) error = take_squares<Script>(s, out);
    if (error == SanError::kNone) error = script.take_rest(s, out);
    return error;
}

}  // namespace fendex::chess::san
