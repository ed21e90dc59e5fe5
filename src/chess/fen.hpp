// FEN and EPD, in every dialect of chess and Chess960 (PGN standard 16.1; X-FEN and Shredder-FEN
// for Chess960 castling) and of the variants. Reading accepts all dialects, and the separators of
// web addresses; writing gives exactly one spelling per dialect. Pure functions; failure is a
// value.
//
// Crazyhouse adds pockets to the placement, as a ninth rank (".../R3R1K1/NNPPbnp") or in brackets
// ("...R3R1K1[NNPPbnp]"), and marks pieces that were pawns ("Q~"). Three-check adds the checks
// given after the last field ("+0+2"), or the checks left after the en passant field ("3+1"). If a
// web address has a plus for every blank, checks left without clocks ("+-+3+1") look like the
// clocks 3 and 1, and are read as those.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/setup.hpp"

namespace fendex::chess {

enum class FenDialect {
    kStandard,  // canonical: en passant square after every double step; KQkq for the outermost rook
    kLegal,     // en passant square only if the capture is legal; pockets in brackets, checks left
    kXfen,      // en passant square only if an enemy pawn stands ready to capture
    kShredder,  // castling always as rook files
};

/// A dialect's name on command lines and in SQL.
struct FenDialectName {
    FenDialect dialect;
    std::string_view name;
};
inline constexpr FenDialectName kFenDialects[] = {{FenDialect::kStandard, "standard"},
                                                  {FenDialect::kLegal, "legal"},
                                                  {FenDialect::kXfen, "xfen"},
                                                  {FenDialect::kShredder, "shredder"}};

struct FenResult {
    std::optional<Position> position;  // empty if the text is not a position
    /// Set by parse_any_fen() instead of `position` if it is a position of a variant.
    std::optional<VariantPosition> variant_position;
    FenError error;                 // says why, if both are empty
    std::vector<FenError> dropped;  // what was left out; empty if kStrict
    /// True if a castling right belongs to a rook or king that is not on its standard square. Only
    /// Chess960 has such rights.
    bool chess960 = false;
    /// True if a castling right is named by its rook's file (HAha). Only Chess960 is written so.
    bool rook_files = false;
    /// The text of the EPD operations after the fields; see epd.hpp.
    std::string operations;
};

/// How to treat wrong castling rights or a wrong en passant square.
enum class FenMode {
    kStrict,   // reject the text
    kLenient,  // leave them out
    /// Like kLenient, but also leave out rights that standard chess does not have: the king is not
    /// on the e-file, or the rook is not in the corner.
    kLenientStandard,
};

/// The largest halfmove clock and fullmove number that are read.
inline constexpr unsigned kMaxClock = 999'999;

/// Reads a FEN of standard chess or Chess960.
[[nodiscard]] FenResult parse_fen(std::string_view text, FenMode mode = FenMode::kStrict);
/// Reads a FEN of `variant`. If none is given, the text decides: pockets and promoted pieces mean
/// Crazyhouse, checks mean Three-check, everything else is standard chess.
[[nodiscard]] FenResult parse_any_fen(std::string_view text, std::optional<Variant> variant,
                                      FenMode mode = FenMode::kStrict);

/// The longest FEN or EPD that write_fen() and write_epd() produce.
inline constexpr std::size_t kMaxFenLength = 256;
/// Writes the FEN to `out` (at least kMaxFenLength bytes, no terminator); returns the end.
template <Board B>
char* write_fen(const B& position, FenDialect dialect, char* out);
/// Writes the four fields that identify a position, with the pockets of Crazyhouse and the checks
/// of Three-check. Two positions are the same if and only if their EPDs in one dialect are equal.
/// `dialect` decides how castling rights, pockets and checks are written.
template <Board B>
char* write_epd(const B& position, FenDialect dialect, char* out);
template <Board B>
char* write_epd(const B& position, char* out) {
    return write_epd(position, FenDialect::kStandard, out);
}

template <Board B>
std::string to_fen(const B& position, FenDialect dialect = FenDialect::kStandard) {
    char buffer[kMaxFenLength];
    return {buffer, write_fen(position, dialect, buffer)};
}
template <Board B>
std::string to_epd(const B& position) {
    char buffer[kMaxFenLength];
    return {buffer, write_epd(position, buffer)};
}

}  // namespace fendex::chess
