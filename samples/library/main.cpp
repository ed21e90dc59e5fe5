// positions DB PGN FEN: imports an archive, then names the games that reached a position.
#include <fendex/fendex.hpp>
#include <iostream>

int main(int argc, char** argv) try {
    if (argc != 4) throw std::invalid_argument("usage: positions DB PGN FEN");
    fendex::Database db = fendex::Database::open(argv[1], fendex::Open::kCreate);
    std::cout << db.import({argv[2]}).games << " games\n";
    for (const fendex::Hit& hit : db.find({.fen = argv[3]})) {
        std::cout << hit.game.white << " - " << hit.game.black << ", after ply "
                  << hit.plies.front() << '\n';
    }
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
