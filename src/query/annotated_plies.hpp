// Reads annotations ply by ply: the NAGs, comments and variations after a ply of the game. Also
// reads the commands that servers and engines write into comments: [%clk 0:01:30], [%eval 0.17],
// [%emt 0:00:05].
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

/// Return the value of a command in a comment. If there are several of the same kind, the first one
/// counts.
std::optional<double> clock_seconds(std::string_view comment);
std::optional<double> elapsed_seconds(std::string_view comment);
std::optional<double> eval_pawns(std::string_view comment);
/// Returns the number of moves to mate; negative if Black mates.
std::optional<std::int64_t> eval_mate(std::string_view comment);
/// Returns the comment without clk, emt and eval; other commands, like [%cal Ge2e4], stay.
std::string without_numbers(std::string_view comment);

}  // namespace fendex::query
