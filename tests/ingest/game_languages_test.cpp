// The language of a game is the one in which its moves can be played, even if its letters have
// other meanings, and in any layout.
#include "ingest/game_languages.hpp"

#include <catch2/catch.hpp>

#include "chess/san_language.hpp"
#include "emit/pgn_game.hpp"
#include "ingest/ingest_fixtures.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using test::Imported;
using test::PgnArchive;
using test::Random;
using test::TemporaryDirectory;
using test::TemporaryFile;
using Rows = std::vector<std::string>;

constexpr char kErrors[] =
    "SELECT game_id || '|' || line || '|' || ply || '|' || reason || '|' || text"
    " FROM import_error ORDER BY id";
constexpr char kPlies[] = "SELECT plies FROM game ORDER BY id";

Imported import_text(const std::string& text, const ingest::ImportOptions& options = {}) {
    const TemporaryDirectory directory;
    return Imported({directory.write("a.pgn", text)}, options);
}

ingest::ImportOptions in(std::initializer_list<const char*> codes) {
    ingest::ImportOptions options;
    for (const char* code : codes) options.languages.push_back(chess::find_language(code));
    return options;
}

/// Returns the moves of the game with this number, in English.
std::string moves_of(const Imported& imported, store::GameId game) {
    const auto reader = store::file_store(imported.path())->reader();
    store::StoredGame stored;
    REQUIRE(reader->game(game, stored));
    codec::GameWalk walk = replay::walk(game, stored.moves);
    std::string out;
    for (; !walk.at_end(); walk.advance()) {
        if (!out.empty()) out += ' ';
        out += chess::to_san(walk.position(), walk.next_move());
    }
    return out;
}

/// The letters for the pieces, K Q R B N, and habits of writing.
struct Writer {
    chess::PieceLetters letters;
    Random random;

    std::string letter(char english) const {
        return std::string(letters[std::string_view("PNBRQK").find(english)]);
    }

    /// Writes a legal move with these letters and habits.
    std::string write(const chess::Position& position, chess::Move move) {
        const std::string san = chess::to_san(position, move);
        if (move.kind() == chess::MoveKind::kCastle) {
            const bool zeros = random() % 2 == 0;
            std::string out;
            for (const char c : san) out += c == 'O' && zeros ? '0' : c;
            return out;
        }
        const bool pawn = position.piece_on(move.from()) ==
                          chess::make_piece(position.side_to_move(), chess::PieceType::kPawn);
        const bool captures = san.find('x') != san.npos;
        const std::string from = square(move.from());
        const std::string to = square(move.to());
        std::string out = pawn ? "" : letter(san[0]);
        const auto style = random() % 6;
        if (style == 0) {
            out += from + (captures ? "x" : "-") + to;
        } else if (style == 1 && !pawn) {
            out += from + to;
        } else {
            std::string origin = san.substr(pawn ? 0 : 1, san.find(to) - (pawn ? 0 : 1));
            std::erase(origin, 'x');
            out += origin;
            if (captures && style == 2) out += ":";
            if (captures && style == 3) out += "x";
            if (captures && style == 4) out += "×";
            out += to;
            if (captures && style == 5) out += ":";
        }
        if (move.is_promotion()) {
            const std::string piece = letter("PNBRQK"[chess::index(move.promotion())]);
            switch (random() % 4) {
                case 0: out += piece; break;
                case 1: out += "=" + piece; break;
                case 2: out += "(" + piece + ")"; break;
                default: out += "/" + piece; break;
            }
        }
        if (move.kind() == chess::MoveKind::kEnPassant && random() % 2 == 0) out += " e.p.";
        const char* const kChecks[] = {"+", "†", " ch", "++", " dbl ch"};
        const char* const kMates[] = {"#", "++", " mate", "matt", " mt"};
        if (san.back() == '+') out += kChecks[random() % 5];
        if (san.back() == '#') out += kMates[random() % 5];
        return out;
    }

    static std::string square(chess::Square s) {
        std::string out;
        chess::append_square(s, out);
        return out;
    }
};

/// Returns random games in these letters; long ones, so that their language is certain.
PgnArchive archive_in(const chess::PieceLetters& letters, unsigned games) {
    Writer writer{letters, Random(games)};
    PgnArchive archive;
    for (unsigned number = 0; number < games; ++number) {
        test::PgnGame game;
        game.text = "[Event \"" + std::to_string(number) + "\"]\n";
        if (number % 4 == 3) {
            game.start = test::random_start(writer.random, true);
            game.text += "[Variant \"Chess960\"]\n[FEN \"" + chess::to_fen(game.start) + "\"]\n";
        }
        game.text += '\n';
        test::random_game(game.start, writer.random, 150,
                          [&](const chess::Position& position, chess::Move move) {
                              if (game.moves.size() % 2 == 0) {
                                  game.text += std::to_string(game.moves.size() / 2 + 1) + ". ";
                              }
                              game.text += writer.write(position, move) + "\n";
                              game.moves.push_back(move);
                          });
        game.text += "*\n\n";
        archive.games.push_back(std::move(game));
    }
    return archive;
}

}  // namespace

TEST_CASE("Games in every alphabet are read correctly with any number of threads", "[full]") {
    for (const chess::SanAlphabet& alphabet : chess::san_alphabets()) {
        CAPTURE(alphabet.language->code);
        const PgnArchive archive = archive_in(alphabet.letters, test::at_size(4U, 12U));
        const TemporaryDirectory directory;
        const std::string file = directory.write("a.pgn", archive.text());
        for (const auto& [threads, batch] : {std::pair(1U, 100'000U), std::pair(2U, 5'000U)}) {
            const Imported imported({file}, {.threads = threads, .batch_bytes = batch});
            CHECK(imported.rows(kErrors) == Rows{});
            CHECK(imported.info().fingerprint == archive.fingerprint());
        }
    }
}

TEST_CASE("Figurines of both colours are read, also mixed with letters") {
    const Imported imported = import_text(
        "1. ♘f3 ♞c6 2. e4 e5 3. ♗b5 Nf6 4. O-O ♞xe4 5. Re1 ♞d6 6. ♘xe5 ♝e7 7. ♗\uFE0Exc6 dxc6 *\n");
    CHECK(imported.rows(kErrors) == Rows{});
    CHECK(moves_of(imported, 1) == "Nf3 Nc6 e4 e5 Bb5 Nf6 O-O Nxe4 Re1 Nd6 Nxe5 Be7 Bxc6 dxc6");
}

TEST_CASE("A pawn's capture may be written with its two files only") {
    const Imported imported = import_text(
        "[Event \"1\"]\n\n1. e4 d5 2. ed e5 3. de fe *\n\n"
        "[Event \"two can\"]\n\n1. e4 d5 2. e5 f5 3. ef gf 4. d4 e5 5. de *\n\n"
        "[Event \"two ranks\"]\n\n1. e4 d5 2. h4 d4 3. e5 h5 4. c4 a5 5. c5 b6 6. cb Ba6 7. bc "
        "*\n\n"
        "[Event \"promotes\"]\n\n1. a4 b5 2. ab a6 3. ba c6 4. a7 c5 5. abQ *\n\n");
    CHECK(imported.rows(kErrors) == Rows{});
    CHECK(moves_of(imported, 1) == "e4 d5 exd5 e5 dxe6 fxe6");
    CHECK(moves_of(imported, 2) == "e4 d5 e5 f5 exf6 gxf6 d4 e5 dxe5");
    CHECK(moves_of(imported, 4) == "a4 b5 axb5 a6 bxa6 c6 a7 c5 axb8=Q");
    // Two pawns of the file can move: that is an error, and the game ends there.
    const Imported two = import_text(
        "1. d4 e5 2. d5 e4 3. d6 e3 4. a4 a5 5. c4 h5 6. c5 h4 7. f4 h3 8. Kd2 b6 9. dc ed *\n"
        "[FEN \"4k3/8/2p5/3P4/2p5/3P4/8/4K3 w - - 0 1\"]\n\n1. dc *\n");
    CHECK(two.rows(kErrors).back() == "2|4|0|move without a target square|dc");
}

TEST_CASE("A short game is read in the language of its file") {
    const std::string short_game = "[Event \"short\"]\n\n1. a4 d5 2. Ra3 *\n\n";
    CHECK(moves_of(import_text(short_game), 1) == "a4 d5 Ra3");
    std::string icelandic;
    for (int i = 0; i < 3; ++i)
        icelandic += "[Event \"x\"]\n\n1. e4 e5 2. Rf3 Rc6 3. Bb5 Hb8 *\n\n";
    for (const bool first : {true, false}) {
        const Imported imported =
            import_text(first ? short_game + icelandic : icelandic + short_game);
        const store::GameId game = first ? 1 : 4;
        CHECK(moves_of(imported, game) == "a4 d5 Na3");
        const Rows rows = imported.rows(kErrors);
        REQUIRE(rows.size() == 1);
        CHECK_THAT(rows[0], Catch::Contains("|2|ambiguous: read as Icelandic (Na3), but could be "
                                            "English (Ra3)|Ra3"));
    }
    // Games that can be read only in English are, among any others.
    const Imported mixed = import_text(icelandic + "[Event \"e\"]\n\n1. Nf3 Nc6 2. Rg1 *\n\n");
    CHECK(mixed.rows(kErrors) == Rows{});
    CHECK(moves_of(mixed, 4) == "Nf3 Nc6 Rg1");
}

TEST_CASE(
    "A move legal in two languages is reported with both readings unless languages are given") {
    const std::string text = "[Event \"?\"]\n\n1. e4 e5 2. Кe2 *\n";
    const Imported any = import_text(text);
    CHECK(moves_of(any, 1) == "e4 e5 Ne2");
    CHECK(any.rows(kErrors) ==
          Rows{"1|3|2|ambiguous: read as Russian (Ne2), but could be Serbian (Ke2)|Кe2"});
    const Imported serbian = import_text(text, in({"sr", "ru"}));
    CHECK(moves_of(serbian, 1) == "e4 e5 Ke2");
    CHECK(serbian.rows(kErrors) == Rows{});
    const Imported russian = import_text(text, in({"en", "ru", "sr"}));
    CHECK(moves_of(russian, 1) == "e4 e5 Ne2");
    CHECK(russian.rows(kErrors) == Rows{});
}

TEST_CASE("Only the given languages are tried, in the given order") {
    const std::string english = "[Event \"e\"]\n\n1. Nf3 Nc6 2. Bf1 *\n\n";
    const std::string either = "[Event \"?\"]\n\n1. a4 d5 2. Ra3 *\n\n";
    CHECK(moves_of(import_text(either, in({"is"})), 1) == "a4 d5 Na3");
    CHECK(moves_of(import_text(either, in({"en", "is"})), 1) == "a4 d5 Ra3");
    CHECK(moves_of(import_text(either, in({"is", "en"})), 1) == "a4 d5 Na3");
    const Imported imported = import_text(english, in({"de"}));
    CHECK(imported.rows(kErrors) == Rows{"1|3|0|not a move|Nf3"});
    const Imported portuguese = import_text("1. e4 c5 2. Cf3 d6 *\n", in({"de", "fr"}));
    CHECK(portuguese.rows(kErrors) == Rows{});
    CHECK(moves_of(portuguese, 1) == "e4 c5 Nf3 d6");
}

TEST_CASE("A game that breaks off is read in the language that fits its letters") {
    const Imported imported = import_text(
        "[Event \"1\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 Ke6 4. Dd8 *\n\n"
        "[Event \"2\"]\n\n1. e4 e5 2. Ra3 Nc6 3. Bb5 *\n\n"
        "[Event \"3\"]\n\n1. e4 e5 2. Sf3 Yc6 *\n\n"
        "[Event \"4\"]\n\n1. a4 a5 2. Ra3 Ra7 3. Rb3 Zz9\n\n");
    CHECK(imported.rows(kPlies) == Rows{"5", "2", "3", "5"});
    const Rows rows = imported.rows(kErrors);
    REQUIRE(rows.size() == 4);
    CHECK_THAT(rows[0], Catch::StartsWith("1|3|5|illegal move") && Catch::EndsWith("|Ke6"));
    CHECK_THAT(rows[1], Catch::StartsWith("2|7|2|illegal move") && Catch::EndsWith("|Ra3"));
    CHECK_THAT(rows[2], Catch::StartsWith("3|11|3|") && Catch::EndsWith("|Yc6"));
    CHECK_THAT(rows[3], Catch::StartsWith("4|15|5|") && Catch::EndsWith("|Zz9"));
    CHECK(moves_of(imported, 4) == "a4 a5 Ra3 Ra7 Rb3");
}

TEST_CASE("Variations of a national game are stored in English and written in any language") {
    const ingest::ImportOptions options{.annotations = true};
    const TemporaryDirectory directory;
    const std::string german =
        "1. e4! e5 {gut} 2. Sf3 (2. Lc4 Sf6† {besser} (2... Dh4!? 3. g8(D) hier)) 2... Sc6 $2 "
        "3. Lb5 Dh4 4. Tg1 Ke7 *\n";
    const Imported imported({directory.write("a.pgn", german)}, options);
    CHECK(imported.rows(kErrors) == Rows{});
    const auto reader = store::file_store(imported.path())->reader();
    const auto written = [&](const chess::SanSpelling& spelling) {
        std::string out;
        REQUIRE(emit::append_pgn(*reader, 1, out, spelling));
        out.erase(0, out.find("\n\n") + 2);
        std::replace(out.begin(), out.end(), '\n', ' ');
        return out;
    };
    CHECK(written({}) ==
          "1. e4! e5 {gut} 2. Nf3 (2. Bc4 Nf6+ {besser} (2... Qh4!? 3. g8=Q hier)) 2... Nc6 $2 "
          "3. Bb5 Qh4 4. Rg1 Ke7 *  ");
    CHECK(written(chess::SanSpelling::of(*chess::find_language("fr"))) ==
          "1. e4! e5 {gut} 2. Cf3 (2. Fc4 Cf6+ {besser} (2... Dh4!? 3. g8=D hier)) 2... Cc6 $2 "
          "3. Fb5 Dh4 4. Tg1 Re7 *  ");
    // With a letter that several languages have, words of variations tell which it is.
    const Imported few({directory.write("c.pgn", "1. e4 e5 2. Sf3 (2. Lc4 Sf6) *\n")}, options);
    std::string out;
    emit::append_pgn(*store::file_store(few.path())->reader(), 1, out);
    CHECK_THAT(out, Catch::Contains("(2. Bc4 Nf6)"));
    std::size_t round = 0;
    for (const chess::SanLanguage& language : chess::san_languages()) {
        if (test::left_out(round++, 4)) continue;
        std::string text;
        emit::append_pgn(*reader, 1, text, chess::SanSpelling::of(language));
        const Imported again({directory.write("b.pgn", text)}, options);
        CAPTURE(text);
        CHECK(again.rows("SELECT hex(data) FROM annotation") ==
              imported.rows("SELECT hex(data) FROM annotation"));
        CHECK(moves_of(again, 1) == moves_of(imported, 1));
    }
}

namespace {

/// Returns the movetext of game 1, in English, imported with annotations.
std::string annotated(const std::string& text, ingest::ImportOptions options = {}) {
    options.annotations = true;
    const Imported imported = import_text(text, options);
    CHECK(imported.rows(kErrors) == Rows{});
    std::string out;
    REQUIRE(emit::append_pgn(*store::file_store(imported.path())->reader(), 1, out));
    out.erase(0, out.find("\n\n") + 2);
    while (out.back() == '\n') out.pop_back();
    return out;
}

}  // namespace

TEST_CASE(
    "Variations are read in the game's language even if its moves are also legal in English") {
    const std::string german = "1. e4 c5 (1... e5 2. Sf3 Sc6 3. Lb5) 2. c3 d5 3. exd5 *\n";
    const std::string expected = "1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5) 2. c3 d5 3. exd5 *";
    CHECK(annotated(german) == expected);
    CHECK(annotated(german, in({"de"})) == expected);
    // A move that is legal in both languages.
    const std::string rook = "[FEN \"4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1\"]\n\n1. e4 (1. Rd1 Rd7) *\n";
    CHECK(annotated(rook) == "1. e4 (1. Rd1 Rd7) *");
    CHECK(annotated(rook, in({"fr"})) == "1. e4 (1. Kd1 Kd7) *");
}

TEST_CASE(
    "All variations of a game are read in the language in which most of their moves are legal") {
    const std::string czech =
        "1. e4 e5 2. Dh5 (2. Sc4 Sc5 3. Jf3 Vxh2) (2. Se2) 2... Ke7 3. Dxe5 *\n";
    const std::string expected =
        "1. e4 e5 2. Qh5 (2. Bc4 Bc5 3. Nf3 Rxh2) (2. Be2) 2... Ke7 3. Qxe5# *";
    CHECK(annotated(czech) == expected);
    CHECK(annotated(czech, in({"cs"})) == expected);
    // Only the named languages are tried, in their order.
    CHECK(annotated("1. e4 e5 2. Dh5 (2. Se2) 2... Ke7 *\n", in({"de", "cs"})) ==
          "1. e4 e5 2. Qh5 (2. Ne2) 2... Ke7 *");
    CHECK(annotated("1. e4 e5 2. Dh5 (2. Se2) 2... Ke7 *\n", in({"cs", "de"})) ==
          "1. e4 e5 2. Qh5 (2. Be2) 2... Ke7 *");
}

TEST_CASE("Variations may have the notation of older books, also in English games") {
    CHECK(annotated("1. e4 e5 2. Nf3 (2. Bc4 Bc5 3. Bxf7 ch Kxf7 4. Qh5 ch!) Nc6 *\n") ==
          "1. e4 e5 2. Nf3 (2. Bc4 Bc5 3. Bxf7 Kxf7 4. Qh5 !) 2... Nc6 *");
    CHECK(annotated("1. e4 e5 2. Nf3 (2. d4 ed! 3. Q:d4 (3. Bc4 d3 4. cd)) Nc6 *\n") ==
          "1. e4 e5 2. Nf3 (2. d4 exd4! 3. Qxd4 (3. Bc4 d3 4. cxd3)) 2... Nc6 *");
    CHECK(annotated("1. e4 e5 2. Sf3 (2. d4 ed 3. D:d4 (3. Lc4 d3 4. cd matt)) Sc6 *\n") ==
          "1. e4 e5 2. Nf3 (2. d4 exd4 3. Qxd4 (3. Bc4 d3 4. cxd3)) 2... Nc6 *");
    // After a word that is not a move, words are translated by their letters.
    CHECK(annotated("1. e4 e5 2. Sf3 (2. Lc4 oder 2. d4 ed 3. Dd4) Sc6 *\n") ==
          "1. e4 e5 2. Nf3 (2. Bc4 oder 2. d4 ed 3. Qd4) 2... Nc6 *");
    // Nested deeper than boards are kept, and wide.
    std::string deep = "1. e4 e5 2. Sf3 ";
    for (int i = 0; i < 150; ++i) deep += "(2. Lc4 ";
    deep += std::string(150, ')') + " Sc6 *\n";
    const std::string read = annotated(deep);
    CHECK(read.find("Lc4") == read.npos);
}

TEST_CASE("A slip in an English game does not make it German") {
    std::string english;
    for (int i = 0; i < 4; ++i) english += "[Event \"e\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n";
    // With B for the pawn (Bauer) these could be played on.
    const Imported imported =
        import_text(english +
                    "[Event \"1\"]\n\n1. e4 e5 2. Bc4 Bc5 3. Bb4 Bb6 *\n\n"
                    "[Event \"2\"]\n\n1. e4 e5 2. Bc4 Bc5 3. Bb4 Bh1 4. d4 *\n");
    CHECK(imported.rows(kPlies) == Rows{"6", "6", "6", "6", "4", "4"});
    CHECK(moves_of(imported, 5) == "e4 e5 Bc4 Bc5");
    CHECK(moves_of(imported, 6) == "e4 e5 Bc4 Bc5");
    const Rows rows = imported.rows(kErrors);
    REQUIRE(rows.size() == 2);
    CHECK_THAT(rows[0], Catch::StartsWith("5|19|4|illegal move") && Catch::EndsWith("|Bb4"));
    // It is read as far as possible in English, even with remarks after moves.
    const Imported check = import_text("1. e4 e5 2. Bc4 Bc5 3. Bxf7 ch Kxf7 4. Bb3 *\n");
    CHECK(moves_of(check, 1) == "e4 e5 Bc4 Bc5 Bxf7+ Kxf7");
}

TEST_CASE("An ambiguity is only a warning, and --strict imports the game") {
    const Imported imported = import_text("1. e4 e5 2. Кe2 *\n", {.strict = true});
    CHECK(moves_of(imported, 1) == "e4 e5 Ne2");
    CHECK(imported.rows("SELECT count(*) FROM import_error"
                        " WHERE reason LIKE 'ambiguous%' AND pgn IS NULL") == Rows{"1"});
}

TEST_CASE("pgn-extract's German games are read as the same games in its other notations") {
    const std::string folder = test::corpus_cut() + "/nasty/pgn-extract/test/outfiles";
    std::vector<std::string> fingerprints;
    for (const char* name :
         {"test-Wlalg-out.pgn", "test-Wdeutsch-out.pgn", "test-WWdeutsch-out.pgn",
          "test-Whalg-out.pgn", "test-Welalg-out.pgn"}) {
        const Imported imported({folder + "/" + name});
        CAPTURE(name);
        CHECK(imported.rows(kErrors) == Rows{});
        CHECK(imported.info().plies == 72);
        fingerprints.push_back(std::to_string(imported.info().fingerprint));
    }
    CHECK(std::count(fingerprints.begin(), fingerprints.end(), fingerprints[0]) == 5);
}

namespace {

/// Exports the games in this spelling and imports them again.
Imported written_again(const Imported& imported, const chess::SanSpelling& spelling,
                       unsigned threads) {
    const TemporaryFile file("a.pgn");
    emit::ExportJob job{store::file_store(imported.path()),
                        emit::GameList::up_to(imported.info().games)};
    job.spelling = spelling;
    const auto sink = emit::open_sink(file, 1);
    emit::export_pgn(job, *sink);
    sink->finish();
    return Imported({file}, test::threads(threads));
}

void check_languages(const Imported& imported) {
    const std::uint64_t expected = imported.info().fingerprint;
    unsigned threads = 1;
    for (const chess::SanLanguage& language : chess::san_languages()) {
        CAPTURE(language.code, threads);
        const Imported again = written_again(imported, chess::SanSpelling::of(language), threads);
        CHECK(again.info().fingerprint == expected);
        threads = 3 - threads;
    }
    CHECK(written_again(imported, chess::SanSpelling::figurines(), 2).info().fingerprint ==
          expected);
}

}  // namespace

TEST_CASE("Samples written in every language are read back as the same games", "[full]") {
    std::vector<std::string> files{FENDEX_SAMPLES "/curiosities.pgn",
                                   FENDEX_SAMPLES "/fischer-random.pgn"};
    if (test::full_size()) files.push_back(FENDEX_SAMPLES "/classics.pgn");
    const Imported imported(files);
    CHECK(imported.info().errors == 0);
    check_languages(imported);
}

TEST_CASE("The sample game in each language equals the English one") {
    const Imported imported({FENDEX_SAMPLES "/languages.txt"});
    CHECK(imported.rows(kErrors) == Rows{});
    CHECK(imported.info().games == chess::san_languages().size() + 1);  // and one for figurines
    const Imported english({FENDEX_TEST_DATA "/languages/english.pgn"}, in({"en"}));
    CHECK(english.rows(kErrors) == Rows{});
    CHECK(imported.info().fingerprint == english.info().fingerprint);
}

TEST_CASE("Games of the corpus written in every language are read as the same", "[.corpus]") {
    const unsigned games = test::fewer(2000U, 10);
    const Imported imported =
        import_text(test::first_games(test::whole_corpus() + "/human.pgn.zst", games));
    CHECK(imported.info().games == games);
    check_languages(imported);
}
