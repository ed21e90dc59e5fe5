// Compares scans for sequences of steps with brute force, for games of standard chess, Chess960 and
// variants.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "chess/san.hpp"
#include "chess/variant_play.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/pattern_scan.hpp"
#include "query/sequence_text.hpp"
#include "query/sequence_twin.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using chess::Variant;
using Random = std::mt19937_64;

struct Game {
    std::uint64_t id = 0;
    Variant variant = Variant::kStandard;
    Frames frames;
};

std::vector<Game> games_of(const std::string& database) {
    std::vector<Game> games;
    const auto reader = store::file_store(database)->reader();
    reader->for_each_moves(1, [&](store::GameId id, const store::StoredMoves& moves) {
        Game& game = games.emplace_back(Game{id, moves.facts.variant, {}});
        replay::for_each_position(id, moves, [&](const auto& walk) {
            const chess::AnyPosition position(walk.position());
            Frame& frame = game.frames.emplace_back();
            frame.squares = squares_of(walk.position());
            frame.white = position.side_to_move() == chess::Color::kWhite;
            if (walk.at_end()) return;
            chess::append_san(position, walk.next_move(), frame.san);
            chess::append_uci(
                position, walk.next_move(),
                game.variant == Variant::kStandard ? Variant::kChess960 : game.variant, frame.uci);
        });
        return true;
    });
    return games;
}

WantedStep random_step(const Frames& game, std::uint32_t ply, Random& random) {
    WantedStep step;
    const Frame& frame = game[ply];
    if (random() % 3 == 0) {
        step.board = random_board(frame.squares, 1 + static_cast<unsigned>(random() % 15), random);
    }
    if (random() % 6 == 0) step.material = random_material(frame.squares, random);
    if (random() % 3 == 0) step.side = frame.white ? "white" : "black";
    if (frame.san.empty()) return step;
    const PlayedMove move = move_of(frame);
    if (random() % 4 == 0) step.move = random_route(game, ply, random);
    if (!step.move && random() % 3 != 0) step.move = random_move(move, random);
    const bool captures = step.move && step.move->captures == 'x';
    if (move.victim == ' ' && !captures && random() % 5 == 0) step.quiet = true;
    return step;
}

std::vector<WantedStep> random_steps(const Frames& game, Random& random) {
    std::vector<WantedStep> steps;
    const auto plies = static_cast<std::uint32_t>(game.size());
    std::uint32_t ply = static_cast<std::uint32_t>(random() % plies);
    for (std::uint32_t before = ply; steps.size() < 4 && ply < plies;) {
        WantedStep& step = steps.emplace_back(random_step(game, ply, random));
        if (steps.size() > 1 && random() % 2 == 0) {
            const std::uint32_t gap = ply - before;
            step.within = gap + static_cast<std::uint32_t>(random() % 3);
            if (gap > 1 && random() % 4 == 0) step.within = gap - 1;
        }
        before = ply;
        if (step.move && !step.move->route.empty()) {
            const auto route = route_of(game, ply, step.move->route);
            if (route) before = route->back();
        }
        ply = before + 1 + static_cast<std::uint32_t>(random() % (random() % 2 == 0 ? 2 : 12));
        if (random() % 4 == 0) break;
    }
    return steps;
}

struct Found {
    std::vector<std::uint32_t> plies;
    std::vector<std::uint32_t> steps;

    bool operator==(const Found&) const = default;
};

Found brute_force(const Frames& game, const std::vector<WantedStep>& steps, bool either_side) {
    std::vector<std::vector<std::uint32_t>> all = StepsInGame(game, steps).sequences();
    if (either_side) {
        const auto others = StepsInGame(exchanged(game), steps).sequences();
        all.insert(all.end(), others.begin(), others.end());
        std::ranges::stable_sort(all, {}, [](const auto& plies) { return plies.front(); });
    }
    Found out;
    for (const auto& plies : all) {
        if (out.plies.empty() || out.plies.back() != plies.front()) {
            out.plies.push_back(plies.front());
        }
    }
    if (!all.empty() && all.front().size() > 1) out.steps = all.front();
    return out;
}

/// Checks random sequences, each made from some game. Returns how many were found in few games.
void check(const std::string& database, Random& random, unsigned rounds) {
    const std::vector<Game> games = games_of(database);
    const auto reader = store::file_store(database)->reader();
    unsigned rare = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        const Game& model = games[random() % games.size()];
        if (model.frames.empty()) continue;
        const std::vector<WantedStep> steps = random_steps(model.frames, random);
        query::SequenceText text;
        const std::string first = steps.front().text();
        text.move = first;
        std::vector<std::string> later;
        for (std::size_t i = 1; i < steps.size(); ++i) {
            later.push_back(steps[i].text());
            if (steps[i].within != UINT32_MAX) {
                later.back() += " within " + std::to_string(steps[i].within);
            }
        }
        text.then.assign(later.begin(), later.end());
        text.pattern.either_side = random() % 3 == 0;
        const Variant variant =
            chess::has_standard_rules(model.variant) ? Variant::kStandard : model.variant;
        text.pattern.variant = variant;
        std::string shown = first;
        for (const std::string& each : later) shown += "; " + each;
        CAPTURE(shown, text.pattern.either_side, chess::name_of(variant));
        const query::SequenceResult result = query::parse_sequence(text);
        INFO(result.error);
        REQUIRE(result.sequence);

        std::map<std::uint64_t, Found> expected;
        for (const Game& game : games) {
            const bool fits = chess::has_standard_rules(game.variant)
                                  ? variant == Variant::kStandard
                                  : game.variant == variant;
            if (!fits) continue;
            Found found = brute_force(game.frames, steps, text.pattern.either_side);
            if (!found.plies.empty()) expected[game.id] = std::move(found);
        }
        query::ScanOptions options;
        options.threads = 1 + round % 2;
        options.filter.variant = variant;
        std::map<std::uint64_t, Found> found;
        query::find_pattern(*store::file_store(database), *result.sequence, options,
                            [&](const query::Hit& hit) {
                                found[hit.game] = {hit.plies, hit.steps};
                                return true;
                            });
        for (const Game& game : games) {
            if (found[game.id] == expected[game.id]) continue;
            CAPTURE(game.id, found[game.id].plies, found[game.id].steps);
            CHECK(expected[game.id].plies == found[game.id].plies);
            REQUIRE(expected[game.id].steps == found[game.id].steps);
        }
        // A single game is scanned without regard to its signature.
        query::Hit hit;
        const bool there = query::find_pattern_in(*reader, *result.sequence, model.id, hit);
        CHECK(there == !expected[model.id].plies.empty());
        const auto matching = std::ranges::count_if(
            expected, [](const auto& each) { return !each.second.plies.empty(); });
        if (static_cast<std::size_t>(matching) < games.size() / 4) ++rare;
    }
    CHECK(rare > rounds / 4);
}

}  // namespace

TEST_CASE("Scans for sequences find what brute force finds: samples", "[full]") {
    const TemporaryFile database("games.db");
    ingest::import_files(database, pgn::expand_inputs({FENDEX_SAMPLES}), {});
    Random random(91);
    check(database, random, fewer(at_size(30U, 1500U), 4));
}

TEST_CASE("Scans for sequences find what brute force finds: variants", "[full]") {
    const TemporaryDirectory directory;
    Random random(92);
    const std::string file = directory / "games.pgn";
    std::ofstream pgn(file);
    for (unsigned round = 0; round < 12; ++round) {
        for (const Variant variant : variants_to_play()) {
            chess::VariantPosition position(variant);
            pgn << "[Variant \"" << chess::name_of(variant) << "\"]\n\n";
            for (const chess::Move move : random_variant_game(variant, random, 120)) {
                pgn << chess::to_san(position, move) << '\n';
                position.play(move);
            }
            pgn << "*\n\n";
        }
    }
    pgn.close();
    const std::string database = directory / "games.db";
    ingest::import_files(database, {file}, {});
    check(database, random, fewer(at_size(200U, 4000U), 4));
}

TEST_CASE("Routes end where an explosion takes the piece, and a capture of Atomic ends one") {
    const TemporaryDirectory directory;
    const std::string database = directory / "games.db";
    // After 3... cxd4 the knight on e5 is gone. The other one comes there later, and goes on.
    const std::string pgn =
        "[Variant \"Atomic\"]\n\n1. Nf3 c5 2. d4 a6 3. Ne5 cxd4 4. Nc3 a5 5. Ne4 a4 6. Nc5 a3 "
        "7. Nd3 h6 8. Ne5 h5 9. Nc4 *\n";
    ingest::import_files(database, {directory.write("games.pgn", pgn)}, {});
    const auto steps_of = [&](const std::string& move) {
        query::SequenceText text;
        text.move = move;
        text.pattern.variant = Variant::kAtomic;
        const query::SequenceResult result = query::parse_sequence(text);
        REQUIRE(result.sequence);
        query::ScanOptions options;
        options.filter.variant = Variant::kAtomic;
        std::vector<std::uint32_t> steps;
        query::find_pattern(*store::file_store(database), *result.sequence, options,
                            [&](const query::Hit& hit) {
                                steps = hit.steps;
                                return true;
                            });
        return steps;
    };
    using Plies = std::vector<std::uint32_t>;
    CHECK(steps_of("Ng1-f3-e5") == Plies{0, 4});
    CHECK(steps_of("Nf3-e5-c4").empty());
    CHECK(steps_of("Nc5-d3-e5-c4") == Plies{12, 14, 16});
    CHECK(steps_of("black Pc7-c5-d4") == Plies{1, 5});
    CHECK(steps_of("black Pa6-a5-a4-a3") == Plies{7, 9, 11});
}
