// The answers of an independent program: pgn-extract's FEN after every move.
#pragma once

#include <string>
#include <vector>

namespace fendex::test {

bool have_pgn_extract();

/// A game as pgn-extract read it.
struct ExtractedGame {
    std::string number;             // the value of the tag kNumberTag
    std::vector<std::string> fens;  // one per ply; the start is not among them
};

/// A tag by which games are told apart in the output, where games are left out of it.
inline constexpr char kNumberTag[] = "FendexTestNumber";

/// Runs it on a file. `options` are added to those that make it write nothing but tags, moves and
/// FENs of the main line.
std::vector<ExtractedGame> extract_fens(const std::string& path,
                                        const std::vector<std::string>& options = {});

}  // namespace fendex::test
