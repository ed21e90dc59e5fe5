#include "query/group_sums.hpp"

#include <algorithm>
#include <array>

#include "codec/columns.hpp"
#include "query/game_set.hpp"

namespace fendex::query {

namespace {

using store::GameColumn;
using store::GameId;

/// For fewer games of a chunk it is not worth decoding its columns.
constexpr std::size_t kWorthDecoding = 100;

/// The facts of a chunk that sums need.
class FactColumns {
  public:
    explicit FactColumns(store::StoreReader& reader) : reader_(reader) {}

    /// Prepares for `count` of the games from `first` to `last`.
    void begin(GameId first, GameId last, std::size_t count) {
        first_ = first;
        decoded_ = count >= kWorthDecoding;
        if (!decoded_) return;
        const std::size_t games = last - first + 1;
        reader_.column(GameColumn::kResult, first, std::span(results_).first(games));
        reader_.column(GameColumn::kWhiteElo, first, std::span(white_elos_).first(games));
        reader_.column(GameColumn::kBlackElo, first, std::span(black_elos_).first(games));
        reader_.column(GameColumn::kDate, first, std::span(dates_).first(games));
    }
    codec::GameFacts of(GameId game) const {
        if (!decoded_) return reader_.facts(game);
        const std::size_t i = game - first_;
        codec::GameFacts facts;
        facts.result = static_cast<codec::Result>(results_[i]);
        facts.white_elo = static_cast<std::uint16_t>(white_elos_[i]);
        facts.black_elo = static_cast<std::uint16_t>(black_elos_[i]);
        facts.date = dates_[i];
        return facts;
    }

  private:
    using Column = std::array<std::uint32_t, codec::kGamesPerChunk>;

    store::StoreReader& reader_;
    GameId first_ = 0;
    bool decoded_ = false;
    Column results_;
    Column white_elos_;
    Column black_elos_;
    Column dates_;
};

void add_games(std::span<const std::uint32_t> games, const FactColumns& columns, GroupSums& sums) {
    // A local sum, which the compiler can keep in registers.
    codec::Tally tally;
    for (const std::uint32_t game : games) {
        const codec::GameFacts facts = columns.of(game);
        tally.add_game(facts);
        sums.top.offer(game, codec::rank_by_rating(facts));
        sums.recent.offer(game, codec::rank_by_date(facts));
    }
    tally.occurrences = games.size();
    sums.tally.add(tally);
}

}  // namespace

std::vector<GroupSums> sums_of_groups(store::StoreReader& reader,
                                      std::span<const std::vector<std::uint32_t>> groups,
                                      base::StopCheck& stop) {
    std::vector<GroupSums> sums(groups.size());
    std::vector<std::span<const std::uint32_t>> rest(groups.begin(), groups.end());
    std::vector<std::span<const std::uint32_t>> pieces(groups.size());
    FactColumns columns(reader);
    while (true) {
        stop();
        std::uint64_t first = UINT64_MAX;
        for (const auto& games : rest) {
            if (!games.empty()) first = std::min<std::uint64_t>(first, games.front());
        }
        if (first == UINT64_MAX) return sums;
        const GameId end = end_of_chunk(first);
        GameId last = first;
        std::size_t count = 0;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            pieces[i] = take_games_before(end, rest[i]);
            count += pieces[i].size();
            if (!pieces[i].empty()) last = std::max<GameId>(last, pieces[i].back());
        }
        columns.begin(first, last, count);
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (!pieces[i].empty()) add_games(pieces[i], columns, sums[i]);
        }
    }
}

}  // namespace fendex::query
