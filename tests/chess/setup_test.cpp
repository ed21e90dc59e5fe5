// A setup is a position exactly if its FEN is.
#include "chess/setup.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "chess/any_position.hpp"
#include "chess/movegen.hpp"
#include "chess/variant_play.hpp"

namespace {

using namespace fendex::chess;

/// Returns the FEN of a setup that need not be a position, without counts of checks and clocks.
std::string fen_of(const VariantSetup& setup, bool pockets) {
    std::string out;
    for (unsigned rank = 8; rank-- > 0;) {
        for (unsigned file = 0; file < 8; ++file) {
            const Square s = make_square(file, rank);
            const Piece piece = setup.board[s];
            const bool after_digit = !out.empty() && out.back() >= '1' && out.back() <= '8';
            if (piece != Piece::kNone) {
                out += kFenLetters[index(piece)];
                if ((setup.promoted & bit(s)) != 0) out += '~';
            } else if (after_digit) {
                ++out.back();
            } else {
                out += '1';
            }
        }
        out += rank == 0 ? "" : "/";
    }
    if (pockets) {
        out += '/';
        for (const Color c : {Color::kWhite, Color::kBlack}) {
            for (unsigned t = 0; t < 5; ++t) {
                const Piece piece = make_piece(c, static_cast<PieceType>(t));
                out.append(setup.pockets[index(c)][t], kFenLetters[index(piece)]);
            }
        }
    }
    out += setup.side == Color::kWhite ? " w " : " b ";
    for (Bitboard rooks = setup.castling; rooks != 0;) {
        const Square rook = pop_lowest(rooks);
        out += static_cast<char>((rank_of(rook) == 0 ? 'A' : 'a') + file_of(rook));
    }
    if (setup.castling == 0) out += '-';
    out += ' ';
    if (setup.en_passant == kNoSquare) return out + '-';
    out += static_cast<char>('a' + file_of(setup.en_passant));
    return out + static_cast<char>('1' + rank_of(setup.en_passant));
}

/// Changes a setup at random; the result may be valid or not.
void disturb(VariantSetup& setup, bool pockets, std::mt19937& random) {
    const auto square = [&] { return static_cast<Square>(random() % 64); };
    switch (random() % 7) {
        case 0: setup.side = ~setup.side; break;
        case 1: setup.castling ^= bit(square() & 7U); break;
        case 2: setup.castling ^= bit(square() | 56U); break;
        case 3: setup.en_passant = square(); break;
        case 4: setup.en_passant = (square() & 7U) | (random() % 2 == 0 ? 16U : 40U); break;
        case 5: {
            const Square s = square();
            setup.board[s] = static_cast<Piece>(random() % 13);
            if (setup.board[s] == Piece::kNone) setup.promoted &= ~bit(s);
            break;
        }
        default: {
            if (!pockets) break;
            ++setup.pockets[random() % 2][random() % 5];
            const Square s = square();
            if (setup.board[s] != Piece::kNone) setup.promoted |= bit(s);
        }
    }
}

template <Board B>
void check_disturbed(const B& position, std::mt19937& random) {
    const Variant variant = AnyPosition(position).variant();
    const bool pockets = rules_of(variant).drops;
    for (unsigned i = 0; i < 8; ++i) {
        VariantSetup setup = setup_of(position);
        setup.halfmove = 0;
        setup.fullmove = 1;
        setup.checks[0] = setup.checks[1] = 0;
        for (unsigned n = random() % 4; n > 0; --n) disturb(setup, pockets, random);
        const std::string fen = fen_of(setup, pockets);
        CAPTURE(fen, name_of(variant));
        const auto expected = any_position(parse_any_fen(fen, variant));
        const auto made = any_position(variant, setup);
        REQUIRE(made.has_value() == expected.has_value());
        if (made) REQUIRE(to_fen(*made) == to_fen(*expected));
    }
}

}  // namespace

TEST_CASE("A setup makes a position exactly if its FEN does") {
    std::mt19937 random(5);
    for (const Variant variant : known_variants()) {
        AnyPosition position = AnyPosition::start_of(variant);
        for (unsigned ply = 0; ply < 120; ++ply) {
            const std::vector<Move> moves = position.visit([&](const auto& p) {
                check_disturbed(p, random);
                std::vector<Move> legal;
                if constexpr (std::same_as<std::decay_t<decltype(p)>, Position>) {
                    MoveList list;
                    legal_moves(p, list);
                    legal.assign(list.begin(), list.end());
                } else {
                    legal = legal_moves(p);
                }
                return legal;
            });
            if (moves.empty()) break;
            position.play(moves[random() % moves.size()]);
        }
    }
}

TEST_CASE("A position has the setup that it was made of") {
    std::mt19937 random(6);
    for (const Variant variant : fendex::test::variants_to_play()) {
        VariantPosition position(variant);
        for (unsigned ply = 0; ply < 120; ++ply) {
            const VariantPosition again(variant, setup_of(position));
            REQUIRE(again.same_as(position));
            REQUIRE(again.key() == position.key());
            REQUIRE(to_fen(again) == to_fen(position));
            const std::vector<Move> moves = legal_moves(position);
            if (moves.empty()) break;
            position.play(moves[random() % moves.size()]);
        }
    }
}
