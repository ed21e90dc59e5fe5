// The questions that the servers answer (store/engine.hpp). Each takes one query, or a few. The
// servers return answers, not the rows from which they are computed.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "clickhouse/filter_sql.hpp"
#include "clickhouse/snapshot.hpp"
#include "store/engine.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// Gives a connection the stop token of a question as long as the object lives.
class StopScope {
  public:
    StopScope(Connection& connection, std::stop_token stop) : connection_(connection) {
        connection_.set_stop(std::move(stop));
    }
    ~StopScope() { connection_.set_stop({}); }
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

  private:
    Connection& connection_;
};

/// The engine of a reader. It sees the session's snapshot, and gets the sources that a filter names
/// from the reader. Reader and session must outlive it.
class ClusterEngine final : public store::Engine {
  public:
    using GameFilter = store::GameFilter;
    using GameOrder = store::GameOrder;
    using RankedGame = store::RankedGame;

    ClusterEngine(ReadSession& session, store::StoreReader& reader)
        : session_(session), reader_(reader) {}

    void prepare(const GameFilter& filter, std::stop_token stop) override;

    // Lists and counts of games: game_lists.cpp.
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
                                       const store::GameRange& games, std::size_t most,
                                       std::stop_token stop) override;
    std::vector<GameId> games_for_clock(const GameFilter& filter, std::uint32_t clock, GameId after,
                                        std::size_t most, std::stop_token stop) override;
    std::vector<Reached> reached(Targets targets, const GameFilter& filter, GameOrder order,
                                 std::optional<RankedGame> after, std::size_t most,
                                 std::stop_token stop) override;
    std::vector<GameId> in_variations(Targets targets, const GameFilter& filter, GameId after,
                                      std::size_t most, std::stop_token stop) override;

    // Players: players.cpp. Sums by opening, and over the games of some players: name_sums.cpp.
    std::unique_ptr<store::Players> players(const GameFilter& filter,
                                            std::stop_token stop) override;
    std::vector<OpeningTally> openings(const GameFilter& filter, std::stop_token stop) override;
    std::array<SideSums, 2> side_sums(std::span<const std::string> names, const GameFilter& filter,
                                      std::stop_token stop) override;
    std::vector<FactsOfGame> latest_games(std::span<const std::string> names, chess::Color color,
                                          const GameFilter& filter, std::size_t most,
                                          std::stop_token stop) override;

    // Numbers of games that reached positions, and their results by month: position_counts.cpp.
    std::vector<Counts> counts(std::span<const std::vector<Target>> questions,
                               const GameFilter& filter, std::stop_token stop) override;
    bool has_sums() const override;
    std::vector<Month> months(Targets targets, const GameFilter& filter,
                              std::stop_token stop) override;

    // The moves that were played from positions: position_tree.cpp.
    Tree tree(Targets targets, const GameFilter& filter, const TreeLists& lists,
              std::stop_token stop) override;

    // Games that were played before another one: earlier_games.cpp.
    std::optional<std::size_t> last_reached(std::span<const std::uint64_t> keys,
                                            const Earlier& earlier, std::stop_token stop) override;
    Tree earlier_tree(std::uint64_t key, const Earlier& earlier, std::stop_token stop) override;
    std::vector<GameId> earlier_ends(std::uint64_t key, std::uint32_t plies, const Earlier& earlier,
                                     std::stop_token stop) override;

    // Repeated positions, and runs without capture and pawn move: repetition_answers.cpp.
    std::vector<RepetitionOfGame> repetitions(const RepetitionQuestion& question, GameId from,
                                              std::size_t most, std::stop_token stop) override;
    std::vector<QuietRunOfGame> quiet_runs(const QuietRunQuestion& question, GameId from,
                                           std::size_t most, std::stop_token stop) override;
    RepetitionSums repetition_sums(const GameFilter& filter, std::uint32_t min_count,
                                   const RepetitionLists& most, std::stop_token stop) override;

  private:
    /// A question that is being answered.
    struct Asked {
        StopScope scope;
        FilterSql filter;
    };

    Asked ask(const GameFilter& filter, std::stop_token stop) {
        return {StopScope(session_.connection(), std::move(stop)),
                filter_sql(session_, reader_, filter)};
    }

    Asked ask(const GameFilter& filter, std::span<const std::string> names, chess::Color color,
              std::stop_token stop) {
        return {StopScope(session_.connection(), std::move(stop)),
                filter_sql(session_, reader_, filter,
                           {names_joined_with(session_, store::NameKind::kPlayer, names), color})};
    }

    ReadSession& session_;
    store::StoreReader& reader_;
};

}  // namespace fendex::clickhouse
