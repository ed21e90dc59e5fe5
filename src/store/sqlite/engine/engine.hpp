// The engine (store/engine.hpp) of a database on this machine: one class, whose functions are in a
// file for each subject. It answers from the index and from columns of facts and names. Filters
// become sets of games, which are kept in the snapshot cache.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_check.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fitting_games.hpp"

namespace fendex::store {

class LocalEngine final : public Engine {
  public:
    /// The reader must outlive the engine.
    explicit LocalEngine(LocalReader& reader) : reader_(reader) {}

    // Games (engine.cpp).
    void prepare(const GameFilter& filter, std::stop_token stop) override;
    std::uint64_t count_games(const GameFilter& filter, std::stop_token stop) override;
    std::vector<std::uint64_t> count_by_variant(std::stop_token stop) override;
    std::vector<RankedGame> games(const GameFilter& filter, GameOrder order,
                                  std::optional<RankedGame> after, std::size_t most,
                                  std::stop_token stop) override;
    std::vector<RankedGame> ranks(const GameFilter& filter, GameOrder order,
                                  std::span<const GameId> games, std::stop_token stop) override;
    std::vector<GameId> games_at_site(std::string_view part, std::size_t most,
                                      std::stop_token stop) override;
    std::vector<GameId> possible_games(const GameFilter& filter,
                                       std::span<const codec::SignatureCondition> any_of,
                                       const GameRange& games, std::size_t most,
                                       std::stop_token stop) override;
    std::vector<GameId> games_for_clock(const GameFilter& filter, std::uint32_t clock, GameId after,
                                        std::size_t most, std::stop_token stop) override;

    // Players (players.cpp), and sums by opening and of some players (name_sums.cpp).
    std::unique_ptr<Players> players(const GameFilter& filter, std::stop_token stop) override;
    std::vector<OpeningTally> openings(const GameFilter& filter, std::stop_token stop) override;
    std::array<SideSums, 2> side_sums(std::span<const std::string> names, const GameFilter& filter,
                                      std::stop_token stop) override;
    std::vector<FactsOfGame> latest_games(std::span<const std::string> names, chess::Color color,
                                          const GameFilter& filter, std::size_t most,
                                          std::stop_token stop) override;

    // Games that reached a position (reached_games.cpp).
    std::vector<Reached> reached(Targets targets, const GameFilter& filter, GameOrder order,
                                 std::optional<RankedGame> after, std::size_t most,
                                 std::stop_token stop) override;
    std::unique_ptr<ReachedGames> find(Targets targets, const GameFilter& filter, GameId after,
                                       std::stop_token stop) override;
    std::vector<GameId> in_variations(Targets targets, const GameFilter& filter, GameId after,
                                      std::size_t most, std::stop_token stop) override;

    // Sums over these games (position_counts.cpp, position_tree.cpp).
    std::vector<Counts> counts(std::span<const std::vector<Target>> questions,
                               const GameFilter& filter, std::stop_token stop) override;
    std::vector<Month> months(Targets targets, const GameFilter& filter,
                              std::stop_token stop) override;
    Tree tree(Targets targets, const GameFilter& filter, const TreeLists& lists,
              std::stop_token stop) override;

    // Games that were played before another one (earlier_games.cpp).
    std::optional<std::size_t> last_reached(std::span<const std::uint64_t> keys,
                                            const Earlier& earlier, std::stop_token stop) override;
    Tree earlier_tree(std::uint64_t key, const Earlier& earlier, std::stop_token stop) override;
    std::vector<GameId> earlier_ends(std::uint64_t key, std::uint32_t plies, const Earlier& earlier,
                                     std::stop_token stop) override;

    // Repeated positions and long runs of the halfmove clock (repetition_sums.cpp).
    std::vector<RepetitionOfGame> repetitions(const RepetitionQuestion& question, GameId from,
                                              std::size_t most, std::stop_token stop) override;
    void for_each_repetition(const RepetitionQuestion& question, GameId from,
                             const std::function<bool(std::span<const RepetitionOfGame>)>& visit,
                             std::stop_token stop) override;
    std::vector<QuietRunOfGame> quiet_runs(const QuietRunQuestion& question, GameId from,
                                           std::size_t most, std::stop_token stop) override;
    void for_each_quiet_run(const QuietRunQuestion& question, GameId from,
                            const std::function<bool(std::span<const QuietRunOfGame>)>& visit,
                            std::stop_token stop) override;
    RepetitionSums repetition_sums(const GameFilter& filter, std::uint32_t min_count,
                                   const RepetitionLists& most, std::stop_token stop) override;

  private:
    /// Sets `was_scanned` if many games may have been looked at that do not fit.
    Tree new_tree(Targets targets, FittingGames& fitting, const TreeLists& lists, bool& was_scanned,
                  base::StopCheck& check);
    std::shared_ptr<FittingGames> fitting(const GameFilter& filter, base::StopCheck& stop);

    LocalReader& reader_;
    std::list<std::shared_ptr<FittingGames>> prepared_;  // used last first
};

}  // namespace fendex::store
