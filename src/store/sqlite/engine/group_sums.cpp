#include "store/sqlite/engine/group_sums.hpp"

#include <algorithm>
#include <array>

#include "codec/columns.hpp"
#include "store/game_chunks.hpp"
#include "store/sqlite/engine/fact_sums.hpp"

namespace fendex::store {

namespace {

/// The columns of a chunk are decoded only for at least this many of its games.
constexpr std::size_t kWorthDecoding = 100;

/// The facts of one chunk that are summed up.
class FactColumns {
  public:
    explicit FactColumns(LocalReader& reader) : reader_(reader) {}

    /// Prepares for adding `count` of the games from `first` to `last`.
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

    /// Adds games of the chunk, in ascending order.
    void add(std::span<const std::uint32_t> games, GroupSums& sums) const {
        codec::Tally tally;
        if (decoded_) {
            tally = add_decoded(games, sums);
        } else {
            for (const std::uint32_t game : games) {
                const codec::GameFacts facts = reader_.facts(game);
                tally.add_game(facts);
                sums.top.offer(game, codec::rank_by_rating(facts));
                sums.recent.offer(game, codec::rank_by_date(facts));
            }
        }
        tally.occurrences = games.size();
        sums.tally.add(tally);
    }

  private:
    using Column = std::array<std::uint32_t, codec::kGamesPerChunk>;

    codec::Tally add_decoded(std::span<const std::uint32_t> games, GroupSums& sums) const {
        FactSums facts(sums.top, sums.recent);
        for (const std::uint32_t game : games) {
            const std::size_t i = game - first_;
            facts.add(game, results_[i], white_elos_[i], black_elos_[i], dates_[i]);
        }
        return facts.tally();
    }

    LocalReader& reader_;
    GameId first_ = 0;
    bool decoded_ = false;
    Column results_;
    Column white_elos_;
    Column black_elos_;
    Column dates_;
};

}  // namespace

std::vector<GroupSums> sums_of_groups(LocalReader& reader,
                                      std::span<const std::vector<std::uint32_t>> groups,
                                      std::size_t named_games, base::StopCheck& stop) {
    const codec::NamedGames none(named_games);
    std::vector<GroupSums> sums(groups.size(), {{}, none, none});
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
            if (!pieces[i].empty()) columns.add(pieces[i], sums[i]);
        }
    }
}

}  // namespace fendex::store
