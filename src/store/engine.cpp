#include "store/engine.hpp"

#include <algorithm>
#include <utility>

#include "codec/named_games.hpp"

namespace fendex::store {

namespace {

/// The number of games in a page. The first page is shorter, so that the first game comes soon.
constexpr std::size_t kFirstGamesListed = 64;
constexpr std::size_t kMostGamesListed = 32 * 1024;
/// The number of rows in a page.
constexpr std::size_t kFirstRowsListed = 64;
constexpr std::size_t kMostRowsListed = 4096;

class ReachedPages final : public Engine::ReachedGames {
  public:
    ReachedPages(Engine& engine, Engine::Targets targets, const GameFilter& filter, GameId after,
                 std::stop_token stop)
        : engine_(engine),
          targets_(targets.begin(), targets.end()),
          filter_(filter),
          after_(after),
          stop_(std::move(stop)) {}

    bool next(Engine::Reached& out) override {
        if (next_ == listed_.size()) {
            if (is_last_) return false;
            listed_ = engine_.reached(targets_, filter_, GameOrder::kId, RankedGame{0, after_},
                                      most_, stop_);
            next_ = 0;
            is_last_ = listed_.size() < most_;
            most_ = std::min(8 * most_, kMostGamesListed);
            if (listed_.empty()) return false;
            after_ = listed_.back().game.game;
        }
        out = std::move(listed_[next_++]);
        return true;
    }

  private:
    Engine& engine_;
    std::vector<Engine::Target> targets_;
    GameFilter filter_;
    GameId after_;
    std::stop_token stop_;
    std::vector<Engine::Reached> listed_;
    std::size_t next_ = 0;
    std::size_t most_ = kFirstGamesListed;
    bool is_last_ = false;
};

GameId game_of(const Engine::RepetitionOfGame& row) { return row.repetition.game; }
GameId game_of(const Engine::QuietRunOfGame& row) { return row.run.game; }

/// Calls visit() with the pages that read(from, most) returns, until it returns false.
template <typename Read, typename Visit>
void for_each_page(GameId from, Read read, const Visit& visit) {
    for (std::size_t most = kFirstRowsListed;; most = std::min(4 * most, kMostRowsListed)) {
        const auto rows = read(from, most);
        if (rows.empty() || !visit(rows)) return;
        from = game_of(rows.back()) + 1;
    }
}

}  // namespace

std::uint32_t rank_of(GameOrder order, const codec::GameFacts& facts) {
    switch (order) {
        case GameOrder::kDate: return facts.date.number();
        case GameOrder::kElo: return static_cast<std::uint32_t>(codec::rank_by_rating(facts));
        case GameOrder::kPlies: return facts.plies;
        case GameOrder::kId: break;
    }
    return 0;
}

std::unique_ptr<Engine::ReachedGames> Engine::find(Targets targets, const GameFilter& filter,
                                                   GameId after, std::stop_token stop) {
    return std::make_unique<ReachedPages>(*this, targets, filter, after, std::move(stop));
}

void Engine::for_each_repetition(
    const RepetitionQuestion& question, GameId from,
    const std::function<bool(std::span<const RepetitionOfGame>)>& visit, std::stop_token stop) {
    const auto read = [&](GameId first, std::size_t most) {
        return repetitions(question, first, most, stop);
    };
    for_each_page(from, read, visit);
}

void Engine::for_each_quiet_run(const QuietRunQuestion& question, GameId from,
                                const std::function<bool(std::span<const QuietRunOfGame>)>& visit,
                                std::stop_token stop) {
    const auto read = [&](GameId first, std::size_t most) {
        return quiet_runs(question, first, most, stop);
    };
    for_each_page(from, read, visit);
}

}  // namespace fendex::store
