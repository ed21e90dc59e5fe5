#include "chess/fen.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "chess/perft_suite.hpp"
#include "chess/random_play.hpp"
#include "chess/web_address.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex::chess;
using fendex::test::any_start;
using fendex::test::as_web_addresses;
using fendex::test::fewer;
using fendex::test::Random;
using fendex::test::random_game;

constexpr FenDialect kDialects[] = {FenDialect::kStandard, FenDialect::kLegal, FenDialect::kXfen,
                                    FenDialect::kShredder};

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Returns the canonical FEN of a text, or "field: reason".
std::string read(std::string_view text, FenMode mode = FenMode::kStrict) {
    const FenResult result = parse_fen(text, mode);
    return result.position ? to_fen(*result.position)
                           : std::string(result.error.field) + ": " + result.error.reason;
}

std::string word(const std::string& text, std::size_t number) {
    std::istringstream words(text);
    std::string found;
    for (std::size_t i = 0; i <= number; ++i) words >> found;
    return found;
}

/// Writes the placement field in the simple way.
std::string placement(const Position& p) {
    std::string text;
    for (unsigned rank = 8; rank-- > 0;) {
        unsigned empty = 0;
        for (unsigned file = 0; file < 8; ++file) {
            const Piece piece = p.piece_on(make_square(file, rank));
            if (piece == Piece::kNone) {
                ++empty;
                continue;
            }
            if (empty != 0) text += std::to_string(empty);
            empty = 0;
            const char letter = "pnbrqk"[index(type_of(piece))];
            text +=
                color_of(piece) == Color::kWhite ? static_cast<char>(letter - 'a' + 'A') : letter;
        }
        if (empty != 0) text += std::to_string(empty);
        if (rank != 0) text += '/';
    }
    return text;
}

/// Checks that every dialect reads back as the same position and is written unchanged again.
void check_round_trip(const Position& p) {
    const std::string standard = to_fen(p);
    for (const FenDialect dialect : kDialects) {
        const std::string text = to_fen(p, dialect);
        const FenResult again = parse_fen(text);
        if (!again.position) FAIL(text << ": " << again.error.field << ": " << again.error.reason);
        const bool equal = again.position->same_as(p) && again.position->key() == p.key() &&
                           to_fen(*again.position, dialect) == text &&
                           again.position->halfmove_clock() == p.halfmove_clock() &&
                           again.position->fullmove_number() == p.fullmove_number();
        if (!equal) FAIL(standard << " as " << text);
        const bool keeps_the_square =
            dialect == FenDialect::kStandard || dialect == FenDialect::kShredder;
        if (keeps_the_square && to_fen(*again.position) != standard) FAIL(standard);
    }
    const std::string epd = to_epd(p);
    const FenResult again = parse_fen(epd);
    if (!again.position || !again.position->same_as(p) || to_epd(*again.position) != epd) FAIL(epd);
}

/// Reads every record of a .epd or .fen file; returns how many there were.
unsigned check_epd_file(const std::string& path) {
    std::ifstream file(path);
    INFO(path);
    REQUIRE(file);
    unsigned records = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        const FenResult result = parse_fen(line);
        INFO(line << ": " << result.error.field << ": " << result.error.reason);
        REQUIRE(result.position);
        check_round_trip(*result.position);
        ++records;
    }
    return records;
}

void check_perft_suites(const std::string& folder) {
    for (const char* const name : {"random.perft", "tricky.perft", "chess960.perft"}) {
        for (const fendex::test::PerftCase& each : fendex::test::read_perft_suite(folder + name)) {
            const FenResult result = parse_fen(each.epd);
            INFO(each.epd << ": " << result.error.field << ": " << result.error.reason);
            REQUIRE(result.position);
            check_round_trip(*result.position);
        }
    }
}

}  // namespace

TEST_CASE("FEN in: all usual spellings of a position are read as that position") {
    const char* const spellings[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 00 01",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w AHah - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KAhq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-+0+1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%200%201",
        "rnbqkbnr%2Fpppppppp%2F8%2f8%2F8%2F8%2fPPPPPPPP%2FRNBQKBNR+w+KQkq+-+0+1",
        "rnbqkbnr%2Fpppppppp%2F8%2F8%2F8%2F8%2FPPPPPPPP%2FRNBQKBNR%20w%20KQkq%20%2D%200%201",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR++w++KQkq++-++0++1+",
        "  \trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w\tKQkq   - 0 1 \t\r\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"number 1\";",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"Anfangsstellung, schön\";",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - wdl_table 2; wdl 2; dtz 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 bm e4 d4;",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400",
    };
    for (const char* const text : spellings) CHECK(read(text) == kStart);
}

TEST_CASE("FEN: the published examples come back byte for byte") {
    const char* const published[] = {
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "5Rk1/2p1P1pp/1p6/2n1q3/8/1b6/PP4PP/7K b - - 0 29",
        "3R1b1k/pp4r1/2p4p/4QPn1/4N3/6P1/PPP3PK/4q3 b - - 8 27",
    };
    for (const std::string fen : published) {
        CHECK(read(fen) == fen);
        CHECK(read(fen + ' ') == fen);
        for (const std::string& address : as_web_addresses(fen)) CHECK(read(address) == fen);
    }
}

TEST_CASE("FEN in: the clocks of an EPD stand among its operations") {
    const std::string fields = "4k3/8/8/8/8/8/8/4K3 w - -";
    CHECK(read(fields + " fmvn 40; hmvc 7;") == fields + " 7 40");
    CHECK(read(fields + " id \"hmvc 3\"; hmvc x; fmvn 0;") == fields + " 0 1");
    CHECK(read(fields + " hmvc 99999999999;") == fields + " 0 1");
}

TEST_CASE("FEN in: a castling letter means the outermost rook or the rook that it names") {
    CHECK(read("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1") == "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1");
    CHECK(read("4k3/8/8/8/8/8/8/RR2K1RR w HA - 0 1") == "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1");
    CHECK(read("4k3/8/8/8/8/8/8/RR2K1RR w BG - 0 1") == "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1");
    CHECK(read("4k3/8/8/8/8/8/8/RR2K1RR w BK - 0 1") == "4k3/8/8/8/8/8/8/RR2K1RR w KB - 0 1");
    CHECK(read("1rk1r3/8/8/8/8/8/8/4K3 w be - 0 1") == "1rk1r3/8/8/8/8/8/8/4K3 w kq - 0 1");
    CHECK(read("rrk1rr2/8/8/8/8/8/8/4K3 w be - 0 1") == "rrk1rr2/8/8/8/8/8/8/4K3 w eb - 0 1");
}

TEST_CASE("FEN out: each dialect writes its own castling and en passant fields") {
    struct Case {
        const char* standard;
        const char* legal;
        const char* xfen;
        const char* shredder;
        const char* epd;
    };
    const Case cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"},
        // No pawn can capture.
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 1",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"},
        // The capturer is pinned.
        {"8/8/4k3/8/3Pp3/8/8/K3R3 b - d3 0 40", "8/8/4k3/8/3Pp3/8/8/K3R3 b - - 0 40",
         "8/8/4k3/8/3Pp3/8/8/K3R3 b - d3 0 40", "8/8/4k3/8/3Pp3/8/8/K3R3 b - d3 0 40",
         "8/8/4k3/8/3Pp3/8/8/K3R3 b - -"},
        // A legal capture.
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 40", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 40",
         "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 40", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 40",
         "4k3/8/8/3pP3/8/8/8/4K3 w - d6"},
        // Rights on rooks that are not the outermost.
        {"1rrkr1r1/8/8/8/8/8/8/RR2KR1R w FBec - 12 345",
         "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w FBec - 12 345",
         "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w FBec - 12 345",
         "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w FBec - 12 345", "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w FBec -"},
        {"1rrkr1r1/8/8/8/8/8/8/RR2KR1R w KBkq - 999999 999999",
         "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w KBkq - 999999 999999",
         "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w KBkq - 999999 999999",
         "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w HBgb - 999999 999999",
         "1rrkr1r1/8/8/8/8/8/8/RR2KR1R w KBkq -"},
    };
    for (const Case& each : cases) {
        CAPTURE(each.standard);
        const FenResult result = parse_fen(each.standard);
        REQUIRE(result.position);
        CHECK(to_fen(*result.position) == each.standard);
        CHECK(to_fen(*result.position, FenDialect::kLegal) == each.legal);
        CHECK(to_fen(*result.position, FenDialect::kXfen) == each.xfen);
        CHECK(to_fen(*result.position, FenDialect::kShredder) == each.shredder);
        CHECK(to_epd(*result.position) == each.epd);
    }
}

TEST_CASE("FEN in: an impossible position is refused with the field and the reason") {
    struct Case {
        std::string text;
        const char* field;
        const char* reason;
    };
    const Case cases[] = {
        {"", "fen", "empty"},
        {" \r\n", "fen", "empty"},
        {kStart + "\n" + kStart, "fen", "two lines"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\nw KQkq - 0 1", "fen", "two lines"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq \xE2\x80\x93 0 1", "fen",
         "non-ASCII character at column 52"},
        {kStart + " 2", "fen", "text after the last field: '2'"},
        {kStart + " bm", "fen", "text after the last field: 'bm' (an EPD operation ends with ';')"},

        {"hello", "placement", "ranks: 1 instead of 8"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq -", "placement", "ranks: 7 instead of 8"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq -", "placement",
         "ranks: 9 instead of 8"},
        {"rnbqkbnr/pppppppp/8/8/8//PPPPPPPP/RNBQKBNR w KQkq -", "placement",
         "squares: 0 instead of 8 on rank 3"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP/RNBQKBNR w KQkq -", "placement",
         "squares: 7 instead of 8 on rank 2"},
        {"rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "placement",
         "squares: 9 instead of 8 on rank 7"},
        {"rnbqkbnrrrrrrrrrrrrrrrrrrrrrrr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "placement",
         "squares: 30 instead of 8 on rank 8"},
        {"rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "placement",
         "two numbers in a row on rank 6"},
        {"rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "placement",
         "'9' is not a piece, on rank 6"},
        {"rnbqkbnr/pppp\x01ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "placement",
         "'?' is not a piece, on rank 7"},
        {"rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -", "placement", "black has no king"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w kq -", "placement", "white has 2 kings"},
        {"rnbqkbnp/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w - -", "placement", "pawn on h8"},
        {"4k3/8/8/8/8/8/8/4K2p w - -", "placement", "pawn on h1"},
        {"rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBN1 w - -", "placement", "white has 9 pawns"},
        {"rnbqkbnr/pppppppp/n7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "placement",
         "black has 17 pieces"},

        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "side", "missing"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq -", "side", "'x' is neither w nor b"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq - 0 1", "side",
         "'KQkq' is neither w nor b"},

        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", "castling", "missing"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq -", "castling",
         "'x': not a castling right"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK -", "castling",
         "'K': a second right on one side of the king"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KH -", "castling",
         "'H': a second right on one side of the king"},
        {"4k3/8/8/8/8/8/8/4K1RR w GH -", "castling", "'H': a second right on one side of the king"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqK -", "castling",
         "more than four letters: 'KQkqK'"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w K- -", "castling",
         "'-': not a castling right"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq -", "castling",
         "'K': no rook on that side of the king"},
        {"4k3/8/8/8/8/8/8/R3K3 w K -", "castling", "'K': no rook on that side of the king"},
        {"4k3/8/8/8/8/8/8/r3K3 w Q -", "castling", "'Q': no rook on that side of the king"},
        {"4k3/8/8/8/8/8/8/R3K3 w B -", "castling", "'B': no rook there"},
        {"4k3/8/8/8/8/8/4K3/R6R w KQ -", "castling", "'K': the king is not on its back rank"},
        {"r6r/4k3/8/8/8/8/8/4K3 w a -", "castling", "'a': the king is not on its back rank"},

        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", "en passant", "missing"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq x", "en passant", "'x': not a square"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9", "en passant",
         "'e9': not a square"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3", "en passant",
         "'e3': not on rank 6"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4", "en passant",
         "'e4': not on rank 3"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq d3", "en passant",
         "'d3': no white pawn on d4"},
        {"rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR b KQkq e3", "en passant",
         "'e3': no white pawn on e4"},
        {"rnbqkbnr/pppppppp/8/8/4P3/4N3/PPPP1PPP/R1BQKBNR b KQkq e3", "en passant",
         "'e3': the pawn cannot have come over e3"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPPNPPP/R1BQKBNR b KQkq e3", "en passant",
         "'e3': the pawn cannot have come over e2"},

        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x", "halfmove",
         "'x' is not a number (an EPD operation ends with ';')"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", "halfmove",
         "'-1' is not a number"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0x1 1", "halfmove",
         "'0x1' is not a number"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1000000 1", "halfmove",
         "'1000000' is too large"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+1", "checks",
         "checks are counted in Three-check only"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq%20-%201+1", "checks",
         "checks are counted in Three-check only"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1 bm e4;", "halfmove",
         "'-1' is not a number"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4", "halfmove",
         "'bm' is not a number (an EPD operation ends with ';')"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 e", "fullmove",
         "'e' is not a number (an EPD operation ends with ';')"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999999999999999",
         "fullmove", "'99999999999999999999...' is too large"},

        {"4k3/8/8/8/8/8/8/4K2r b - -", "position", "white is in check, and it is black's move"},
        {"4k3/8/8/8/8/8/8/K3R3 w - -", "position", "black is in check, and it is white's move"},
        {"8/8/8/3kK3/8/8/8/8 w - -", "position", "black is in check, and it is white's move"},
    };
    for (const Case& each : cases) {
        CAPTURE(each.text);
        const FenResult result = parse_fen(each.text);
        CHECK_FALSE(result.position);
        CHECK(result.error.field == each.field);
        CHECK(result.error.reason == each.reason);
        CHECK(result.dropped.empty());
    }
}

TEST_CASE("FEN in, lenient: wrong rights and squares are left out and reported") {
    struct Case {
        const char* text;
        const char* fen;
        std::vector<std::string> dropped;
    };
    const Case cases[] = {
        {"4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
         "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
         {"castling: 'Q': no rook on that side of the king",
          "castling: 'k': no rook on that side of the king",
          "castling: 'q': no rook on that side of the king"}},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqK e3 5 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 1",
         {"castling: more than four letters: 'KQkqK'", "en passant: 'e3': not on rank 6"}},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KKx/ ?! 5 1",
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w K - 5 1",
         {"castling: 'K': a second right on one side of the king",
          "castling: 'x': not a castling right", "castling: '/': not a castling right",
          "en passant: '?!': not a square"}},
        {"rnbqkbnr/pppppppp/44/11111111/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", kStart.c_str(), {}},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", kStart.c_str(), {}},
    };
    for (const Case& each : cases) {
        CAPTURE(each.text);
        const FenResult result = parse_fen(each.text, FenMode::kLenient);
        REQUIRE(result.position);
        CHECK(to_fen(*result.position) == each.fen);
        CHECK(result.position->key() == result.position->computed_key());
        std::vector<std::string> dropped;
        for (const FenError& error : result.dropped) {
            dropped.push_back(std::string(error.field) + ": " + error.reason);
        }
        CHECK(dropped == each.dropped);
        if (!dropped.empty()) CHECK_FALSE(parse_fen(each.text).position);
    }
    // Errors that would make it another position, or none, are still refused.
    CHECK(read("4k3/8/8/8/8/8/8/4K2r b KQ e3", FenMode::kLenient) ==
          "position: white is in check, and it is black's move");
    CHECK(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", FenMode::kLenient) ==
          "halfmove: 'x' is not a number (an EPD operation ends with ';')");
    CHECK(read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", FenMode::kLenient) ==
          "castling: missing");
    CHECK(read("rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", FenMode::kLenient) ==
          "placement: black has no king");
}

TEST_CASE("FEN in: only castling rights that standard chess lacks make a position Chess960") {
    const auto is_chess960 = [](std::string_view text) {
        const FenResult result = parse_fen(text);
        REQUIRE(result.position);
        return result.chess960;
    };
    CHECK_FALSE(is_chess960(kStart));
    CHECK_FALSE(is_chess960("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"));
    CHECK_FALSE(is_chess960("1k1r4/8/8/8/8/8/8/1K2R3 w - - 0 1"));
    CHECK_FALSE(is_chess960("rk6/8/8/8/8/8/8/R3K2R w KQ - 0 1"));
    CHECK(is_chess960("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"));
    CHECK(is_chess960("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1"));
    CHECK(is_chess960("r2k4/8/8/8/8/8/8/R3K2R w KQq - 0 1"));
}

TEST_CASE("FEN round trip in every dialect, over random games") {
    Random random(4);
    for (unsigned game = 0; game < fewer(200U); ++game) {
        random_game(any_start(random, game), random, 150, [](const Position& p, Move) {
            if (word(to_fen(p), 0) != placement(p)) FAIL(to_fen(p) << ", not " << placement(p));
            check_round_trip(p);
        });
    }
    SUCCEED();
}

TEST_CASE("FEN out: each dialect has its own en passant square, over random games") {
    Random random(5);
    unsigned legal_captures = 0;
    for (unsigned game = 0; game < fewer(400U); ++game) {
        Move last;
        const auto check = [&](const Position& p, Move next) {
            const bool doubled = last != Move() && last.kind() == MoveKind::kDoublePush;
            const unsigned file = file_of(last.to());
            std::string square = "-";
            if (doubled) {
                square = static_cast<char>('a' + file);
                square += p.side_to_move() == Color::kWhite ? '6' : '3';
            }
            bool pseudo_legal = false;
            bool legal = false;
            if (doubled) {
                for (Square s = 0; s < 64; ++s) {
                    const bool beside =
                        rank_of(s) == rank_of(last.to()) &&
                        (file_of(s) == file + 1 || file_of(s) + 1 == file) &&
                        p.piece_on(s) == make_piece(p.side_to_move(), PieceType::kPawn);
                    pseudo_legal = pseudo_legal || beside;
                }
                MoveList moves;
                legal_moves(p, moves);
                for (const Move m : moves) legal = legal || m.kind() == MoveKind::kEnPassant;
            }
            legal_captures += legal;
            const std::string if_legal = legal ? square : "-";
            const bool right =
                word(to_fen(p), 3) == square &&
                word(to_fen(p, FenDialect::kShredder), 3) == square &&
                word(to_fen(p, FenDialect::kXfen), 3) == (pseudo_legal ? square : "-") &&
                word(to_fen(p, FenDialect::kLegal), 3) == if_legal &&
                word(to_epd(p), 3) == if_legal;
            if (!right) FAIL(to_fen(p));
            last = next;
        };
        random_game(any_start(random, game), random, 120, check);
    }
    CHECK(legal_captures > fewer(100U));
}

TEST_CASE("Every possible placement fits the buffer and is written correctly") {
    // From two kings to a full board; every gap between two pieces comes up.
    Random random(6);
    char out[kMaxFenLength + 1];
    for (unsigned round = 0; round < 5000; ++round) {
        Setup setup;
        std::vector<Square> squares;
        for (Square s = 0; s < 64; ++s) squares.push_back(s);
        for (std::size_t i = 64; i-- > 1;) std::swap(squares[i], squares[random() % (i + 1)]);
        setup.board[squares[0]] = make_piece(Color::kWhite, PieceType::kKing);
        setup.board[squares[1]] = make_piece(Color::kBlack, PieceType::kKing);
        for (std::size_t i = 2; i < 2 + round % 63; ++i) {
            setup.board[squares[i]] = static_cast<Piece>(2 + random() % 8);
        }
        setup.halfmove = UINT32_MAX;
        setup.fullmove = UINT32_MAX;
        const Position p(setup);
        out[kMaxFenLength] = '!';
        const std::string fen(out, write_fen(p, FenDialect::kStandard, out));
        if (out[kMaxFenLength] != '!') FAIL(fen);
        if (fen != placement(p) + " w - - 4294967295 4294967295") FAIL(fen);
    }
    SUCCEED();
}

TEST_CASE("FEN in: no text crashes the parser") {
    Random random(7);
    using namespace std::string_view_literals;
    constexpr auto kCharacters = "rnbqkpRNBQKP12345678/// wb-KQkqae36 0_+%2F\n\x80\0;\"x"sv;
    for (unsigned round = 0; round < fewer(20000U); ++round) {
        std::string text = kStart;
        for (unsigned i = 0; i < 1 + round % 8; ++i) {
            const std::size_t at = random() % text.size();
            const char character = kCharacters[random() % kCharacters.size()];
            switch (random() % 3) {
                case 0: text[at] = character; break;
                case 1: text.erase(at, random() % 4); break;
                default: text.insert(at, 1, character); break;
            }
            if (text.empty()) text = "8";
        }
        for (const FenMode mode : {FenMode::kStrict, FenMode::kLenient}) {
            const FenResult result = parse_fen(text, mode);
            if (result.position) {
                check_round_trip(*result.position);
            } else if (result.error.field.empty() || result.error.reason.empty()) {
                FAIL(text);
            }
        }
    }
    SUCCEED();
}

TEST_CASE("FEN round trip over opening books, stalemates and endgames") {
    const std::string folder = fendex::test::corpus_cut() + "/fen/";
    CHECK(check_epd_file(folder + "stockfish-books/2moves_v1.epd") == 203);
    CHECK(check_epd_file(folder + "stockfish-books/4mvs_+90_+99.epd") == 64);
    CHECK(check_epd_file(folder + "stockfish-books/FRC_openings.epd") == 96);
    CHECK(check_epd_file(folder + "stockfish-books/stalemates_200d30_v1.epd") == 180);
    CHECK(check_epd_file(folder + "stockfish-books/startpos.epd") == 1);
    CHECK(check_epd_file(folder + "python-chess/endgame.epd") == 60);
    CHECK(check_epd_file(folder + "python-chess/endgame-dm-4.epd") == 48);
    CHECK(check_epd_file(folder + "python-chess/endgame-dm-5.epd") == 27);
}

TEST_CASE("FEN round trip over the corpus' opening books, stalemates and endgames", "[.corpus]") {
    const std::string folder = fendex::test::whole_corpus() + "/fen/";
    CHECK(check_epd_file(folder + "stockfish-books/2moves_v1.epd") == 40457);
    CHECK(check_epd_file(folder + "stockfish-books/4mvs_+90_+99.epd") == 635);
    CHECK(check_epd_file(folder + "stockfish-books/FRC_openings.epd") == 960);
    CHECK(check_epd_file(folder + "stockfish-books/stalemates_200d30_v1.epd") == 10796);
    CHECK(check_epd_file(folder + "stockfish-books/startpos.epd") == 1);
    // suicide-*.epd is of another variant, in which kings are captured.
    CHECK(check_epd_file(folder + "python-chess/endgame.epd") == 200);
    CHECK(check_epd_file(folder + "python-chess/endgame-dm-4.epd") == 48);
    CHECK(check_epd_file(folder + "python-chess/endgame-dm-5.epd") == 27);
}

TEST_CASE("FEN round trip over perft suites") { check_perft_suites(FENDEX_TEST_DATA "/perft/"); }

TEST_CASE("FEN round trip over the corpus' perft suites", "[.corpus]") {
    check_perft_suites(fendex::test::whole_corpus() + "/fen/python-chess/");
}
