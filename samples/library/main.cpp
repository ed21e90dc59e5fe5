// positions DB PGN FEN: imports an archive, then names the games that reached a position.
#include <fendex/chess/fen.hpp>
#include <fendex/ingest/importer.hpp>
#include <fendex/query/position_search.hpp>
#include <fendex/store/store.hpp>
#include <iostream>

int main(int argc, char** argv) try {
    using namespace fendex;
    if (argc != 4) throw std::invalid_argument("usage: positions DB PGN FEN");
    const chess::FenResult fen = chess::parse_fen(argv[3]);
    if (!fen.position) throw std::invalid_argument(fen.error.reason);

    const ingest::ImportSummary summary = ingest::import_files(argv[1], {argv[2]}, {});
    std::cout << summary.games << " games, " << summary.plies << " plies\n";

    const auto reader = store::Store::at(argv[1])->reader();
    query::GameMatcher all_games(*reader);
    query::PositionSearch search(*reader, all_games);
    search.find(query::Question::of(*fen.position), [&](const query::Hit& hit) {
        store::GameHeader game;
        reader->header(hit.game, game);
        std::cout << game.white.value_or("?") << " - " << game.black.value_or("?") << ", after ply "
                  << hit.plies.front() << '\n';
        return true;
    });
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}
