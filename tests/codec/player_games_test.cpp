#include "codec/player_games.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "chess/random_play.hpp"

namespace {

using namespace fendex;
using codec::PlayerGame;
using test::Random;

std::vector<PlayerGame> random_games(Random& random, std::size_t size, std::uint32_t players,
                                     std::uint32_t games) {
    std::vector<PlayerGame> out;
    while (out.size() < size) {
        const auto color = random() % 2 == 0 ? chess::Color::kWhite : chess::Color::kBlack;
        out.emplace_back(static_cast<std::uint32_t>(1 + random() % players),
                         static_cast<std::uint32_t>(random() % games), color);
    }
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

TEST_CASE("The games of players are read from the rows that they were written to") {
    Random random(3);
    for (const std::uint32_t players : {1U, 2U, 50U, 100'000U, UINT32_MAX - 1}) {
        for (const std::size_t size : {0U, 1U, 20'000U}) {
            CAPTURE(players, size);
            const std::vector<PlayerGame> games = random_games(random, size, players, 1U << 19);
            const auto rows = codec::encode_player_games(games);
            REQUIRE_FALSE(rows.empty());
            std::vector<PlayerGame> found;
            for (const codec::PlayerGameRow& row : rows) {
                CHECK(row.data.size() < 4000);
                const std::size_t before = found.size();
                const auto next = codec::decode_player_games(row.data, row.first_player, found);
                REQUIRE(next);
                const bool is_last = &row == &rows.back();
                CHECK(*next == (is_last ? 0 : (&row)[1].first_player));
                if (row.first_player != 0) CHECK(found[before].player() == row.first_player);
            }
            CHECK(found == games);
            for (std::size_t i = 1; i < rows.size(); ++i) {
                // The keys of the rows ascend.
                const auto& [player, part, data] = rows[i - 1];
                CHECK((player < rows[i].first_player ||
                       (player == rows[i].first_player && part + 1 == rows[i].part)));
            }
        }
    }
}

TEST_CASE("Damaged rows of players' games are refused, or are games of later players") {
    Random random(4);
    const auto rows = codec::encode_player_games(random_games(random, 2000, 300, 1U << 19));
    for (int i = 0; i < 3000; ++i) {
        std::string data = rows.front().data;
        data.resize(1 + random() % data.size());
        data[random() % data.size()] = static_cast<char>(random());
        std::vector<PlayerGame> found;
        if (!codec::decode_player_games(data, 7, found)) continue;
        CHECK(std::ranges::is_sorted(found, {}, &PlayerGame::player));
        if (!found.empty()) CHECK(found.front().player() >= 7);
    }
    std::vector<PlayerGame> none;
    CHECK_FALSE(codec::decode_player_games("\x80", 7, none));
}
