#include "chess/diagram.hpp"

namespace fendex::chess {

namespace {

template <Board B>
std::string board_of(const B& position) {
    std::string out = "  +-----------------+\n";
    for (unsigned rank = 8; rank-- > 0;) {
        out += static_cast<char>('1' + rank);
        out += " |";
        for (unsigned file = 0; file < 8; ++file) {
            const Piece piece = position.piece_on(make_square(file, rank));
            out += ' ';
            out += piece == Piece::kNone ? '.' : kFenLetters[index(piece)];
        }
        out += " |\n";
    }
    return out + "  +-----------------+\n    a b c d e f g h\n";
}

}  // namespace

std::string diagram(const Position& position) { return board_of(position); }

std::string diagram(const VariantPosition& position) {
    std::string in_hand;
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        for (unsigned t = index(PieceType::kKing); t-- > 0;) {
            const auto type = static_cast<PieceType>(t);
            in_hand.append(position.pocket(c, type), kFenLetters[index(make_piece(c, type))]);
        }
    }
    std::string out = board_of(position);
    return in_hand.empty() ? out : out + "    in hand: " + in_hand + '\n';
}

std::string diagram(const AnyPosition& position) {
    return position.visit([](const auto& p) { return diagram(p); });
}

}  // namespace fendex::chess
