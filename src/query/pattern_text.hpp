// Patterns as people write them. Errors are values that say where; may be used from any thread.
//
// A partial board is written like the placement of a FEN, ranks 8 to 1 between slashes. A letter is
// that piece, a digit that many empty squares, `?` any square, `!` any piece, `A` and `a` any white
// and any black piece, `[Qq]` one of these, `[^Pp]` none of these (an empty square too), and one
// `*` in a rank all squares that the others leave.
//
// Material is `KRPvKR`, exactly what White and Black have; or conditions, `Q=1 R>=1 q=0`, with
// capital letters for White, small ones for Black, and any of = != < <= > >=. Where a variant's
// sides need not have one king, kings are counted as other pieces are.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "query/position_pattern.hpp"

namespace fendex::query {

struct PatternText {
    std::optional<std::string_view> board;
    std::optional<std::string_view> material;
    /// Also where the colours are the other way round.
    bool either_side = false;
    /// The variant of the positions that are searched.
    chess::Variant variant = chess::Variant::kStandard;
};

struct PatternResult {
    std::optional<PositionPattern> pattern;  // empty where the text is none
    std::string_view field;                  // then: "pattern" or "material",
    std::string error;                       // and what is wrong with it, and where
};

PatternResult parse_pattern(const PatternText& text);

}  // namespace fendex::query
