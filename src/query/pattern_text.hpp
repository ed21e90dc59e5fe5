// Parses patterns as people write them. Errors are values and say where the text is wrong. Any
// thread may use these functions.
//
// A partial board is written like the placement of a FEN, ranks 8 to 1 between slashes. A letter is
// that piece, and a digit is that many empty squares. `?` is any square, `!` is any piece, `A` and
// `a` are any white and any black piece. `[Qq]` is one of these pieces; `[^Pp]` is none of these
// (an empty square fits, too). One `*` in a rank stands for all squares that the other characters
// leave.
//
// Material is `KRPvKR`, exactly what White and Black have; or a list of conditions, `Q=1 R>=1 q=0`,
// with capital letters for White, small letters for Black, and any of = != < <= > >=. In variants
// in which a side need not have exactly one king, kings are counted like other pieces. After either
// form, or alone, `opposite` means opposite-coloured bishops: one each, on squares of different
// colours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "query/position_pattern.hpp"

namespace fendex::query {

struct PatternText {
    std::optional<std::string_view> board = {};
    std::optional<std::string_view> material = {};
    /// Also finds the pattern with colours exchanged.
    bool either_side = false;
    /// The variant of the positions that are searched.
    chess::Variant variant = chess::Variant::kStandard;
};

struct PatternResult {
    std::optional<PositionPattern> pattern;  // empty if the text is not a pattern
    std::string_view field;                  // "pattern" or "material" if there is an error
    std::string error;                       // what is wrong, and where
};

/// Returns the text in quotes, as messages have it.
[[nodiscard]] std::string quoted(std::string_view text);

[[nodiscard]] PatternResult parse_pattern(const PatternText& text);

}  // namespace fendex::query
