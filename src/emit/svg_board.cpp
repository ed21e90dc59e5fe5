#include "emit/svg_board.hpp"

#include <iterator>

namespace fendex::emit {

namespace {

constexpr unsigned kSquareSize = 45;
constexpr unsigned kBoardSize = 8 * kSquareSize;
/// The space left of the board and below it, for the letters of the files and the numbers of the
/// ranks.
constexpr unsigned kMargin = 18;

/// The outlines of the pieces in a square of 45, in the order of PieceType.
constexpr const char* kShapes[] = {
    // Pawn: head, body, foot.
    R"(<path d="M22.5 9a5.6 5.6 0 0 1 3.6 9.9c3 2.4 3 6.6 5.4 11.6H13.5c2.4-5 2.4-9.2 5.4-11.6A5.6 5.6 0 0 1 22.5 9z"/><path d="M11.5 31.5h22v6h-22z"/>)",
    // Knight: neck and head to the left, eye.
    R"(<path d="M13 37.5c.6-7 7.6-8.4 7.4-13.6l-4.6 2.4-2.2 2.4c-2.6.6-4.3-1.6-3.6-4.2 2-6.4 4.4-10.6 9.8-12.6l4-4.4.8 4.2c8.4 5.6 9.6 15.4 8.9 25.8z"/><circle class="e" cx="19.4" cy="16.6" r="1.3"/>)",
    // Bishop: knob, mitre with its cross, foot.
    R"(<circle cx="22.5" cy="8" r="2.6"/><path d="M22.5 10.8c7 4.8 9 11 5.6 16.4H16.9c-3.4-5.4-1.4-11.6 5.6-16.4z"/><path class="l" d="M22.5 15.5v7m-3-4h6"/><path d="M16.5 28.5h12v3.4h-12zM12 37.5c1-3.4 4.6-4.4 7.6-5.2h5.8c3 .8 6.6 1.8 7.6 5.2z"/>)",
    // Rook: battlements, tower, foot.
    R"(<path d="M12.5 9.5h4.2v3.4h3.6V9.5h4.4v3.4h3.6V9.5h4.2v8h-20zM15.4 18.8h14.2l1.4 12.4H14zM11.5 32.4h22v5.1h-22z"/>)",
    // Queen: a crown of five points, foot.
    R"(<path d="M12.4 31.5 8.6 15.6l6.2 8.6 1.6-12.4 4.4 11.4 1.7-13 1.7 13 4.4-11.4 1.6 12.4 6.2-8.6-3.8 15.9z"/><circle cx="8.4" cy="13.8" r="2"/><circle cx="16.2" cy="10" r="2"/><circle cx="22.5" cy="8.4" r="2"/><circle cx="28.8" cy="10" r="2"/><circle cx="36.6" cy="13.8" r="2"/><path d="M12 32.7h21l.6 4.8H11.4z"/>)",
    // King: cross, two wings, foot.
    R"(<path class="c" d="M22.5 5v8.4m-3.4-5h6.8"/><path d="M22.5 24.6c-3.4-5.4-2.6-10.8 0-10.8s3.4 5.4 0 10.8z"/><path d="M13.2 31.5C5.8 25 9.2 16.6 15.6 16.8c3.6.2 6 2.8 6.9 7.8.9-5 3.3-7.6 6.9-7.8 6.4-.2 9.8 8.2 2.4 14.7z"/><path d="M12.4 32.7h20.2l.7 4.8H11.7z"/>)",
};

char letter_of(chess::PieceType type) { return "pnbrqk"[chess::index(type)]; }

std::string id_of(chess::Color color, chess::PieceType type) {
    return std::string(1, color == chess::Color::kWhite ? 'w' : 'b') + letter_of(type);
}

std::string place(unsigned square) { return std::to_string(square * kSquareSize); }

void add_text(const std::string& x, const std::string& y, char text, std::string& out) {
    out += "<text x=\"" + x + "\" y=\"" + y + "\">" + text + "</text>";
}

}  // namespace

std::string svg_pieces() {
    std::string out =
        "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><style>"
        ".w{fill:#fff;stroke:#111}.b{fill:#333;stroke:#111}.w,.b{stroke-width:1.4;"
        "stroke-linejoin:round}.l,.c{fill:none;stroke-linecap:round}.c{stroke-width:2}"
        ".b .l{stroke:#fff}.w .e{fill:#111}.b .e{fill:#fff;stroke:none}</style><defs>\n";
    for (const chess::Color color : {chess::Color::kWhite, chess::Color::kBlack}) {
        for (unsigned type = 0; type < std::size(kShapes); ++type) {
            const std::string id = id_of(color, static_cast<chess::PieceType>(type));
            out += "<g id=\"" + id + "\" class=\"" + id[0] + "\">" + kShapes[type] + "</g>\n";
        }
    }
    return out + "</defs></svg>\n";
}

std::string svg_board(const chess::Position& position, chess::Color below) {
    const std::string board = std::to_string(kBoardSize);
    const std::string whole = std::to_string(kBoardSize + kMargin);
    std::string out = "<svg class=\"board\" viewBox=\"-" + std::to_string(kMargin) + " 0 " + whole +
                      ' ' + whole + "\" role=\"img\"><rect width=\"" + board + "\" height=\"" +
                      board + "\" fill=\"#f3ead7\" stroke=\"#7a6a50\"/><path fill=\"#c9b48f\" d=\"";
    for (unsigned row = 0; row < 8; ++row) {
        for (unsigned column = 1 - row % 2; column < 8; column += 2) {
            out += 'M' + place(column) + ' ' + place(row) + "h45v45h-45z";
        }
    }
    out += "\"/>";
    const bool white_below = below == chess::Color::kWhite;
    for (unsigned row = 0; row < 8; ++row) {
        const unsigned rank = white_below ? 7 - row : row;
        const unsigned file_below = white_below ? row : 7 - row;
        add_text("-9", std::to_string(row * kSquareSize + 27), static_cast<char>('1' + rank), out);
        add_text(std::to_string(row * kSquareSize + 22), std::to_string(kBoardSize + 14),
                 static_cast<char>('a' + file_below), out);
        for (unsigned column = 0; column < 8; ++column) {
            const unsigned file = white_below ? column : 7 - column;
            const chess::Piece piece = position.piece_on(chess::make_square(file, rank));
            if (piece == chess::Piece::kNone) continue;
            out += "<use href=\"#" + id_of(chess::color_of(piece), chess::type_of(piece)) +
                   "\" x=\"" + place(column) + "\" y=\"" + place(row) + "\"/>";
        }
    }
    return out + "</svg>";
}

}  // namespace fendex::emit
