// Compares scans for patterns in games of variants with brute force: every position of every game,
// square by square. Signatures were made with standard chess in mind; here they must not rule out
// too much.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "chess/san.hpp"
#include "chess/variant_play.hpp"
#include "ingest/importer.hpp"
#include "query/pattern_scan.hpp"
#include "query/pattern_text.hpp"
#include "query/pattern_twin.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using chess::Variant;
using chess::VariantPosition;

using Found = std::map<std::uint64_t, std::vector<std::uint32_t>>;  // plies by game

struct Game {
    Variant variant;
    std::vector<std::string> boards;  // by ply
};

/// Returns random games of all variants and writes them to `pgn`.
std::vector<Game> random_games(std::mt19937_64& random, unsigned of_each, std::ostream& pgn) {
    std::vector<Game> games;
    for (unsigned round = 0; round < of_each; ++round) {
        for (const Variant variant : variants_to_play()) {
            VariantPosition position(variant);
            Game& game = games.emplace_back(Game{variant, {squares_of(position)}});
            pgn << "[Variant \"" << chess::name_of(variant) << "\"]\n\n";
            for (const chess::Move move : random_variant_game(variant, random, 90)) {
                pgn << chess::to_san(position, move) << '\n';
                position.play(move);
                game.boards.push_back(squares_of(position));
            }
            pgn << "*\n\n";
        }
    }
    return games;
}

}  // namespace

TEST_CASE("Pattern scans of variants find what brute force finds", "[full]") {
    std::mt19937_64 random(83);
    const TemporaryDirectory directory;
    const std::string file = directory / "games.pgn";
    std::ofstream pgn(file);
    const std::vector<Game> games = random_games(random, 6, pgn);
    pgn.close();
    const std::string database = directory / "games.db";
    REQUIRE(ingest::import_files(database, {file}, {}).games == games.size());

    for (unsigned round = 0; round < fewer(at_size(300U, 600U)); ++round) {
        const Game& game = games[random() % games.size()];
        const std::string& model =
            game.boards[random() % 4 == 0 ? 0 : random() % game.boards.size()];
        const std::string board =
            random_board(model, 1 + static_cast<unsigned>(random() % 100), random);
        const std::string material = random_material(model, random);
        const bool with_board = random() % 3 != 0;
        const bool with_material = !with_board || random() % 4 == 0;
        query::PatternText text;
        if (with_board) text.board = board;
        if (with_material) text.material = material;
        text.either_side = random() % 3 == 0;
        text.variant = game.variant;
        CAPTURE(chess::name_of(game.variant), board, material, text.either_side, with_board,
                with_material);
        const query::PatternResult result = query::parse_pattern(text);
        INFO(result.error);
        REQUIRE(result.pattern);

        const auto tokens = tokens_of(board);
        const auto fits = [&](const std::string& squares) {
            return (!with_board || board_fits(tokens, squares)) &&
                   (!with_material || material_fits(material, squares));
        };
        Found expected;
        for (std::size_t i = 0; i < games.size(); ++i) {
            if (games[i].variant != game.variant) continue;
            for (std::uint32_t ply = 0; ply < games[i].boards.size(); ++ply) {
                const std::string& squares = games[i].boards[ply];
                if (fits(squares) || (text.either_side && fits(reversed(squares)))) {
                    expected[i + 1].push_back(ply);
                }
            }
        }
        query::ScanOptions options;
        options.filter.variant = game.variant;
        Found found;
        query::find_pattern(*store::file_store(database), *result.pattern, options,
                            [&](const query::Hit& hit) {
                                found[hit.game] = hit.plies;
                                return true;
                            });
        REQUIRE((found == expected));
    }
}
