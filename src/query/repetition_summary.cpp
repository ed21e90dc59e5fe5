#include "query/repetition_summary.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "chess/fen.hpp"
#include "store/capability.hpp"
#include "store/engine.hpp"

namespace fendex::query {

namespace {

using Sums = store::Engine::RepetitionSums;

/// A repeated position, and the database of the first game with it.
struct Repeated {
    Sums::Position of;
    std::size_t database = 0;
};

/// Joins the sums of the databases.
class Summary {
  public:
    explicit Summary(std::span<const SummarySource> sources) {
        for (const SummarySource& each : sources) {
            analyses_.emplace_back(*each.reader, *each.matcher);
        }
    }

    void add(std::size_t database, Sums sums) {
        out_.games += sums.games;
        out_.twofold += sums.twofold;
        out_.threefold += sums.threefold;
        out_.fivefold += sums.fivefold;
        out_.draws += sums.draws;
        out_.draws_by_repetition += sums.draws_by_repetition;
        out_.fifty_moves += sums.fifty_moves;
        out_.seventy_five_moves += sums.seventy_five_moves;
        if (analyses_.size() == 1) {
            for (const Sums::Position& each : sums.positions) order_.push_back({each, 0});
        } else {
            for (const Sums::Position& each : sums.positions) {
                Repeated& known =
                    positions_.try_emplace(each.key, Repeated{each, database}).first->second;
                if (known.database != database) known.of.games += each.games;
            }
        }
        for (store::Repetition& each : sums.shuffles) {
            out_.shuffles.push_back({std::move(each), {}, database});
        }
    }

    RepetitionSummary finish(std::size_t top) {
        order_positions(top);
        std::ranges::stable_sort(
            out_.shuffles, [](const auto& a, const auto& b) { return a.length() > b.length(); });
        if (out_.shuffles.size() > top) out_.shuffles.resize(top);
        expect_games();
        for (const auto& [of, database] : order_) {
            out_.positions.push_back(
                {of.key, epd(database, of.game, of.ply), of.games, of.game, database});
        }
        for (RepetitionSummary::Shuffle& each : out_.shuffles) {
            each.epd = epd(each.database, each.repetition.game, each.repetition.plies.front());
        }
        return std::move(out_);
    }

  private:
    void order_positions(std::size_t top) {
        for (const auto& [key, repeated] : positions_) order_.push_back(repeated);
        const auto before = [](const Repeated& a, const Repeated& b) {
            return std::tuple(b.of.games, a.database, a.of.game, a.of.ply) <
                   std::tuple(a.of.games, b.database, b.of.game, b.of.ply);
        };
        const std::size_t n = std::min(top, order_.size());
        std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(n),
                          order_.end(), before);
        order_.resize(n);
    }

    /// The moves of the games to name are read in one call.
    void expect_games() {
        if (analyses_.size() != 1) return;
        std::vector<store::GameId> games;
        for (const Repeated& each : order_) games.push_back(each.of.game);
        for (const auto& each : out_.shuffles) games.push_back(each.repetition.game);
        std::ranges::sort(games);
        games.erase(std::unique(games.begin(), games.end()), games.end());
        analyses_[0].expect(games);
    }

    std::string epd(std::size_t database, store::GameId game, std::uint32_t ply) {
        return chess::to_epd(analyses_[database].position(game, ply));
    }

    std::deque<RepetitionAnalysis> analyses_;  // one for each database
    RepetitionSummary out_;
    std::unordered_map<std::uint64_t, Repeated> positions_;  // by key
    std::vector<Repeated> order_;                            // most games first
};

}  // namespace

RepetitionSummary summarize_repetitions(std::span<const SummarySource> sources,
                                        std::uint32_t min_count, std::size_t top,
                                        std::stop_token stop) {
    Summary summary(sources);
    const bool is_one = sources.size() == 1;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        store::StoreReader& reader = *sources[i].reader;
        // The first positions of all databases may be among the later ones of each.
        if (!is_one) require(reader, store::Capability::kJoinedSummary);
        summary.add(i, reader.engine().repetition_sums(sources[i].matcher->filter(), min_count,
                                                       {is_one ? top : SIZE_MAX, top}, stop));
    }
    return summary.finish(top);
}

}  // namespace fendex::query
