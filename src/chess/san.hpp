// Standard Algebraic Notation (PGN standard 8.2.3), both ways. Reading has two steps: parse_san()
// says what a text means without a board, resolve_san() finds the legal move it names on one. Both
// are pure, allocate nothing, and report failure as a value. What people write is read (0-0, e8Q,
// exd6e.p., Ng1f3, e2-e4, e2e4, --); what the standard says is written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "chess/position.hpp"

namespace fendex::chess {

struct SanMove {
    enum class Kind : std::uint8_t { kPiece, kCastleShort, kCastleLong, kNull };
    static constexpr std::uint8_t kAny = 8;

    Kind kind = Kind::kPiece;
    PieceType piece = PieceType::kPawn;
    PieceType promotion = PieceType::kNone;
    std::uint8_t from_file = kAny;
    std::uint8_t from_rank = kAny;
    bool capture = false;
    /// No piece letter and a full square of origin: e2e4, but also g1f3 as UCI writes it.
    bool coordinates = false;
    Square to = kNoSquare;
};

enum class SanParseError : std::uint8_t {
    kNone,
    kEmpty,
    kUnknownCharacter,
    kNoTarget,        // no complete square: "Nf", "exd"
    kTooManySquares,  // "e2e4e6"
    kBadPromotion,    // "e8=K", "Nf8=Q"
};

enum class SanResolveError : std::uint8_t {
    kNone,
    kNoSuchPiece,  // no piece of that kind can go there
    kAmbiguous,    // several can, legally
    kIllegal,      // one could, but its king would be in check
    kNoPromotion,  // a pawn on the last rank without a piece named
    kCannotCastle,
    kNullInCheck,
};

/// What the error is, in words: "no such piece can go there".
std::string_view describe(SanParseError error);
std::string_view describe(SanResolveError error);

SanParseError parse_san(std::string_view text, SanMove& out);

/// Finds the one legal move that `san` names. The target is asked which pieces reach it; no moves
/// are generated.
SanResolveError resolve_san(const Position& position, const SanMove& san, Move& out);

/// Both steps: finds the one legal move that the text names. Returns why there is none, in words;
/// empty where `out` is it.
std::string_view read_san(const Position& position, std::string_view text, Move& out);

/// The longest SAN of a move: "Qa1xb2+", "exd8=Q#".
inline constexpr std::size_t kMaxSanLength = 7;
/// Writes the SAN of a legal move without + or # to `out` (at least kMaxSanLength bytes, no
/// terminator); returns the end.
char* write_san(const Position& position, Move move, char* out);
/// What the SAN of the move that led to a position ends with: '+', '#', or 0 for nothing.
char check_mark(const Position& after);

/// Appends the SAN of a legal move, with + or #. Whoever plays the move anyway saves a copy of the
/// position by write_san() and check_mark().
void append_san(const Position& position, Move move, std::string& out);
std::string to_san(const Position& position, Move move);

/// Appends UCI notation: e2e4, e7e8q, 0000; castling as e1g1, or as king takes rook in Chess960.
void append_uci(const Position& position, Move move, Variant variant, std::string& out);
std::string to_uci(const Position& position, Move move, Variant variant);

/// "e4".
void append_square(Square s, std::string& out);

}  // namespace fendex::chess
