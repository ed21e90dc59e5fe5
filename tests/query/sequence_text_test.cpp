// Steps of sequences and conditions on moves, as text: what they match, and what is wrong with
// others.
#include "query/sequence_text.hpp"

#include <catch2/catch.hpp>

#include "chess/fen.hpp"
#include "chess/san.hpp"

namespace {

using namespace fendex;

/// Returns whether a position and the move played from it match a step.
bool matches(const std::string& step, const std::string& fen, const std::string& san,
             bool either_side = false) {
    query::SequenceText text;
    text.move = step;
    text.pattern.either_side = either_side;
    const query::SequenceResult result = query::parse_sequence(text);
    CAPTURE(step, san);
    INFO(result.error);
    REQUIRE(result.sequence);
    const query::PatternStep& only = result.sequence->steps().front();
    const chess::Position position = *chess::parse_fen(fen).position;
    std::optional<chess::Move> move;
    chess::PieceType moved = chess::PieceType::kNone;
    if (!san.empty()) {
        move.emplace();
        REQUIRE(chess::read_san(position, san, *move) == chess::SanError::kNone);
        moved = chess::type_of(position.piece_on(move->from()));
    }
    for (unsigned side = 0; side < only.moves.size(); ++side) {
        const unsigned cases = only.position.material_cases(position) & 1U << side;
        if (only.position.squares_match(position, cases) &&
            only.moves[side].matches(position, move ? &*move : nullptr, moved)) {
            return true;
        }
    }
    return false;
}

std::string error_of(const std::string& move, const std::vector<std::string_view>& then,
                     const std::string& field) {
    query::SequenceText text;
    text.move = move;
    text.then = then;
    const query::SequenceResult result = query::parse_sequence(text);
    CHECK_FALSE(result.sequence);
    CHECK(result.field == field);
    return result.error;
}
std::string error_of(const std::string& move) { return error_of(move, {}, "move"); }

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White can castle on both sides, capture on c6 and d6, and promote on b8 or a8.
const std::string kRich = "r3k3/1P6/2n5/1B1pP3/8/8/8/R3K2R w KQ d6 0 1";

}  // namespace

TEST_CASE("Moves: each part of a text matches what it says") {
    CHECK(matches("Nf3", kStart, "Nf3"));
    CHECK_FALSE(matches("Nf3", kStart, "Nh3"));
    CHECK_FALSE(matches("Nf3", kStart, ""));
    for (const char* const knight :
         {"N", "Ng1f3", "Ngf3", "N1f3", "Nf", "[NB]f3", "!f3", "[^P]f3"}) {
        CHECK(matches(knight, kStart, "Nf3"));
    }
    for (const char* const other : {"Nbf3", "N2f3", "f3", "Bf3", "x", "xf3", "=Q", "O-O", "P"}) {
        CHECK_FALSE(matches(other, kStart, "Nf3"));
    }
    for (const char* const pawn : {"e4", "P", "Pe4", "e2e4", "!e4", "ee4"}) {
        CHECK(matches(pawn, kStart, "e4"));
    }
    for (const char* const capture :
         {"x", "xc6", "xN", "xNc6", "Bxc6", "B", "Bc6", "Bb5xNc6", "[BR]x[NQ]", "[KB]xc6"}) {
        CHECK(matches(capture, kRich, "Bxc6+"));
    }
    for (const char* const other : {"quiet", "xQ", "Rxc6", "xd5", "Baxc6", "[^B]x", "B quiet"}) {
        CHECK_FALSE(matches(other, kRich, "Bxc6+"));
    }
    for (const char* const passing : {"exd6", "xd6", "xP", "d6", "ed6"}) {
        CHECK(matches(passing, kRich, "exd6"));
    }
    CHECK_FALSE(matches("quiet", kRich, "exd6"));
    for (const char* const promotion : {"=Q", "b8=Q", "b8", "=[QR]", "b7-b8"}) {
        CHECK(matches(promotion, kRich, "b8=Q+"));
    }
    CHECK_FALSE(matches("b8=N", kRich, "b8=Q+"));
    CHECK(matches("bxa8=R", kRich, "bxa8=R+"));
    CHECK(matches("xR", kRich, "bxa8=R+"));
}

TEST_CASE("Moves: castling is not a move to a square, but one of the king") {
    for (const char* const castling : {"O-O", "0-0", "K", "!", "quiet", "any"}) {
        CHECK(matches(castling, kRich, "O-O"));
    }
    for (const char* const other : {"O-O-O", "Kg1", "Kh1", "Rf1", "R", "K1", "x"}) {
        CHECK_FALSE(matches(other, kRich, "O-O"));
    }
    CHECK(matches("O-O-O", kRich, "O-O-O"));
    CHECK(matches("0-0-0", kRich, "O-O-O"));
}

TEST_CASE("Steps: all words hold together, and colours can be exchanged") {
    CHECK(matches("white", kStart, ""));
    CHECK_FALSE(matches("black", kStart, ""));
    CHECK(matches("white Nf3 pppppppp/*/*/*/*/*/*/* Q=1", kStart, "Nf3") == false);
    CHECK(matches("white Nf3 */pppppppp/*/*/*/*/*/* Q=1 r=2", kStart, "Nf3"));
    CHECK_FALSE(matches("white Nf3 */pppppppp/*/*/*/*/*/* Q=2", kStart, "Nf3"));
    CHECK(matches("KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP e4", kStart, "e4"));
    CHECK_FALSE(matches("black Nf6", kStart, "Nf3"));
    CHECK(matches("black Nf6", kStart, "Nf3", true));
    CHECK(matches("black Ng8-f6", kStart, "Nf3", true));
    CHECK_FALSE(matches("white Nf6", kStart, "Nf3", true));
}

TEST_CASE("Steps: gaps are those of the step, else those of all steps") {
    query::SequenceText text;
    text.move = "e4";
    text.then = {"e5", "Nf3-g5 within 7"};
    const auto plain = query::parse_sequence(text).sequence->steps();
    CHECK(plain[1].within == query::PatternStep::kAnyTime);
    CHECK(plain[2].within == 7);
    text.within = 1;
    const auto streak = query::parse_sequence(text).sequence->steps();
    CHECK(streak[1].within == 1);
    CHECK(streak[2].within == 7);
}

TEST_CASE("A sequence without move and steps is a pattern") {
    query::SequenceText text;
    text.pattern.board = "*/*/*/*/*/*/*/*";
    CHECK(query::parse_sequence(text).sequence->is_position());
    text.move = "N";
    CHECK_FALSE(query::parse_sequence(text).sequence->is_position());
    CHECK_FALSE(query::parse_sequence(text).sequence->has_steps());
    text.move = "Ng1-f3-g5";
    CHECK(query::parse_sequence(text).sequence->has_steps());
}

TEST_CASE("Steps: what is wrong is said, and where") {
    CHECK(error_of("") == "a board, material or a move is missing");
    CHECK(error_of("Nz3").starts_with("'Nz3', character 2: 'z' is not expected in a move"));
    CHECK(error_of("Nf3+").starts_with("'Nf3+', character 4: moves are written without + and #"));
    CHECK(error_of("Nf3-") == "'Nf3-', character 5: a route has a square here, as in Nf3-g1-e2");
    CHECK(error_of("Nf-g1") == "'Nf-g1', character 3: a route begins at a square");
    CHECK(error_of("e7-e8-d8=Q") == "'e7-e8-d8=Q', character 9: a route has no promotion");
    CHECK(error_of("e8=") == "'e8=', character 4: the piece is missing, as in e8=Q");
    CHECK(error_of("[NX]f3") ==
          "'[NX]f3', character 3: only K, Q, R, B, N and P can be in brackets");
    CHECK(error_of("[N") == "'[N', character 3: a ] is missing");
    CHECK(error_of("[]f3") == "'[]f3', character 3: there is nothing between the brackets");
    CHECK(error_of("Nf3 Bc4") == "'Bc4' is a second move; a step has one");
    CHECK(error_of("white black") == "white and black cannot both be to move");
    CHECK(error_of("quiet xf7") == "a capture is not quiet");
    CHECK(error_of("within 3 e4") == "within is of a step that follows another");
    CHECK(error_of("*/8") == "'*/8', 2 ranks, but there must be 8, with slashes between them");
    CHECK(error_of("e4", {"e5", "within 0 Nf3"}, "then") ==
          "step 3: within takes a number of plies, 1 or more, not '0'");
    CHECK(error_of("e4", {" "}, "then") == "step 2: a board, material or a move is missing");
    CHECK(error_of("e4", {"KvR"}, "then") ==
          "step 2: 'KvR', Black, 'R', must have one K, as in KRPvKR");
    CHECK(error_of("N@f3-g1").starts_with("'N@f3-g1', character 5: '-' is not expected"));
}
