// Reads annotations ply by ply: the NAGs, comments and variations after a ply of the game.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::query {

struct AnnotatedPly {
    std::uint32_t ply = 0;               // 0: before the first move
    std::string nags;                    // a JSON array; a glyph without a number as a string
    std::optional<std::string> comment;  // several are joined with line ends
    std::string variations;              // as PGN, separated by blanks
};

/// Returns the plies of a game that have annotations, in order. Throws StoreError for a damaged
/// stream.
std::vector<AnnotatedPly> annotated_plies(std::uint64_t game, std::string_view stream);

/// Appends a glyph ($14, !?, +-) to a JSON array of NAGs, which stays open; `nags` is empty before
/// the first one. A glyph without a number is appended as a string.
void append_nag(std::string_view glyph, std::string& nags);

}  // namespace fendex::query
