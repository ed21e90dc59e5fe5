#include "clickhouse/engine.hpp"

#include "clickhouse/filter_sql.hpp"
#include "clickhouse/game_lists.hpp"
#include "clickhouse/position_counts.hpp"
#include "clickhouse/position_tree.hpp"
#include "clickhouse/repetition_answers.hpp"
#include "store/named_sources.hpp"

namespace fendex::clickhouse {

namespace {

using store::GameFilter;
using store::GameOrder;
using store::RankedGame;

/// Gives the connection the stop token of a question as long as the object lives.
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

class ClusterEngine final : public store::Engine {
  public:
    ClusterEngine(ReadSession& session, store::StoreReader& reader)
        : session_(session), reader_(reader) {}

    void prepare(const GameFilter& filter, std::stop_token /*stop*/) override {
        if (!filter.source.empty()) static_cast<void>(store::sources_named(reader_, filter.source));
    }
    std::uint64_t count_games(const GameFilter& filter, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return clickhouse::count_games(session_, sql(filter));
    }
    std::vector<std::uint64_t> count_by_variant(std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return clickhouse::count_by_variant(session_, sql({}));
    }
    std::vector<RankedGame> games(const GameFilter& filter, GameOrder order,
                                  std::optional<RankedGame> after, std::size_t most,
                                  std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return list_games(session_, sql(filter), order, after, most);
    }
    std::vector<RankedGame> ranks(const GameFilter& filter, GameOrder order,
                                  std::span<const GameId> games, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return rank_games(session_, sql(filter), order, games);
    }
    std::vector<GameId> games_at_site(std::string_view part, std::size_t most,
                                      std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return clickhouse::games_at_site(session_, sql({}), part, most);
    }
    std::vector<GameId> possible_games(const GameFilter& filter,
                                       std::span<const codec::SignatureCondition> any_of,
                                       const store::GameRange& games, std::size_t most,
                                       std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return clickhouse::possible_games(session_, sql(filter), any_of, games, most);
    }

    std::vector<GameId> games_for_clock(const GameFilter& filter, std::uint32_t clock, GameId after,
                                        std::size_t most, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return clickhouse::games_for_clock(session_, sql(filter), clock, after, most);
    }

    std::vector<Reached> reached(Targets targets, const GameFilter& filter, GameOrder order,
                                 std::optional<RankedGame> after, std::size_t most,
                                 std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return games_that_reached(session_, sql(filter), targets, order, after, most);
    }
    std::vector<GameId> in_variations(Targets targets, const GameFilter& filter, GameId after,
                                      std::size_t most, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return games_with_variations(session_, sql(filter), targets, after, most);
    }
    std::vector<Counts> counts(std::span<const std::vector<Target>> questions,
                               const GameFilter& filter, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return position_counts(session_, sql(filter), questions);
    }
    Tree tree(Targets targets, const GameFilter& filter, const TreeLists& lists,
              std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return position_tree(session_, sql(filter), targets, lists);
    }
    std::vector<Month> months(Targets targets, const GameFilter& filter,
                              std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return position_months(session_, sql(filter), targets);
    }

    std::vector<RepetitionOfGame> repetitions(const RepetitionQuestion& question, GameId from,
                                              std::size_t most, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return list_repetitions(session_, sql(question.filter), question, from, most);
    }
    std::vector<QuietRunOfGame> quiet_runs(const QuietRunQuestion& question, GameId from,
                                           std::size_t most, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return list_quiet_runs(session_, sql(question.filter), question, from, most);
    }
    RepetitionSums repetition_sums(const GameFilter& filter, std::uint32_t min_count,
                                   const RepetitionLists& most, std::stop_token stop) override {
        const StopScope scope(session_.connection(), std::move(stop));
        return clickhouse::repetition_sums(session_, sql(filter), min_count, most);
    }

  private:
    FilterSql sql(const GameFilter& filter) { return filter_sql(session_, reader_, filter); }

    ReadSession& session_;
    store::StoreReader& reader_;
};

}  // namespace

std::unique_ptr<store::Engine> make_engine(ReadSession& session, store::StoreReader& reader) {
    return std::make_unique<ClusterEngine>(session, reader);
}

}  // namespace fendex::clickhouse
