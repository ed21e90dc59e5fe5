#include "store/sqlite/engine/reached_games.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "ingest/importer.hpp"
#include "query/position_search.hpp"
#include "support/delete_games.hpp"
#include "support/engine_comparison.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using store::Engine;

/// Several come back to a position, and reach positions that are others with colours exchanged.
constexpr const char* kMoves[] = {
    "1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 Nc6 5. Ng1 Nb8 *",
    "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1-0",
    "1. e4 c5 2. Nf3 0-1",
    "1. d4 d5 1/2-1/2",
};

void import_games(const std::string& path, std::size_t games) {
    const std::string archive = path + ".pgn";
    {
        std::ofstream out(archive);
        for (std::size_t i = 0; i < games; ++i) {
            const bool is_rare = i == 30 || i == 1001 || i == 2002 || i == 2503;
            out << "[White \"" << (is_rare && i != 30 ? "Rare, One" : "Often") << "\"]\n[Black \""
                << (i == 30 ? "Rare, One" : "Other") << "\"]\n[Date \"19" << 10 + i % 80
                << ".03.??\"]\n\n"
                << kMoves[i % std::size(kMoves)] << "\n\n";
        }
    }
    ingest::import_files(path, {archive}, {});
}

std::vector<store::GameId> games_found(Engine& engine, Engine::Targets targets,
                                       const store::GameFilter& filter, store::GameId after) {
    std::vector<store::GameId> out;
    const auto games = engine.find(targets, filter, after, {});
    for (Engine::Reached each; games->next(each);) out.push_back(each.game.game);
    return out;
}

}  // namespace

TEST_CASE("If few games fit, they are replayed, with the answer of a look at each game") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    import_games(path, 6000);
    test::delete_games(path, {2004});
    const auto store = store::file_store(path);
    const auto brute = test::brute_store(path)->reader();
    chess::Position position;
    std::vector<chess::AnyPosition> positions{position};
    for (const char* const san : {"e4", "e5", "Nf3"}) {
        chess::Move move;
        REQUIRE(chess::read_san(position, san, move) == chess::SanError::kNone);
        position.play(move);
        positions.emplace_back(position);
    }
    base::StopCheck stop({});
    int replayed = 0;
    for (const chess::AnyPosition& each : positions) {
        for (const auto match :
             {query::Match::kExact, query::Match::kBoard, query::Match::kMirrored}) {
            const auto targets = test::targets_of(each, match);
            for (const int kind : {0, 1, 2, 3}) {
                CAPTURE(chess::to_fen(each), static_cast<int>(match), kind);
                store::GameFilter filter;
                if (kind == 0) filter.player = "rare one";
                if (kind == 1) filter.white = "rare";
                if (kind == 2) filter.black = "rare";
                if (kind == 3) filter.white = "nobody";
                const auto reader = store->reader();
                store::FittingGames fitting(*reader->local(), filter, stop);
                replayed +=
                    occurrences_in_few_games(*reader->local(), fitting, targets, stop) ? 1 : 0;
                Engine& engine = reader->engine();
                CHECK(test::text_of(engine.tree(targets, filter, {.most = 4}, {})) ==
                      test::text_of(brute->engine().tree(targets, filter, {.most = 4}, {})));
                const std::vector<std::vector<Engine::Target>> questions{targets};
                CHECK(test::text_of(engine.counts(questions, filter, {})) ==
                      test::text_of(brute->engine().counts(questions, filter, {})));
                CHECK(test::text_of(engine.months(targets, filter, {})) ==
                      test::text_of(brute->engine().months(targets, filter, {})));
                const auto reached =
                    engine.reached(targets, filter, store::GameOrder::kDate, {}, 10, {});
                auto expected =
                    brute->engine().reached(targets, filter, store::GameOrder::kDate, {}, 10, {});
                REQUIRE(reached.size() == expected.size());
                for (std::size_t i = 0; i < reached.size(); ++i) {
                    CHECK(reached[i].game == expected[i].game);
                }
                for (const store::GameId after : {0U, 1002U, 5000U}) {
                    CHECK(games_found(engine, targets, filter, after) ==
                          games_found(brute->engine(), targets, filter, after));
                }
            }
        }
    }
    CHECK(replayed > 20);
}
