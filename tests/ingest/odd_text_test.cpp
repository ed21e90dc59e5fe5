// Ways to write moves and results that are not the standard's, as people and programs write them:
// games with them are read to their end.
#include <utility>

#include "ingest/ingest_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

/// Imports a game and returns its result, its number of plies and its errors.
std::string read_back(const std::string& pgn, bool annotations = false) {
    const TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    ingest::ImportOptions options;
    options.annotations = annotations;
    ingest::import_files(path, {directory.write("game.pgn", pgn)}, options);
    store::Connection connection(path, store::Connection::Mode::kReadOnly);
    const auto text = [&](const char* sql) { return connection.text(sql).value_or("-"); };
    return text("SELECT group_concat(result || ' ' || plies) FROM games") + ", " +
           text("SELECT group_concat(reason || ': ' || ifnull(text, '')) FROM import_error");
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

TEST_CASE("En passant and promotions may be written in pieces") {
    CHECK(read_back("1. e4 a6 2. e5 d5 3. exd6 e. p. cxd6 4. d4 *\n") == "* 7, -");
    CHECK(read_back("1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 4. d4 *\n", true) == "* 7, -");
    CHECK(read_back("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=(Q) Kg7 2. Qb7+ 1-0\n") ==
          "1-0 3, -");
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

TEST_CASE("A question mark in place of a FEN is no FEN") {
    CHECK(read_back("[FEN \"?\"]\n\n1. e4 e5 *\n") == "* 2, -");
}
