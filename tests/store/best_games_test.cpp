// Compares choices from sorted lists with a choice among all their games.
#include "store/best_games.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

namespace {

using namespace fendex;
using codec::kNamedGames;
using store::GameId;

chess::Move move_of(unsigned number) {
    return chess::Move::from_bits(static_cast<std::uint16_t>(number));
}

using Random = std::mt19937;

unsigned below(Random& random, unsigned end) { return static_cast<unsigned>(random() % end); }

/// Lists as the summaries of segments have them: the best games of each, sorted.
struct Lists {
    Lists(Random& random, unsigned ranks) {
        const unsigned segments = 1 + below(random, 12);
        for (unsigned segment = 0; segment < segments; ++segment) {
            std::map<unsigned, codec::NamedGames> by_move;
            for (unsigned i = below(random, 40); i-- > 0;) {
                const GameId game = 100 * segment + below(random, 30);
                const auto known = rank.try_emplace(game, below(random, ranks)).first;
                // A game that returned played several moves.
                codec::NamedGames& best = by_move[below(random, 5)];
                if (std::none_of(best.entries().begin(), best.entries().end(),
                                 [&](const auto& entry) { return entry.game == game; })) {
                    best.offer(game, known->second);
                }
            }
            for (const auto& [move, best] : by_move) {
                lists.emplace_back(move, best);
                std::vector<GameId>& ids = games.emplace_back();
                for (const auto& entry : best.entries()) ids.push_back(entry.game);
            }
        }
    }

    std::map<GameId, std::uint64_t> rank;
    std::vector<std::pair<unsigned, codec::NamedGames>> lists;
    std::vector<std::vector<GameId>> games;  // of the lists
};

}  // namespace

TEST_CASE("The best games of sorted lists are the best of all their games") {
    Random random(41);
    for (unsigned round = 0; round < 300; ++round) {
        CAPTURE(round);
        const Lists lists(random, round % 2 == 0 ? 5 : 1000);
        std::map<GameId, unsigned> first_moves;
        codec::NamedGames expected;
        store::BestGames best;
        for (std::size_t i = 0; i < lists.lists.size(); ++i) {
            const auto& [move, ranked] = lists.lists[i];
            for (const auto& entry : ranked.entries()) {
                const auto [known, is_new] = first_moves.try_emplace(entry.game, move);
                known->second = std::min(known->second, move);
                if (is_new) expected.offer(entry.game, entry.rank);
            }
            switch (below(random, 3)) {
                case 0: best.add(move_of(move), ranked.entries()); break;
                case 1:
                    best.add(move_of(move), lists.games[i], ranked.entries().front().rank);
                    break;
                default: best.add(move_of(move), lists.games[i], 1'000'000);
            }
        }
        const auto chosen =
            best.choose(kNamedGames, [&](GameId game) { return lists.rank.at(game); });
        REQUIRE(chosen.size() == expected.entries().size());
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            CHECK(chosen[i].game == expected.entries()[i].game);
            CHECK(chosen[i].move == move_of(first_moves.at(chosen[i].game)));
        }
    }
}

TEST_CASE("Only the first game of each list is ranked, and fewer if lists have a bound") {
    std::vector<std::vector<GameId>> lists;
    for (GameId first = 1; first <= 100; ++first) {
        lists.push_back({first, 1000 + first, 2000 + first, 3000 + first});
    }
    const auto rank = [](GameId game) { return 10'000 - game; };
    const auto asked_for = [&](bool bounded) {
        store::BestGames best;
        for (const auto& games : lists) {
            best.add(move_of(1), games, bounded ? rank(games.front()) : 1'000'000);
        }
        std::size_t asked = 0;
        const auto chosen = best.choose(kNamedGames, [&](GameId game) {
            ++asked;
            return rank(game);
        });
        REQUIRE(chosen.size() == kNamedGames);
        for (GameId game = 1; game <= kNamedGames; ++game) CHECK(chosen[game - 1].game == game);
        return asked;
    };
    // When a game is chosen, the next of its list may be as good.
    CHECK(asked_for(false) == lists.size() + kNamedGames - 1);
    CHECK(asked_for(true) == 2 * kNamedGames - 1);
}

TEST_CASE("Empty lists have no best games") {
    store::BestGames best;
    best.add(move_of(1), {}, 1);
    best.add(move_of(1), std::vector<codec::NamedGames::Entry>());
    CHECK(best.choose(kNamedGames, [](GameId) { return 1; }).empty());
}
