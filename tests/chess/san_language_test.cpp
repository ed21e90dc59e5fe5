// Moves in other languages: reading words, and writing them.
#include "chess/san_language.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "chess/san_word.hpp"

namespace {

using namespace fendex::chess;

const SanAlphabet& alphabet(std::string_view code) {
    const SanLanguage* language = find_language(code);
    REQUIRE(language != nullptr);
    return alphabets_of(*language).front();
}

/// Returns a word in English; empty if it is not a move.
std::string english(std::string_view code, std::string_view word) {
    return std::string(EnglishSan(read_san_word(word), alphabet(code)).text());
}

SanWord::Kind kind(std::string_view word) { return read_san_word(word).kind; }

/// Returns the move that a German word names in a position, in SAN; or the error.
std::string played(const char* fen, const SanWord& word) {
    const FenResult position = parse_fen(fen);
    REQUIRE(position.position);
    Move move;
    const SanError error = read_san(*position.position, word, alphabet("de"), move);
    return error == SanError::kNone ? to_san(*position.position, move)
                                    : std::string(describe(error));
}

}  // namespace

TEST_CASE("Each language has its piece letters, as in the PGN standard or used in its country") {
    // King, queen, rook, bishop, knight: the usual order in lists.
    const std::vector<std::pair<std::string, std::string>> kLetters = {
        {"cs", "KDVSJ"},  {"da", "KDTLS"}, {"nl", "KDTLP"}, {"en", "KQRBN"}, {"et", "KLVOR"},
        {"fi", "KDTLR"},  {"fr", "RDTFC"}, {"de", "KDTLS"}, {"hu", "KVBFH"}, {"is", "KDHBR"},
        {"it", "RDTAC"},  {"no", "KDTLS"}, {"pl", "KHWGS"}, {"pt", "RDTBC"}, {"ro", "RDTNC"},
        {"ru", "КрФЛСК"}, {"bg", "ЦДТОК"}, {"sr", "КДТЛС"}, {"hr", "KDTLS"}, {"sk", "KDVSJ"},
        {"sl", "KDTLS"},  {"es", "RDTAC"}, {"sv", "KDTLS"}, {"tr", "ŞVKFA"}, {"uk", "КрФТСК"},
        {"el", "ΡΒΠΑΙ"},  {"ca", "RDTAC"}};
    CHECK(kLetters.size() == san_languages().size());
    for (const auto& [code, letters] : kLetters) {
        CAPTURE(code);
        std::string found;
        for (unsigned i = 5; i > 0; --i) found += find_language(code)->letters[i];
        CHECK(found == letters);
        CHECK(language_codes().find(code) != std::string::npos);
    }
    CHECK(find_language("xx") == nullptr);
    CHECK(find_language("") == nullptr);
    CHECK(&fendex::chess::english() == find_language("en"));
}

TEST_CASE("Looking up a letter in all alphabets gives the same as looking it up in each") {
    std::set<std::string_view> letters = {"Z", "é", "♘♘"};
    for (const SanAlphabet& each : san_alphabets()) {
        letters.insert(each.letters.begin(), each.letters.end());
        for (unsigned i = 0; i < 6; ++i) CHECK(index(each.piece(each.letters[i])) == i);
    }
    for (const std::string_view letter : letters) {
        const PieceType* pieces = pieces_of_letter(letter);
        for (std::size_t i = 0; i < san_alphabets().size(); ++i) {
            const PieceType expected = san_alphabets()[i].piece(letter);
            CHECK((pieces != nullptr ? pieces[i] : PieceType::kNone) == expected);
        }
    }
}

TEST_CASE("Letters that are files in lower case are pieces in upper case") {
    CHECK(english("pt", "Cf3") == "Nf3");
    CHECK(english("pt", "c5") == "c5");
    CHECK(english("pt", "Cxd4") == "Nxd4");
    CHECK(english("pt", "cxd4") == "cxd4");
    CHECK(english("pt", "Bxc5") == "Bxc5");
    CHECK(english("pt", "bxc5") == "bxc5");
    CHECK(english("pt", "b8B") == "b8=B");
    CHECK(english("hu", "b8B") == "b8=R");
    CHECK(english("hu", "Bxc5") == "Rxc5");
    CHECK(english("fr", "Fxf7") == "Bxf7");
    CHECK(english("fr", "fxe6") == "fxe6");
    CHECK(english("es", "Ae3") == "Be3");
    CHECK(english("pl", "Hh5") == "Qh5");
    CHECK(english("pl", "Gg5") == "Bg5");
    CHECK(english("pl", "hxg5") == "hxg5");
    CHECK(english("de", "Dd8") == "Qd8");
    CHECK(english("de", "dxe5") == "dxe5");
    CHECK(english("pt", "Txe8+") == "Rxe8+");
    CHECK(english("de", "Txe8+") == "Rxe8+");
    CHECK(english("en", "Txe8+").empty());
    CHECK(english("ru", "Крf1") == "Kf1");
    CHECK(english("ru", "Кf3") == "Nf3");
    CHECK(english("ru", "Сb5") == "Bb5");
    CHECK(english("ru", "Cb5").empty());  // the Latin letter
}

TEST_CASE("Figurines are read in every language, of either colour") {
    for (const SanLanguage& language : san_languages()) {
        CAPTURE(language.code);
        CHECK(english(language.code, "♞c6") == "Nc6");
        CHECK(english(language.code, "♘c6") == "Nc6");
        CHECK(english(language.code, "♕\uFE0Exd8+") == "Qxd8+");
        CHECK(english(language.code, "♔\uFE0Fe2") == "Ke2");
        CHECK(english(language.code, "b8♕") == "b8=Q");
        CHECK(english(language.code, "b8=♛#") == "b8=Q#");
        CHECK(english(language.code, "b8(♜)") == "b8=R");
        CHECK(english(language.code, "♙e4") == "Pe4");
        CHECK(english(language.code, "e4") == "e4");
        CHECK(english(language.code, "0-0") == "O-O");
    }
}

TEST_CASE("A move is read in every notation in use") {
    const std::vector<std::pair<std::string, std::string>> kForms = {
        // Long algebraic, with all kinds of dashes.
        {"Sg1f3", "Ng1f3"},
        {"Sg1-f3", "Ng1f3"},
        {"Sg1–f3", "Ng1f3"},
        {"e2-e4", "e2e4"},
        {"e2e4", "e2e4"},
        {"e2—e4", "e2e4"},
        {"e4xd5", "e4xd5"},
        {"Lb5:c6", "Bb5xc6"},
        // Captures.
        {"L:e5", "Bxe5"},
        {"Le5:", "Bxe5"},
        {"L×e5", "Bxe5"},
        {"LXe5", "Bxe5"},
        {"e:d5", "exd5"},
        {"ed5", "ed5"},
        {"ed5:", "exd5"},
        {"Le5:+", "Bxe5+"},
        // En passant.
        {"exd6e.p.", "exd6"},
        {"exd6ep", "exd6"},
        {"ed6e.p.+", "exd6+"},
        {"e:d6ep.", "exd6"},
        // Promotion.
        {"e1D", "e1=Q"},
        {"e1d", "e1=Q"},
        {"e8=D", "e8=Q"},
        {"f8(D)", "f8=Q"},
        {"f8=(D)", "f8=Q"},
        {"f8/D", "f8=Q"},
        {"f8D+", "f8=Q+"},
        {"gxf8(S)#", "gxf8=N#"},
        {"e7e8s", "e7e8=N"},
        {"a8T", "a8=R"},
        // Castling.
        {"0-0", "O-O"},
        {"0-0-0", "O-O-O"},
        {"O-O", "O-O"},
        {"o-o-o", "O-O-O"},
        {"OO", "O-O"},
        {"0–0–0+", "O-O-O+"},
        {"О-О", "O-O"},  // Cyrillic
        {"0-0†", "O-O+"},
        // Check and mate.
        {"Dh5++", "Qh5+"},
        {"Dh5#", "Qh5#"},
        {"Dh5mate", "Qh5#"},
        {"Dh5mat", "Qh5#"},
        {"Dh5matt", "Qh5#"},
        {"Dh5mt", "Qh5#"},
        {"Dh5†", "Qh5+"},
        {"Dh5‡", "Qh5+"},
        {"Dh5ch", "Qh5+"},
        {"Dh5ch.", "Qh5+"},
        {"Dh5dblch", "Qh5+"},
        {"Se7disch", "Ne7+"},
        {"Dh5x†", "Qxh5+"},
        {"e8Dch", "e8=Q+"},
        {"e8ch", "e8+"},
        {"d8mate", "d8#"},
        // Glyphs and other text around moves.
        {"Sf3!?", "Nf3"},
        {"Sf3+!", "Nf3+"},
        {"Sf3!+-", "Nf3"},
        {"Sf3+-", "Nf3"},
        {"Sf3+/-", "Nf3"},
        {"…Sf6", "Nf6"},
        {"\u00A0Sf6", "Nf6"},
        {"Td8(D)", "Rd8"},  // a diagram follows
        // Origins.
        {"Sbd2", "Nbd2"},
        {"S1f3", "N1f3"},
        {"Tad1", "Rad1"},
        {"De4e1", "Qe4e1"},
        {"Be4", "Pe4"},  // Bauer
        {"S@f3", "N@f3"},
        {"@e4", "@e4"},
        {"--", "--"},
        {"Z0", "--"},
    };
    for (const auto& [word, expected] : kForms) {
        CAPTURE(word);
        CHECK(english("de", word) == expected);
    }
}

TEST_CASE("A pawn's capture may name only its two files") {
    for (const std::string word : {"ed", "exd", "e:d", "ed:", "exde.p."}) {
        CAPTURE(word);
        const SanWord read = read_san_word(word);
        CHECK(read.names_files_only());
        CHECK(EnglishSan(read, alphabet("de")).empty());
        CHECK(played("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", read) == "exd6");
        CHECK(played("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", read) == "exd5");
        CHECK(played("4k3/8/3p4/3pP3/4P3/8/8/4K3 w - - 0 1", read) ==
              describe(SanError::kAmbiguous));
        CHECK(played("4k3/8/8/8/3pP3/8/8/4K3 w - - 0 1", read) == describe(SanError::kNoSuchPiece));
        // The pawn on e4 is pinned; the one on e5 captures along the line of its pin.
        CHECK(played("4k3/8/3p4/3pP3/7b/8/5P2/4K3 w - - 0 1", read) == "exd6");
        CHECK(played("4k3/8/8/3p4/q3P2K/8/8/8 w - - 0 1", read) ==
              describe(SanError::kNoSuchPiece));
    }
    const SanWord promotion = read_san_word("edD");
    CHECK(promotion.names_files_only());
    CHECK(played("k2r4/4P3/8/8/8/8/8/4K3 w - - 0 1", promotion) == "exd8=Q+");
    CHECK(played("4k3/8/8/8/8/8/4p3/3RK3 b - - 0 1", promotion) == "exd1=Q+");
    CHECK(played("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", promotion) ==
          describe(SanError::kNoSuchPiece));
    CHECK(played("k2r4/4P3/8/8/8/8/8/4K3 w - - 0 1", read_san_word("ed")) ==
          describe(SanError::kNoSuchPiece));
    for (const std::string word : {"ee", "eg", "e", "Sd", "e4d", "Sed"}) {
        CAPTURE(word);
        CHECK(kind(word) == SanWord::Kind::kUnknown);
    }
}

TEST_CASE("A word with a letter that the alphabet lacks is not a move, in any variant") {
    Move move;
    const VariantPosition variant(Variant::kAntichess);
    const SanWord word = read_san_word("Nf3");
    CHECK(read_san(Position(), word, alphabet("de"), move) == SanError::kUnknownCharacter);
    CHECK(read_san(variant, word, alphabet("de"), move) == SanError::kUnknownCharacter);
    CHECK(read_san(variant, word, alphabet("en"), move) == SanError::kNone);
}

TEST_CASE("A remark after a move is not a move") {
    for (const std::string word :
         {"ch", "ch.", "dbl", "dbl.ch", "mate", "mat", "matt", "mt.", "†", "‡", "check"}) {
        CAPTURE(word);
        CHECK(kind(word) == SanWord::Kind::kRemark);
        CHECK(english("en", word).empty());
    }
}

TEST_CASE("A word that is not a move is refused in every language") {
    for (const std::string word : {"",        "e",   "S",   "Sf",    "Sf9",   "e2e4e6",
                                   "Sf3e5d7", "e8=", "e8(", "e8=X",  "Kings", "draw",
                                   "12.",     "1-0", "½",   "Sf3=D", "Dh5D",  "Sf3foo",
                                   "e.p.",    "x",   "♘",   "♘♘f3",  "\xFF"}) {
        for (const SanLanguage& language : san_languages()) {
            CAPTURE(word, language.code);
            CHECK(english(language.code, word).empty());
        }
    }
}

TEST_CASE("Typesetters' marks are read in older code pages too") {
    // Dashes, the times sign, the ellipsis, daggers of Windows-1252.
    CHECK(english("de",
                  "e2\x96"
                  "e4") == "e2e4");
    CHECK(english("de",
                  "Sg1\x97"
                  "f3") == "Ng1f3");
    CHECK(english("de",
                  "S\xD7"
                  "e5\x86") == "Nxe5+");
    CHECK(english("de",
                  "\x85"
                  "Sf6") == "Nf6");
    CHECK(english("de",
                  "\xA0"
                  "e4") == "e4");
    // Castling and mate of Windows-1251, KOI8-R, code page 866; Greek castling.
    for (const std::string o : {"\xCE", "\xEF", "\x8E"}) {
        CHECK(english("ru", o + '-' + o) == "O-O");
        CHECK(english("ru", o + '-' + o + '-' + o + '+') == "O-O-O+");
    }
    CHECK(english("el", "\xCF-\xCF") == "O-O");
    for (const std::string mate : {"\xEC\xE0\xF2", "\xCD\xC1\xD4", "\xAC\xA0\xE2", "мат"}) {
        CHECK(kind(mate) == SanWord::Kind::kRemark);
    }
    // These bytes have no such meaning inside letters of UTF-8: Ж is D0 96, and Р ends with A0.
    CHECK(read_san_word("Жe4").piece == "Ж");
    CHECK(read_san_word("Рe4").piece == "Р");
}

TEST_CASE("Every move is written in every language and read back as the same move") {
    fendex::test::Random random(3);
    std::string buffer;
    const auto check_move = [&](const Position& position, Move move) {
        const std::string san = to_san(position, move);
        for (const SanLanguage& language : san_languages()) {
            const std::string_view spelled = SanSpelling::of(language).spell(san, buffer);
            if (english(language.code, spelled) != san) {
                CAPTURE(san, language.code, spelled);
                CHECK(english(language.code, spelled) == san);
            }
        }
        if (english("en", SanSpelling::figurines().spell(san, buffer)) != san) FAIL(san);
    };
    for (unsigned game = 0; game < 20; ++game) {
        fendex::test::random_game(Position(), random, 150, check_move);
    }
    CHECK(SanSpelling::of(*find_language("ru")).spell("Kxe8=Q+!?", buffer) == "Крxe8=Ф+!?");
    CHECK(SanSpelling::figurines().spell("bxa8=N", buffer) == "bxa8=♘");
    for (const std::string other : {"O-O", "--", "Z0", "null", "NB", "Kings", "12.", "e4"}) {
        CHECK(SanSpelling::of(*find_language("de")).spell(other, buffer) == other);
    }
    CHECK(SanSpelling().is_english());
    CHECK_FALSE(SanSpelling::of(*find_language("de")).is_english());
    CHECK_FALSE(SanSpelling::figurines().is_english());
}
