// Sums over all games by their openings, and over the games of some players: scans of columns, some
// ten nanoseconds a game.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "chess/variant_rules.hpp"
#include "codec/game_codes.hpp"
#include "store/column_scan.hpp"
#include "store/games_of_players.hpp"
#include "store/named_codes.hpp"
#include "store/sqlite/engine/engine.hpp"

namespace fendex::store {

namespace {

/// The codes of some players.
class PlayerCodes {
  public:
    PlayerCodes(LocalReader& reader, std::span<const std::string> names)
        : codes_(codes_named(reader, NameKind::kPlayer, names)) {
        if (!codes_.empty()) is_code_.resize(codes_.back() + std::size_t{1});
        for (const std::uint32_t code : codes_) is_code_[code] = true;
    }
    [[nodiscard]] std::span<const std::uint32_t> codes() const { return codes_; }
    [[nodiscard]] bool contain(std::uint32_t code) const {
        return code < is_code_.size() && is_code_[code];
    }

  private:
    std::vector<std::uint32_t> codes_;  // ascending
    std::vector<bool> is_code_;
};

/// Adds up the games in which players have one colour.
class SideSumming {
  public:
    struct Game {
        GameId id = 0;
        codec::Result result = codec::Result::kUnknown;
        codec::Date date;
        std::uint32_t rating = 0;
        std::uint32_t opponent = 0;  // rating of the opponent
        std::uint32_t opening = 0;   // code of the opening
    };

    /// Games must come in the order of ids.
    void add(const Game& game) {
        const std::uint32_t opponents = game.opponent - game.opponent % Engine::kRatingStep;
        ++scores_[{game.date.year(), opponents}][game.result];
        ++openings_[game.opening][game.result];
        if (game.rating == 0 || game.date.month() == 0) return;
        Engine::SideSums::Month& last = months_[game.date.month_number()];
        ++last.games;
        if (game.date < last.date) return;
        last.date = game.date;
        last.game = game.id;
        last.rating = game.rating;
    }

    Engine::SideSums sums(LocalReader& reader) {
        Engine::SideSums out;
        for (const auto& [of, results] : scores_) {
            out.scores.push_back({of.first, of.second, results});
        }
        for (auto& [month, last] : months_) {
            last.month = month;
            out.months.push_back(last);
        }
        const auto add = [&](std::uint32_t code, std::string_view text) {
            const auto found = openings_.find(code);
            if (found != openings_.end()) {
                out.openings.push_back({std::string(text), found->second});
            }
        };
        add(codec::kNoCode, {});
        reader.for_each_name(NameKind::kOpening, [&](std::int64_t id, std::string_view text) {
            add(codec::code_of_id(id), text);
        });
        return out;
    }

  private:
    std::map<std::pair<std::uint32_t, std::uint32_t>, codec::ResultCounts> scores_;
    std::unordered_map<std::uint32_t, codec::ResultCounts> openings_;  // by code
    std::map<std::uint32_t, Engine::SideSums::Month> months_;
};

}  // namespace

std::vector<Engine::OpeningTally> LocalEngine::openings(const GameFilter& filter,
                                                        std::stop_token stop) {
    using enum GameColumn;
    std::vector<OpeningTally> by_code(1);
    reader_.for_each_name(NameKind::kOpening, [&](std::int64_t id, std::string_view text) {
        const std::uint32_t code = codec::code_of_id(id);
        if (code >= by_code.size()) by_code.resize(code + std::size_t{1});
        by_code[code].opening = text;
    });
    ColumnScan scan(reader_, filter, {kOpening, kResult, kDate, kWhiteElo, kBlackElo},
                    std::move(stop));
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            const std::uint32_t code = scan.values(0)[place];
            // A deleted game: there is no opening and no game with this number.
            if (code == codec::kNoCode && !reader_.has_game(scan.first() + place)) continue;
            codec::GameFacts facts;
            facts.result = static_cast<codec::Result>(scan.values(1)[place]);
            facts.date = scan.values(2)[place];
            facts.white_elo = static_cast<std::uint16_t>(scan.values(3)[place]);
            facts.black_elo = static_cast<std::uint16_t>(scan.values(4)[place]);
            codec::Tally& tally = by_code[code < by_code.size() ? code : 0].tally;
            ++tally.occurrences;
            tally.add_game(facts);
        }
    }
    std::erase_if(by_code, [](const OpeningTally& each) { return each.tally.games == 0; });
    return by_code;
}

std::array<Engine::SideSums, 2> LocalEngine::side_sums(std::span<const std::string> names,
                                                       const GameFilter& filter,
                                                       std::stop_token stop) {
    using enum GameColumn;
    const PlayerCodes players(reader_, names);
    std::array<SideSumming, 2> sides;
    SideSumming& white = sides[chess::index(chess::Color::kWhite)];
    SideSumming& black = sides[chess::index(chess::Color::kBlack)];
    ColumnScan scan =
        scan_games_of(reader_, players.codes(), filter,
                      {kWhite, kBlack, kResult, kDate, kWhiteElo, kBlackElo, kOpening}, stop);
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            const auto value = [&](std::size_t column) { return scan.values(column)[place]; };
            const GameId id = scan.first() + place;
            const auto result = static_cast<codec::Result>(value(2));
            if (players.contain(value(0))) {
                white.add({id, result, value(3), value(4), value(5), value(6)});
            }
            if (players.contain(value(1))) {
                black.add({id, result, value(3), value(5), value(4), value(6)});
            }
        }
    }
    return {sides[0].sums(reader_), sides[1].sums(reader_)};
}

std::vector<Engine::FactsOfGame> LocalEngine::latest_games(std::span<const std::string> names,
                                                           chess::Color color,
                                                           const GameFilter& filter,
                                                           std::size_t most, std::stop_token stop) {
    const PlayerCodes players(reader_, names);
    std::vector<FactsOfGame> out;
    ColumnScan scan = scan_games_of(reader_, players.codes(), filter, {column_of(color)}, stop);
    while (scan.next()) {
        for (const std::uint32_t place : scan.places()) {
            if (!players.contain(scan.values(0)[place])) continue;
            const GameId id = scan.first() + place;
            const codec::GameFacts facts = reader_.facts(id);
            if (chess::has_standard_rules(facts.variant)) out.push_back({id, facts});
        }
    }
    if (out.size() <= most) return out;
    const auto cut = out.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(out.begin(), cut, out.end(), [](const FactsOfGame& a, const FactsOfGame& b) {
        return a.facts.date != b.facts.date ? a.facts.date > b.facts.date : a.game < b.game;
    });
    out.erase(cut, out.end());
    std::ranges::sort(out, {}, &FactsOfGame::game);
    return out;
}

}  // namespace fendex::store
