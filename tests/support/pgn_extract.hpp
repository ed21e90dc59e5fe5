// Results of an independent program: pgn-extract's FEN after every move.
#pragma once

#include <string>
#include <vector>

namespace fendex::test {

bool have_pgn_extract();

/// A game as pgn-extract read it.
struct ExtractedGame {
    std::string number;             // value of the tag kNumberTag
    std::vector<std::string> fens;  // one per ply, without the start
};

/// A tag that identifies games in the output, because pgn-extract may leave games out.
inline constexpr char kNumberTag[] = "FendexTestNumber";

/// Runs pgn-extract on a file. `options` are added to those that make it write only tags, moves and
/// FENs of the main line.
std::vector<ExtractedGame> extract_fens(const std::string& path,
                                        const std::vector<std::string>& options = {});

}  // namespace fendex::test
