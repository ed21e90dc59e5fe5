// Packed moves: whole games come back, and damaged bytes give playable moves or none.
#include "codec/move_list.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "codec/game_walk.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using chess::Move;
using chess::MoveKind;
using chess::Position;
using test::Random;

struct Game {
    Position start;
    std::vector<Move> moves;
    std::string packed;
};

Game random_game(Random& random, unsigned turn, unsigned plies) {
    Game game;
    game.start = test::any_start(random, turn);
    codec::BitWriter out;
    Position position = game.start;
    while (game.moves.size() < plies) {
        chess::MoveList legal;
        chess::legal_moves(position, legal);
        if (legal.empty()) break;
        const bool pass = random() % 40 == 0 && !position.in_check();
        const Move move = pass ? Move::null() : test::random_move(legal, random);
        codec::encode_move(position, move, out);
        position.play(move);
        game.moves.push_back(move);
    }
    game.packed = out.take();
    return game;
}

/// True if the move can be played on the board.
bool is_playable(const Position& p, Move move) {
    if (move.kind() == MoveKind::kNull) return true;
    const chess::Piece piece = p.piece_on(move.from());
    if (piece == chess::Piece::kNone || chess::color_of(piece) != p.side_to_move()) return false;
    const chess::Piece target = p.piece_on(move.to());
    if (move.kind() == MoveKind::kCastle) {
        return target == chess::make_piece(p.side_to_move(), chess::PieceType::kRook);
    }
    if (target != chess::Piece::kNone && chess::color_of(target) == p.side_to_move()) return false;
    return move.to() != p.king(~p.side_to_move());
}

/// Plays the moves that the bytes encode, as far as possible; returns how many there were.
unsigned play_bytes(const Position& start, std::string_view bytes, unsigned plies) {
    codec::MoveListReader reader(bytes);
    Position position = start;
    for (unsigned ply = 0; ply < plies; ++ply) {
        Move move;
        if (!reader.next(position, move)) return ply;
        REQUIRE(is_playable(position, move));
        position.play(move);
        REQUIRE(chess::count(position.pieces(chess::PieceType::kKing)) == 2);
        REQUIRE(chess::count(position.pieces(chess::Color::kWhite, chess::PieceType::kKing)) == 1);
        REQUIRE((position.pieces(chess::PieceType::kPawn) &
                 (chess::rank_mask(0) | chess::rank_mask(7))) == 0);
        REQUIRE(position.key() == position.computed_key());
    }
    return plies;
}

}  // namespace

TEST_CASE("Packed games are read back unchanged, from standard and other starts") {
    Random random(11);
    std::map<MoveKind, unsigned> kinds;
    std::size_t plies = 0;
    std::size_t bytes = 0;
    for (unsigned turn = 0; turn < test::fewer(600U, 4); ++turn) {
        const Game game = random_game(random, turn, 250);
        codec::GameWalk walk(game.start, game.packed,
                             static_cast<std::uint32_t>(game.moves.size()));
        Position position = game.start;
        for (std::uint32_t ply = 0; ply < game.moves.size(); ++ply) {
            REQUIRE_FALSE(walk.at_end());
            REQUIRE(walk.ply() == ply);
            REQUIRE(walk.position().key() == position.key());
            REQUIRE(walk.next_move() == game.moves[ply]);
            ++kinds[game.moves[ply].kind()];
            position.play(game.moves[ply]);
            walk.advance();
        }
        CHECK(walk.at_end());
        CHECK_FALSE(walk.corrupt());
        CHECK(walk.ply() == game.moves.size());
        CHECK(walk.position().same_as(position));
        plies += game.moves.size();
        bytes += game.packed.size();
    }
    // The random games must contain every kind of move.
    for (const MoveKind kind :
         {MoveKind::kNormal, MoveKind::kPromoteKnight, MoveKind::kPromoteBishop,
          MoveKind::kPromoteRook, MoveKind::kPromoteQueen, MoveKind::kCastle, MoveKind::kEnPassant,
          MoveKind::kDoublePush, MoveKind::kNull}) {
        CAPTURE(static_cast<int>(kind));
        CHECK(kinds[kind] > test::fewer(30U, 4));
    }
    CHECK(bytes < plies * 5 / 4);
}

TEST_CASE("Every legal move has a code of its own") {
    Random random(12);
    for (unsigned turn = 0; turn < 60; ++turn) {
        test::random_game(test::any_start(random, turn), random, 80, [&](const Position& p, Move) {
            chess::MoveList legal;
            chess::legal_moves(p, legal);
            for (const Move move : legal) {
                codec::BitWriter out;
                codec::encode_move(p, move, out);
                const std::string bytes = out.take();
                codec::MoveListReader reader(bytes);
                Move decoded;
                REQUIRE(reader.next(p, decoded));
                REQUIRE(decoded == move);
            }
        });
    }
}

TEST_CASE("Random bytes give playable moves or none") {
    Random random(13);
    unsigned long long plies = 0;
    for (unsigned turn = 0; turn < 20'000; ++turn) {
        std::string bytes(random() % 60, '\0');
        for (char& c : bytes) c = static_cast<char>(random());
        plies += play_bytes(test::any_start(random, turn), bytes, 200);
    }
    CHECK(plies > 20'000);
}

TEST_CASE("Damaged games give playable moves or none") {
    Random random(14);
    for (unsigned turn = 0; turn < test::fewer(400U); ++turn) {
        const Game game = random_game(random, turn, 150);
        const auto plies = static_cast<unsigned>(game.moves.size());
        for (int damage = 0; damage < 20 && !game.packed.empty(); ++damage) {
            std::string bytes = game.packed;
            switch (random() % 3) {
                case 0:
                    bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
                    break;
                case 1: bytes.resize(random() % bytes.size()); break;
                default: bytes.erase(random() % bytes.size(), 1 + random() % 3); break;
            }
            play_bytes(game.start, bytes, plies + 20);
        }
    }
}

TEST_CASE("A walk over cut moves ends where they end, and reports corruption") {
    Random random(15);
    for (unsigned turn = 0; turn < 200; ++turn) {
        const Game game = random_game(random, turn, 60);
        const auto plies = static_cast<std::uint32_t>(game.moves.size());
        if (plies < 30) continue;
        const std::string_view half =
            std::string_view(game.packed).substr(0, game.packed.size() / 2);
        codec::GameWalk walk(game.start, half, plies);
        std::uint32_t right = 0;
        while (!walk.at_end()) {
            if (right == walk.ply() && walk.next_move() == game.moves[right]) ++right;
            walk.advance();
        }
        CHECK(walk.corrupt());
        CHECK(walk.ply() < plies);
        // Half of the bytes hold at least about a third of the moves.
        CHECK(right >= plies / 4);
    }
    SECTION("a walk may have no moves") {
        const codec::GameWalk walk(Position(), {}, 0);
        CHECK(walk.at_end());
        CHECK_FALSE(walk.corrupt());
        CHECK(walk.position().key() == Position().key());
    }
}

TEST_CASE("Moves that the position does not allow are corruption") {
    const Position start;
    const auto refused = [&](std::initializer_list<std::pair<unsigned, unsigned>> bits) {
        codec::BitWriter out;
        for (const auto& [value, width] : bits) out.put(value, width);
        const std::string bytes = out.take();
        codec::MoveListReader reader(bytes);
        Move move;
        return !reader.next(start, move);
    };
    CHECK(refused({{15, 4}, {0, 2}}));               // castling through pieces
    CHECK(refused({{15, 4}, {3, 2}}));               // no such special move
    CHECK(refused({{7, 4}, {0, 1}}));                // a king with nowhere to go
    CHECK(refused({{1, 3}, {0, 1}}));                // a bishop with nowhere to go
    CHECK_FALSE(refused({{15, 4}, {2, 2}}));         // a null move
    CHECK_FALSE(refused({{0, 2}, {4, 3}, {1, 1}}));  // a pawn
    codec::MoveListReader nothing{std::string_view{}};
    Move move;
    CHECK_FALSE(nothing.next(start, move));
}

TEST_CASE("A move in UCI notation gets its code at once, or it is castling or not legal") {
    Random random(6);
    for (unsigned turn = 0; turn < test::fewer(40U, 4); ++turn) {
        Position position = test::any_start(random, turn);
        for (std::uint64_t plies = random() % 80; plies > 0; --plies) {
            const chess::MoveList legal = chess::legal_moves(position);
            if (legal.empty()) break;
            position.play(test::random_move(legal, random));
        }
        std::string text = "a1a1";
        for (unsigned squares = 0; squares < 64 * 64; ++squares) {
            text.resize(4);
            text[0] = static_cast<char>('a' + squares % 8);
            text[1] = static_cast<char>('1' + squares / 8 % 8);
            text[2] = static_cast<char>('a' + squares / 64 % 8);
            text[3] = static_cast<char>('1' + squares / 512);
            if (random() % 2 == 0) text += "nbrqk"[random() % 5];
            CAPTURE(text);
            Move expected;
            codec::BitWriter bits_expected;
            const bool legal = chess::read_uci(position, text, expected) == chess::SanError::kNone;
            codec::BitWriter bits;
            const Move move = codec::encode_plain_uci(position, text, bits);
            if (legal && expected.kind() != MoveKind::kCastle) {
                codec::encode_move(position, expected, bits_expected);
                REQUIRE(move == expected);
            } else {
                REQUIRE(move == Move{});
            }
            REQUIRE(bits.take() == bits_expected.take());
        }
    }
}
