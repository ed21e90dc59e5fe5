#include "chess/diagram.hpp"

namespace fendex::chess {

std::string diagram(const Position& position) {
    constexpr char kLetters[] = "pPnNbBrRqQkK";  // by the number of the piece
    std::string out = "  +-----------------+\n";
    for (unsigned rank = 8; rank-- > 0;) {
        out += static_cast<char>('1' + rank);
        out += " |";
        for (unsigned file = 0; file < 8; ++file) {
            const Piece piece = position.piece_on(make_square(file, rank));
            out += ' ';
            out += piece == Piece::kNone ? '.' : kLetters[index(piece)];
        }
        out += " |\n";
    }
    return out + "  +-----------------+\n    a b c d e f g h\n";
}

}  // namespace fendex::chess
