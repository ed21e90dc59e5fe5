#include "chess/plain_fen.hpp"

#include <array>
#include <cstdint>

#include "chess/setup.hpp"

namespace fendex::chess {

namespace {

constexpr std::uint8_t kNoPiece = 0xFF;

/// The piece of each letter.
constexpr auto kPieces = [] {
    std::array<std::uint8_t, 256> table{};
    for (std::uint8_t& each : table) each = kNoPiece;
    for (std::uint8_t i = 0; i < 12; ++i) {
        table[static_cast<unsigned char>("pPnNbBrRqQkK"[i])] = i;
    }
    return table;
}();

/// Returns whether a side has one king, and not too many pieces.
bool has_usual_pieces(const Position& position, Color c) {
    return count(position.pieces(c)) <= 16 && count(position.pieces(c, PieceType::kPawn)) <= 8 &&
           count(position.pieces(c, PieceType::kKing)) == 1;
}

/// Reads the placement up to the blank after it. Returns null if it is not an usual one.
const char* read_placement(const char* c, const char* end, Setup& setup) {
    for (unsigned rank = 8; rank-- > 0;) {
        unsigned file = 0;
        bool after_digit = false;
        while (file < 8) {
            if (c == end) return nullptr;
            const char letter = *c++;
            if (letter >= '1' && letter <= '8') {
                if (after_digit) return nullptr;
                after_digit = true;
                file += static_cast<unsigned>(letter - '0');
                continue;
            }
            const std::uint8_t piece = kPieces[static_cast<unsigned char>(letter)];
            if (piece == kNoPiece) return nullptr;
            after_digit = false;
            setup.board[make_square(file++, rank)] = static_cast<Piece>(piece);
        }
        if (file != 8 || c == end || *c++ != (rank == 0 ? ' ' : '/')) return nullptr;
    }
    return c;
}

/// Reads a castling right of standard chess.
bool read_right(char letter, Setup& setup) {
    const bool white = letter == 'K' || letter == 'Q';
    const bool short_side = letter == 'K' || letter == 'k';
    if (!white && letter != 'k' && letter != 'q') return false;
    const Color c = white ? Color::kWhite : Color::kBlack;
    const unsigned rank = back_rank(c);
    const Square rook = make_square(short_side ? 7 : 0, rank);
    if (setup.board[make_square(4, rank)] != make_piece(c, PieceType::kKing) ||
        setup.board[rook] != make_piece(c, PieceType::kRook) || (setup.castling & bit(rook)) != 0) {
        return false;
    }
    setup.castling |= bit(rook);
    return true;
}

}  // namespace

std::optional<Position> read_plain_fen(std::string_view fen) {
    Setup setup;
    const char* const end = fen.data() + fen.size();
    const char* c = read_placement(fen.data(), end, setup);
    if (c == nullptr || end - c < 2 || (c[0] != 'w' && c[0] != 'b') || c[1] != ' ')
        return std::nullopt;
    setup.side = c[0] == 'w' ? Color::kWhite : Color::kBlack;
    c += 2;
    if (c != end && *c == '-') {
        ++c;
    } else {
        while (c != end && *c != ' ') {
            if (!read_right(*c++, setup)) return std::nullopt;
        }
        if (setup.castling == 0) return std::nullopt;
    }
    if (std::string_view(c, static_cast<std::size_t>(end - c)) != " -") return std::nullopt;
    const Position position(setup);
    constexpr Bitboard kEdges = rank_mask(0) | rank_mask(7);
    if (!has_usual_pieces(position, Color::kWhite) || !has_usual_pieces(position, Color::kBlack) ||
        (position.pieces(PieceType::kPawn) & kEdges) != 0) {
        return std::nullopt;
    }
    if (position_error(position)) return std::nullopt;
    return position;
}

}  // namespace fendex::chess
