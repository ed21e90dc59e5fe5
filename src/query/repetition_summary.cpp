#include "query/repetition_summary.hpp"

#include <algorithm>
#include <deque>
#include <tuple>
#include <unordered_map>

#include "base/stop_check.hpp"
#include "chess/fen.hpp"

namespace fendex::query {

namespace {

struct Repeated {
    std::uint64_t games = 0;
    std::size_t database = 0;  // database of the first such game
    store::GameId game = 0;
    std::uint32_t ply = 0;
};

class Summary {
  public:
    Summary(std::span<const SummarySource> sources, std::uint32_t min_count, std::size_t top,
            std::stop_token stop)
        : sources_(sources),
          min_count_(min_count),
          top_(top),
          token_(std::move(stop)),
          stop_(token_) {
        for (const SummarySource& each : sources) {
            analyses_.emplace_back(*each.reader, *each.matcher);
        }
    }

    RepetitionSummary run() {
        if (sources_.size() == 1) {
            if (store::Engine* const engine = sources_[0].reader->engine()) {
                add_sums(*engine);
                name_shuffles();
                return std::move(out_);
            }
        }
        for (database_ = 0; database_ < sources_.size(); ++database_) add_database();
        name_positions();
        name_shuffles();
        return std::move(out_);
    }

  private:
    store::StoreReader& reader() { return *sources_[database_].reader; }
    bool fits(store::GameId game) { return (*sources_[database_].matcher)(game); }

    void add_sums(store::Engine& engine) {
        auto sums = engine.repetition_sums(sources_[0].matcher->filter(), min_count_, top_, token_);
        out_.games = sums.games;
        out_.twofold = sums.twofold;
        out_.threefold = sums.threefold;
        out_.fivefold = sums.fivefold;
        out_.draws = sums.draws;
        out_.draws_by_repetition = sums.draws_by_repetition;
        out_.fifty_moves = sums.fifty_moves;
        out_.seventy_five_moves = sums.seventy_five_moves;
        std::vector<store::GameId> games;
        for (const auto& each : sums.positions) games.push_back(each.game);
        for (const auto& each : sums.shuffles) games.push_back(each.game);
        std::sort(games.begin(), games.end());
        games.erase(std::unique(games.begin(), games.end()), games.end());
        analyses_[0].expect(games);
        for (const auto& each : sums.positions) {
            out_.positions.push_back(
                {each.key, epd(0, each.game, each.ply), each.games, each.game, 0});
        }
        for (store::Repetition& each : sums.shuffles) {
            out_.shuffles.push_back({std::move(each), {}, 0});
        }
    }

    void add_database() {
        if (reader().engine() != nullptr) {
            store::throw_unsupported("repeats --summary over several databases");
        }
        game_ = 0;
        count_games();
        reader().for_each_repetition(1, 2, [&](const store::Repetition& each) {
            stop_();
            if (each.game != game_) begin_game(each.game);
            if (fits_) add(each);
            return true;
        });
        end_game();
        store::GameId last = 0;
        reader().for_each_quiet_run(1, [&](const store::QuietRun& run) {
            stop_();
            add(run, run.game != last);
            last = run.game;
            return true;
        });
    }

    void count_games() {
        const store::GameId last = reader().last_game();
        for (store::GameId id = 1; id <= last; ++id) {
            stop_();
            if (!reader().has_game(id)) continue;
            const codec::GameFacts facts = reader().facts(id);
            if (!fits(id)) continue;
            ++out_.games;
            if (facts.result == codec::Result::kDraw) ++out_.draws;
        }
    }

    void begin_game(store::GameId game) {
        end_game();
        game_ = game;
        facts_ = reader().facts(game);
        fits_ = fits(game);
        most_ = 0;
        ends_on_repetition_ = false;
        longest_ = {};
    }

    void add(const store::Repetition& each) {
        const auto count = static_cast<std::uint32_t>(each.plies.size());
        most_ = std::max(most_, count);
        if (count >= 3 && each.plies.back() == facts_.plies) ends_on_repetition_ = true;
        if (count < min_count_) return;
        Repeated& repeated = positions_[each.key];
        if (repeated.games++ == 0) {
            repeated.database = database_;
            repeated.game = each.game;
            repeated.ply = each.plies.front();
        }
        if (RepetitionSummary::Shuffle shuffle{each, {}, database_};
            longest_.repetition.plies.empty() || shuffle.length() > longest_.length()) {
            longest_ = std::move(shuffle);
        }
    }

    void end_game() {
        if (!fits_) return;
        fits_ = false;
        ++out_.twofold;
        if (most_ >= 3) ++out_.threefold;
        if (most_ >= 5) ++out_.fivefold;
        if (ends_on_repetition_ && facts_.result == codec::Result::kDraw) {
            ++out_.draws_by_repetition;
        }
        if (longest_.repetition.plies.empty()) return;
        out_.shuffles.push_back(std::move(longest_));
        // Drop the shorter ones from time to time, so that the list stays short.
        if (out_.shuffles.size() >= 2 * top_ + 1000) keep_longest();
    }

    void keep_longest() {
        std::stable_sort(out_.shuffles.begin(), out_.shuffles.end(),
                         [](const auto& a, const auto& b) { return a.length() > b.length(); });
        if (out_.shuffles.size() > top_) out_.shuffles.resize(top_);
    }

    /// A game with several runs counts at most once for each limit.
    void add(const store::QuietRun& run, bool first_of_game) {
        if (first_of_game) {
            run_fits_ = fits(run.game);
            seventy_five_ = false;
            if (run_fits_) ++out_.fifty_moves;
        }
        if (run_fits_ && run.ply75 && !seventy_five_) {
            seventy_five_ = true;
            ++out_.seventy_five_moves;
        }
    }

    void name_positions() {
        std::vector<std::pair<std::uint64_t, Repeated>> order(positions_.begin(), positions_.end());
        const auto before = [](const auto& a, const auto& b) {
            return std::tuple(b.second.games, a.second.database, a.second.game, a.second.ply) <
                   std::tuple(a.second.games, b.second.database, b.second.game, b.second.ply);
        };
        const std::size_t n = std::min(top_, order.size());
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n),
                          order.end(), before);
        order.resize(n);
        for (const auto& [key, repeated] : order) {
            out_.positions.push_back({key, epd(repeated.database, repeated.game, repeated.ply),
                                      repeated.games, repeated.game, repeated.database});
        }
    }

    void name_shuffles() {
        keep_longest();
        for (RepetitionSummary::Shuffle& each : out_.shuffles) {
            each.epd = epd(each.database, each.repetition.game, each.repetition.plies.front());
        }
    }

    std::string epd(std::size_t database, store::GameId game, std::uint32_t ply) {
        return chess::to_epd(analyses_[database].position(game, ply));
    }

    std::span<const SummarySource> sources_;
    std::uint32_t min_count_;
    std::size_t top_;
    std::stop_token token_;
    base::StopCheck stop_;
    std::deque<RepetitionAnalysis> analyses_;  // one for each database
    RepetitionSummary out_;
    std::unordered_map<std::uint64_t, Repeated> positions_;

    // The game whose repetitions are being read, and its database.
    std::size_t database_ = 0;
    store::GameId game_ = 0;
    bool fits_ = false;
    codec::GameFacts facts_;
    std::uint32_t most_ = 0;
    bool ends_on_repetition_ = false;
    RepetitionSummary::Shuffle longest_;
    bool run_fits_ = false;
    bool seventy_five_ = false;
};

}  // namespace

RepetitionSummary summarize_repetitions(std::span<const SummarySource> sources,
                                        std::uint32_t min_count, std::size_t top,
                                        std::stop_token stop) {
    return Summary(sources, min_count, top, std::move(stop)).run();
}

}  // namespace fendex::query
