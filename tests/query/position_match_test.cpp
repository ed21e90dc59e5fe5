// Looser matches: which positions match, and which games are found, compared with the positions of
// all games as text.
#include "query/position_match.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "chess/fen.hpp"
#include "chess/mirrored.hpp"
#include "chess/movegen.hpp"
#include "chess/variant_names.hpp"
#include "query/position_search.hpp"
#include "query/replayed_games.hpp"
#include "store/sqlite/file_store.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

chess::Position position(const std::string& fen) {
    const chess::FenResult parsed = chess::parse_fen(fen);
    INFO(fen << ": " << parsed.error.reason);
    REQUIRE(parsed.position);
    return *parsed.position;
}

std::set<std::string> epds(const std::string& fen, query::Match match) {
    std::set<std::string> out;
    for (const query::MatchingPosition& each : query::matching_positions(position(fen), match)) {
        CHECK(out.insert(chess::to_epd(each.position)).second);
    }
    return out;
}

std::string board_of(const std::string& epd) { return epd.substr(0, epd.find(' ')); }

}  // namespace

TEST_CASE("A board stands for every side to move, right and en passant square possible") {
    // Two sides, four sets of rights each side.
    CHECK(epds("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", query::Match::kBoard).size() == 32);
    CHECK(epds("4k3/8/8/8/8/8/8/4K3 w - - 0 1", query::Match::kBoard).size() == 2);
    // Only Black can be to move: White is giving check.
    CHECK(epds("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1", query::Match::kBoard).size() == 1);
    // 1...d5 may just have been played.
    const auto passed = epds("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", query::Match::kBoard);
    CHECK(passed == std::set<std::string>{"4k3/8/8/3pP3/8/8/8/4K3 w - -",
                                          "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
                                          "4k3/8/8/3pP3/8/8/8/4K3 b - -"});
    CHECK(epds("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", query::Match::kBoard) == passed);
    // In Chess960 a right may be on any rook.
    CHECK(epds("4k3/8/8/8/8/8/8/RR2K2R w KQ - 0 1", query::Match::kBoard).size() == 12);
}

TEST_CASE("A mirrored position has the mirrored moves", "[full]") {
    CHECK(epds("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
               query::Match::kMirrored) ==
          std::set<std::string>{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
                                "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq -"});
    // The position is its own mirror image apart from the side to move, so there are two.
    CHECK(epds("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", query::Match::kMirrored)
              .size() == 2);
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    std::mt19937_64 random(7);
    for (unsigned i = 0; i < 500; ++i) {
        const auto& game = database.games().at(1 + random() % database.games().size());
        if (game.fens.empty()) continue;
        const chess::Position here = position(game.fens[random() % game.fens.size()]);
        const chess::Position there = *chess::mirrored(here).standard();
        REQUIRE(chess::to_fen(chess::mirrored(there)) == chess::to_fen(here));
        // Its moves are the mirrored moves, and lead to mirrored positions.
        std::set<std::uint16_t> expected;
        std::set<std::uint16_t> found;
        chess::MoveList moves;
        chess::legal_moves(here, moves);
        for (const chess::Move move : moves) {
            expected.insert(chess::mirrored(move).bits());
            chess::Position after = here;
            after.play(move);
            chess::Position mirrored_after = there;
            mirrored_after.play(chess::mirrored(move));
            REQUIRE(chess::to_epd(chess::mirrored(after)) == chess::to_epd(mirrored_after));
        }
        chess::MoveList mirrored_moves;
        chess::legal_moves(there, mirrored_moves);
        for (const chess::Move move : mirrored_moves) found.insert(move.bits());
        REQUIRE(found == expected);
    }
}

TEST_CASE("Looser matches find the same games as a replay, each once", "[full]") {
    const ReplayedDatabase& database = ReplayedDatabase::instance();
    const auto reader = store::file_store(database.path())->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    std::map<std::string, std::map<store::GameId, std::set<std::uint32_t>>> boards;
    for (const auto& [epd, games] : database.places()) {
        for (const auto& [id, plies] : games)
            boards[board_of(epd)][id].insert(plies.begin(), plies.end());
    }
    std::mt19937_64 random(8);
    for (unsigned i = 0; i < 150; ++i) {
        // The second is a board to which a game returned after losing its rights.
        const std::string epd = i == 0   ? chess::to_epd(chess::Position())
                                : i == 1 ? "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w Qq -"
                                         : database.random_epd(random);
        CAPTURE(epd);
        const auto check = [&](query::Match match,
                               const std::map<store::GameId, std::set<std::uint32_t>>& expected) {
            const query::Question question = query::Question::of(position(epd), match);
            std::map<store::GameId, std::set<std::uint32_t>> found;
            store::GameId last = 0;
            search.find(question, [&](const query::Hit& hit) {
                CHECK(hit.game > last);
                last = hit.game;
                CHECK(std::is_sorted(hit.plies.begin(), hit.plies.end()));
                found[hit.game] = {hit.plies.begin(), hit.plies.end()};
                query::Hit again;
                CHECK(search.find_in(question, hit.game, again));
                CHECK(again.plies == hit.plies);
                return true;
            });
            CHECK(found == expected);
            std::uint64_t occurrences = 0;
            for (const auto& [id, plies] : expected) occurrences += plies.size();
            for (const bool verify : {false, true}) {
                const query::Count count = search.count(question, verify);
                CHECK(count.games == expected.size());
                CHECK(count.occurrences == occurrences);
            }
        };
        check(query::Match::kBoard, boards.at(board_of(epd)));
        std::map<store::GameId, std::set<std::uint32_t>> mirrored;
        for (const std::string& each : epds(epd + " 0 1", query::Match::kMirrored)) {
            const auto games = database.places().find(each);
            if (games == database.places().end()) continue;
            for (const auto& [id, plies] : games->second) {
                mirrored[id].insert(plies.begin(), plies.end());
            }
        }
        check(query::Match::kMirrored, mirrored);
    }
}

TEST_CASE("Mirrored matches are refused in variants whose sides do not mirror each other") {
    for (const chess::Variant variant : chess::known_variants()) {
        CAPTURE(chess::name_of(variant));
        const chess::AnyPosition start = chess::AnyPosition::start_of(variant);
        CHECK(query::matching_positions(start, query::Match::kExact).size() == 1);
        CHECK(query::reason_against(query::Match::kBoard, variant).empty());
        if (variant == chess::Variant::kHorde || variant == chess::Variant::kRacingKings) {
            CHECK_THROWS_AS(query::matching_positions(start, query::Match::kMirrored),
                            std::invalid_argument);
        } else {
            CHECK(query::matching_positions(start, query::Match::kMirrored).size() == 2);
        }
    }
}
