#include "query/player_report.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "codec/game_codes.hpp"
#include "query/column_scan.hpp"
#include "query/player_list.hpp"
#include "replay/opening_names.hpp"

namespace fendex::query {

/// One game from the player's side.
struct PlayerReporter::Game {
    bool white = false;
    codec::Result result = codec::Result::kUnknown;
    codec::Date date;
    std::uint32_t rating = 0;
    std::uint32_t opponent = 0;  // rating of the opponent
    std::uint32_t opening = 0;   // code of the opening
};

PlayerScore PlayerScore::of(codec::Result result, bool white) {
    using enum codec::Result;
    PlayerScore out{.games = 1};
    if (result == kDraw) out.draws = 1;
    if (result == kWhiteWins || result == kBlackWins) {
        ((result == kWhiteWins) == white ? out.wins : out.losses) = 1;
    }
    return out;
}

void PlayerScore::add(const PlayerScore& other) {
    games += other.games;
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
}

double PlayerScore::percent() const {
    if (decided() == 0) return 0;
    return 100 * (static_cast<double>(wins) + static_cast<double>(draws) / 2) /
           static_cast<double>(decided());
}

PlayerReporter::PlayerReporter(std::vector<std::string> names) : names_(std::move(names)) {}

void PlayerReporter::add(store::StoreReader& any_reader, GameMatcher& matcher,
                         std::stop_token stop) {
    using enum store::GameColumn;
    store::LocalReader& reader = require(any_reader, store::Capability::kPlayerScan);
    const PlayerCodes players(reader, names_);
    std::array<OpeningScores, 2> openings;
    ColumnScan scan(reader, matcher,
                    {kWhite, kBlack, kResult, kDate, kWhiteElo, kBlackElo, kOpening},
                    std::move(stop));
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            const auto value = [&](std::size_t column) { return scan.values(column)[place]; };
            const auto result = static_cast<codec::Result>(value(2));
            if (players.contain(value(0))) {
                add({true, result, value(3), value(4), value(5), value(6)}, openings);
            }
            if (players.contain(value(1))) {
                add({false, result, value(3), value(5), value(4), value(6)}, openings);
            }
        }
    }
    add_openings(reader, openings);
}

void PlayerReporter::add(const Game& game, std::array<OpeningScores, 2>& openings) {
    const PlayerScore score = PlayerScore::of(game.result, game.white);
    (game.white ? white_ : black_).add(score);
    years_[game.date.year()].add(score);
    opponents_[game.opponent - game.opponent % kRatingStep].add(score);
    openings[game.white ? 0 : 1][game.opening].add(score);
    if (game.rating == 0 || game.date.month() == 0) return;
    Month& last = months_[game.date.month_number()];
    ++last.games;
    if (game.date < last.date) return;
    last.date = game.date;
    last.rating = game.rating;
}

void PlayerReporter::add_openings(store::LocalReader& reader,
                                  const std::array<OpeningScores, 2>& openings) {
    const auto add = [&](std::uint32_t code, std::string_view text) {
        for (const std::size_t side : {0U, 1U}) {
            const auto found = openings[side].find(code);
            if (found != openings[side].end())
                openings_[side][std::string(text)].add(found->second);
        }
    };
    add(codec::kNoCode, {});
    reader.for_each_name(store::NameKind::kOpening, [&](std::int64_t id, std::string_view text) {
        add(codec::code_of_id(id), text);
    });
}

PlayerReport PlayerReporter::report() const {
    PlayerReport out;
    out.white = white_;
    out.black = black_;
    for (const auto& [year, score] : years_) out.years.push_back({year, score});
    for (const auto& [low, score] : opponents_) out.opponents.push_back({low, score});
    for (const auto& [month, last] : months_) {
        out.ratings.push_back({month, last.rating, last.games});
    }
    for (const std::size_t side : {0U, 1U}) {
        for (const auto& [text, score] : openings_[side]) {
            const replay::Opening opening = replay::opening_of_text(text);
            out.openings.push_back(
                {side == 0, std::string(opening.eco), std::string(opening.name), score});
        }
    }
    std::ranges::sort(out.openings,
                      [](const PlayerReport::Opening& a, const PlayerReport::Opening& b) {
                          return std::tie(b.white, b.score.games, a.eco, a.name) <
                                 std::tie(a.white, a.score.games, b.eco, b.name);
                      });
    return out;
}

}  // namespace fendex::query
