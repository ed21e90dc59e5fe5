// Ways to write moves and results that are not the standard's, as people and programs write them:
// games with them are read to their end.
#include <utility>

#include "ingest/ingest_fixtures.hpp"
#include "store/sqlite/file_store.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

/// A database of the games in a text.
class ImportedText : public Imported {
  public:
    explicit ImportedText(const std::string& pgn, const ingest::ImportOptions& options = {}) {
        const TemporaryDirectory directory;
        again({directory.write("game.pgn", pgn)}, options);
    }

    /// Returns the first value of a query; "-" if it is NULL.
    std::string text(const char* sql) const {
        store::Connection connection(path(), store::Connection::Mode::kReadOnly);
        return connection.text(sql).value_or("-");
    }
};

/// Imports a game and returns its result, its number of plies and its errors.
std::string read_back(const std::string& pgn, bool annotations = false) {
    const ImportedText games(pgn, {.annotations = annotations});
    return games.text("SELECT group_concat(result || ' ' || plies) FROM games") + ", " +
           games.text("SELECT group_concat(reason || ': ' || ifnull(text, '')) FROM import_error");
}

}  // namespace

TEST_CASE("A piece's move to the last rank may have a remark that begins with =") {
    for (const char* move : {"Rg1", "Rg1=", "Rg1=!", "Rg1=+", "Rg1=?!", "Rg1=/+", "Rg1+="}) {
        for (const bool annotations : {false, true}) {
            CAPTURE(move, annotations);
            CHECK(read_back("1. Nf3 Nf6 2. " + std::string(move) + " Rg8= 3. Rh1 Rh8 1/2-1/2\n",
                            annotations) == "1/2-1/2 6, -");
        }
    }
    CHECK(read_back("1. Sf3 Sf6 2. Sc3 Sc6 3. Tb1= Tb8=! 4. Ta1 *\n") == "* 7, -");
    // A pawn does promote there.
    CHECK(read_back("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8= Kg7 *\n") !=
          read_back("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=Q Kg7 *\n"));
}

TEST_CASE("En passant and promotions may be written with blanks") {
    CHECK(read_back("1. e4 a6 2. e5 d5 3. exd6 e. p. cxd6 4. d4 *\n") == "* 7, -");
    CHECK(read_back("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 4. d4 *\n", true) == "* 7, -");
    for (const char* promotion : {"a8=(Q)", "a8 = Q", "a8 =Q", "a8= Q", "a8 (Q)", "a8 = Q+",
                                  "a8 (Q)!?", "a8 = D", "a8 (D)"}) {
        for (const bool annotations : {false, true}) {
            CAPTURE(promotion, annotations);
            CHECK(read_back("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. " +
                                std::string(promotion) + " Kg7 2. Kb2 1-0\n",
                            annotations) == "1-0 3, -");
        }
    }
    // A variation, a remark and an evaluation are no promotions.
    CHECK(read_back("1. Nf3 Nf6 2. Rg1 (Q) Rg8 = 3. Rh1 *\n") == "* 5, -");
}

TEST_CASE("Results may have a colon or a full stop") {
    const std::pair<const char*, const char*> cases[] = {{"1:0", "1-0"},     {"0:1", "0-1"},
                                                         {"½:½", "1/2-1/2"}, {"1/2:1/2", "1/2-1/2"},
                                                         {"1-0.", "1-0"},    {"1/2.", "1/2-1/2"}};
    for (const auto& [written, meant] : cases) {
        CAPTURE(written);
        CHECK(read_back("1. e4 e5 " + std::string(written) + "\n") == std::string(meant) + " 2, -");
        CHECK(read_back("[Result \"" + std::string(written) + "\"]\n\n1. e4 e5\n") ==
              std::string(meant) + " 2, -");
    }
}

TEST_CASE("A question mark as FEN means the initial position") {
    CHECK(read_back("[FEN \"?\"]\n\n1. e4 e5 *\n") == "* 2, -");
}

TEST_CASE("Contradictions are warnings with the tag's line, and the tags stay unchanged") {
    const std::string pgn =
        "[White \"R\xE9ti\"]\n[Black \"R\xE9ti\"]\n[Date \"31.12.1999\"]\n[WhiteElo \"4001\"]\n"
        "[Result \"1-0\"]\n[PlyCount \"5\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
        "[Result \"1/2-1/2\"]\n\n1. f3 e5 2. g4 Qh4# 1/2-1/2\n\n"
        "[Variant \"Atomic\"]\n\n1. Nf3 a6 2. Ne5 a5 3. Nxf7 0-1\n\n"
        "[PlyCount \"9\"]\n\n1. e4 Qh9 2. d4 *\n";
    const ingest::ImportOptions options{.strict = GENERATE(false, true)};
    if (options.strict) {
        // Only the move that cannot be read is an error.
        CHECK_THROWS_WITH(ImportedText(pgn, options), Catch::Contains("Qh9"));
        return;
    }
    const ImportedText games(pgn, options);
    CHECK(games.summary().errors == 1);
    CHECK(games.summary().warnings == 7);
    CHECK(games.text("SELECT group_concat(game_id || ':' || line, ' ') FROM import_error"
                     " WHERE severity = 1 AND reason LIKE 'contradiction: %'") ==
          "1:3 1:4 1:6 1:1 1:5 2:10 3:14");
    CHECK(games.text("SELECT text FROM import_error WHERE line = 1") == "Black R\u00E9ti");
    CHECK(games.text("SELECT max(ply) FROM import_error WHERE game_id = 3") == "5");
    CHECK(games.text("SELECT date || ' ' || white_elo || ' ' || result FROM games WHERE id = 1") ==
          "31.12.1999 4001 1-0");
    CHECK(store::file_store(games.path())->reader()->facts(1).date == 0);
}

TEST_CASE("A game whose first move number is not 1 gets a warning") {
    const std::string warning =
        "the moves begin with number 3, but are played from the initial position: what comes "
        "before may be missing: ";
    CHECK(read_back("1. e4 e5 2. Nf3 1-0 3. Nc3 Nc6 1-0\n") == "1-0 3,1-0 2, " + warning);
    CHECK(read_back("[Event \"a\"]\n\n1. e4 e5 2. Nf3\n[Site \"b\"]\n3. Nc3 Nc6 1-0\n") ==
          "* 3,1-0 2, " + warning);
    CHECK(read_back("3... Nc3 Nc6 1-0\n") == "1-0 2, " + warning);
    CHECK(read_back("1. e4 e5 1-0\n\ne4 e5 2. Nf3 1-0\n\n0. e4 *\n") == "1-0 2,1-0 3,* 1, -");
    CHECK(read_back("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 9\"]\n\n9. Kb2 *\n") == "* 1, -");
}

TEST_CASE("A move that is attached to the sign for an idea is not played") {
    for (const char* idea : {"∆Re1", "ΔRe1!", "△Re1+"}) {
        CHECK(read_back("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O " + std::string(idea) +
                        " Nf6 *\n") == "* 8, -");
    }
    CHECK(read_back("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O∆Re1 Nf6 *\n", true) == "* 8, -");
}

TEST_CASE("Values of tags may stand in curly quotes") {
    const std::string pgn =
        "[White “Réti, R”]\n[Black „Tartakower”]\n[Result “1-0”]\n\n1. e4 e5 1-0\n\n"
        "[Event “x \"y\"”]\n[White \"A”]\n[Black “B\"]\n\n1. d4 *\n\n"
        "[White \x93"
        "C\x94]\n[Black \x84"
        "D\x94 ] \n\n1. c4 *\n";
    const ImportedText games(pgn);
    CHECK(games.text(
              "SELECT group_concat(white || ';' || black || ';' || ifnull(event, ''), '|') FROM "
              "games") == "Réti, R;Tartakower;|A;B;x \"y\"|C;D;");
    CHECK(games.text("SELECT group_concat(result) FROM games") == "1-0,*,*");
    CHECK(games.text("SELECT group_concat(reason) FROM import_error") == "-");
}
