// Standard Algebraic Notation (PGN standard 8.2.3) and UCI, for every board. Reading has two steps:
// parse_san() reads the text without a board, resolve_san() finds the legal move that it names on a
// board. Both are pure, allocate nothing on the standard board, and report failure as a SanError.
// Reading accepts what people write (0-0, e8Q, exd6e.p., Ng1f3, e2-e4, e2e4, --); writing follows
// the standard. Variants add drops ("N@f3", "@e4", "P@e4") and promotions to a king ("e8=K"). In
// variants a move gets the mark '#' also if it ends the game by the variant's own rule, as servers
// write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"

namespace fendex::chess {

/// A move as its text describes it.
struct SanMove {
    enum class Kind : std::uint8_t { kPiece, kDrop, kCastleShort, kCastleLong, kNull };
    static constexpr std::uint8_t kAny = 8;

    Kind kind = Kind::kPiece;
    PieceType piece = PieceType::kPawn;
    PieceType promotion = PieceType::kNone;
    std::uint8_t from_file = kAny;
    std::uint8_t from_rank = kAny;
    std::uint8_t to_file = kAny;
    /// kAny for a pawn capture that names only two files ("ed"), which parse_san() does not read.
    std::uint8_t to_rank = kAny;
    bool capture = false;
    bool names_piece = false;

    /// The target square. `to_rank` must not be kAny.
    constexpr Square to() const { return make_square(to_file, to_rank); }
    /// True if there is no piece letter but a complete square of origin: e2e4, and also UCI's g1f3.
    constexpr bool coordinates() const {
        return !names_piece && from_file != kAny && from_rank != kAny;
    }
};

enum class SanError : std::uint8_t {
    kNone,
    // The text is not a move:
    kEmpty,
    kUnknownCharacter,
    kNoTarget,        // no complete square: "Nf", "exd"
    kTooManySquares,  // "e2e4e6"
    kBadPromotion,    // "e8=K", "Nf8=Q"
    // The board has no such move:
    kNoSuchPiece,  // no piece of that kind can go there
    kAmbiguous,    // several can, legally
    kIllegal,      // one can, but its king would be in check
    kNoPromotion,  // a pawn on the last rank without a piece named
    kCannotCastle,
    kCannotDrop,
    kNullInCheck,
    kGameOver,  // by the variant's own rule
};

/// Describes the error: "illegal move: no such piece can go there".
std::string_view describe(SanError error);

/// Reads standard SAN; a drop and a promotion to a king are errors.
[[nodiscard]] SanError parse_san(std::string_view text, SanMove& out);
/// Reads SAN of variants, which also has drops, promotions to a king, and marks after a null move.
[[nodiscard]] SanError parse_variant_san(std::string_view text, SanMove& out);

/// Finds the one legal move that `san` names. It looks for pieces that reach the target and does
/// not generate moves.
[[nodiscard]] SanError resolve_san(const Position& position, const SanMove& san, Move& out);
/// Finds the one legal move that `san` names by generating all legal moves.
[[nodiscard]] SanError resolve_san(const VariantPosition& position, const SanMove& san, Move& out);

/// Does both steps: finds the one legal move that the text names.
[[nodiscard]] SanError read_san(const Position& position, std::string_view text, Move& out);
[[nodiscard]] SanError read_san(const VariantPosition& position, std::string_view text, Move& out);

/// Finds the legal move that UCI notation names: e2e4, e7e8q, N@f3, 0000; castling as e1g1 or as
/// king takes rook.
template <Board B>
[[nodiscard]] SanError read_uci(const B& position, std::string_view text, Move& out);

/// The longest SAN of a move: "Qa1xb2+", "exd8=Q#".
inline constexpr std::size_t kMaxSanLength = 7;
/// Writes the SAN of a legal move without + or # to `out` (at least kMaxSanLength bytes, no
/// terminator); returns the end.
template <Board B>
char* write_san(const B& position, Move move, char* out);
/// Returns the mark at the end of the SAN of a move that led to a position: '+', '#', or 0 for
/// none. A null move has no mark.
template <Board B>
char check_mark(const B& after);

/// Appends the SAN of a legal move, with + or #. It copies the position; a caller that plays the
/// move anyway can avoid the copy by calling write_san() and check_mark().
template <Board B>
void append_san(const B& position, Move move, std::string& out);
template <Board B>
std::string to_san(const B& position, Move move) {
    std::string out;
    append_san(position, move, out);
    return out;
}

/// Appends UCI notation: e2e4, e7e8q, N@f3, 0000. Castling is the king's move (e1g1) or king takes
/// rook. King takes rook is used if `variant` is Chess960, and on the board of a variant if the
/// right is not a standard one.
template <Board B>
void append_uci(const B& position, Move move, Variant variant, std::string& out);
template <Board B>
std::string to_uci(const B& position, Move move, Variant variant) {
    std::string out;
    append_uci(position, move, variant, out);
    return out;
}
inline std::string to_uci(const VariantPosition& position, Move move) {
    return to_uci(position, move, position.variant());
}

/// "e4".
void append_square(Square s, std::string& out);

}  // namespace fendex::chess
