#include "store/sqlite/engine/ranked_games.hpp"

#include <algorithm>
#include <array>

#include "store/game_chunks.hpp"

namespace fendex::store {

namespace {

/// A RankedGame in half the memory.
struct RankedNumber {
    std::uint32_t rank = 0;
    std::uint32_t game = 0;

    bool operator<(const RankedNumber& other) const {
        return rank != other.rank ? rank > other.rank : game < other.game;
    }
};

/// Reads the ranks of games. If many games of a chunk are wanted, whole columns are decoded.
class Ranks {
  public:
    Ranks(LocalReader& reader, GameOrder order) : reader_(reader), order_(order) {}

    /// Calls visit(game, rank) for games, which ascend and are of one chunk.
    template <typename Visit>
    void for_each(std::span<const std::uint32_t> games, Visit visit) {
        constexpr std::size_t kWorthColumns = 256;
        if (games.size() < kWorthColumns) {
            for (const std::uint32_t game : games) {
                read(game, 1);
                visit(game, rank(0));
            }
            return;
        }
        const std::uint32_t first = games.front();
        read(first, games.back() - first + 1);
        for (const std::uint32_t game : games) visit(game, rank(game - first));
    }

  private:
    void read(GameId first, std::size_t games) {
        const auto column = [&](GameColumn which, std::size_t n) {
            reader_.column(which, first, std::span(values_[n]).first(games));
        };
        switch (order_) {
            case GameOrder::kDate: return column(GameColumn::kDate, 0);
            case GameOrder::kPlies: return column(GameColumn::kPlies, 0);
            case GameOrder::kElo:
                column(GameColumn::kWhiteElo, 0);
                return column(GameColumn::kBlackElo, 1);
            case GameOrder::kId: break;
        }
    }
    std::uint32_t rank(std::size_t i) const {
        switch (order_) {
            case GameOrder::kElo: return values_[0][i] + values_[1][i];
            case GameOrder::kId: return 0;
            default: return values_[0][i];
        }
    }

    LocalReader& reader_;
    GameOrder order_;
    std::array<std::array<std::uint32_t, codec::kGamesPerChunk>, 2> values_;
};

}  // namespace

std::vector<RankedGame> ranks_of_games(LocalReader& reader, GameOrder order,
                                       std::span<const std::uint32_t> games,
                                       base::StopCheck& stop) {
    std::vector<RankedGame> out;
    out.reserve(games.size());
    Ranks ranks(reader, order);
    while (!games.empty()) {
        stop();
        ranks.for_each(take_games_before(end_of_chunk(games.front()), games),
                       [&](std::uint32_t game, std::uint32_t rank) {
                           out.push_back({rank, game});
                       });
    }
    return out;
}

std::vector<RankedGame> first_games(LocalReader& reader, GameOrder order,
                                    std::span<const std::uint32_t> games,
                                    const std::optional<RankedGame>& after, std::size_t most,
                                    base::StopCheck& stop) {
    if (most == 0) return {};
    Ranks ranks(reader, order);
    std::vector<RankedNumber> ranked;
    // Games that cannot be among the first are left out as soon as their ranks are known. Of equal
    // ranks the earlier game comes first.
    std::optional<std::uint32_t> bar;
    const auto keep_first = [&] {
        if (ranked.size() <= most) return;
        const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(ranked.begin(), end - 1, ranked.end());
        ranked.erase(end, ranked.end());
        bar = ranked.back().rank;
    };
    while (!games.empty()) {
        stop();
        ranks.for_each(take_games_before(end_of_chunk(games.front()), games),
                       [&](std::uint32_t game, std::uint32_t rank) {
                           if (bar && rank <= *bar) return;
                           if (after && !(*after < RankedGame{rank, game})) return;
                           ranked.push_back({rank, game});
                       });
        if (ranked.size() / 2 >= most) keep_first();
    }
    keep_first();
    std::sort(ranked.begin(), ranked.end());
    std::vector<RankedGame> out;
    out.reserve(ranked.size());
    for (const auto& [rank, game] : ranked) out.push_back({rank, game});
    return out;
}

}  // namespace fendex::store
