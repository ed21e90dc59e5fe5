#include "query/repetition_summary.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/stop_check.hpp"
#include "chess/fen.hpp"

namespace fendex::query {

namespace {

struct Repeated {
    std::uint64_t games = 0;
    store::GameId game = 0;
    std::uint32_t ply = 0;
};

class Summary {
  public:
    Summary(store::StoreReader& reader, GameMatcher& matcher, std::uint32_t min_count,
            std::size_t top, std::stop_token stop)
        : reader_(reader),
          matcher_(matcher),
          min_count_(min_count),
          top_(top),
          stop_(std::move(stop)) {}

    RepetitionSummary run() {
        count_games();
        reader_.for_each_repetition(1, 2, [&](const store::Repetition& each) {
            stop_();
            if (each.game != game_) begin_game(each.game);
            if (fits_) add(each);
            return true;
        });
        end_game();
        store::GameId last = 0;
        reader_.for_each_quiet_run(1, [&](const store::QuietRun& run) {
            stop_();
            add(run, run.game != last);
            last = run.game;
            return true;
        });
        name_positions();
        name_shuffles();
        return std::move(out_);
    }

  private:
    void count_games() {
        const store::GameId last = reader_.last_game();
        for (store::GameId id = 1; id <= last; ++id) {
            stop_();
            if (!reader_.has_game(id)) continue;
            const codec::GameFacts facts = reader_.facts(id);
            if (!matcher_(id)) continue;
            ++out_.games;
            if (facts.result == codec::Result::kDraw) ++out_.draws;
        }
    }

    void begin_game(store::GameId game) {
        end_game();
        game_ = game;
        facts_ = reader_.facts(game);
        fits_ = matcher_(game);
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
            repeated.game = each.game;
            repeated.ply = each.plies.front();
        }
        if (RepetitionSummary::Shuffle shuffle{each, {}};
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
        // Cut from time to time, so that it stays short.
        if (out_.shuffles.size() >= 2 * top_ + 1000) keep_longest();
    }

    void keep_longest() {
        std::stable_sort(out_.shuffles.begin(), out_.shuffles.end(),
                         [](const auto& a, const auto& b) { return a.length() > b.length(); });
        if (out_.shuffles.size() > top_) out_.shuffles.resize(top_);
    }

    /// A game with several runs counts once, with the longest.
    void add(const store::QuietRun& run, bool first_of_game) {
        if (first_of_game) {
            run_fits_ = matcher_(run.game);
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
            return std::tuple(b.second.games, a.second.game, a.second.ply) <
                   std::tuple(a.second.games, b.second.game, b.second.ply);
        };
        const std::size_t n = std::min(top_, order.size());
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n),
                          order.end(), before);
        order.resize(n);
        for (const auto& [key, repeated] : order) {
            out_.positions.push_back({key,
                                      chess::to_epd(replay_.position(repeated.game, repeated.ply)),
                                      repeated.games, repeated.game});
        }
    }

    void name_shuffles() {
        keep_longest();
        for (RepetitionSummary::Shuffle& each : out_.shuffles) {
            each.epd = chess::to_epd(
                replay_.position(each.repetition.game, each.repetition.plies.front()));
        }
    }

    store::StoreReader& reader_;
    GameMatcher& matcher_;
    std::uint32_t min_count_;
    std::size_t top_;
    base::StopCheck stop_;
    RepetitionAnalysis replay_{reader_, matcher_};
    RepetitionSummary out_;
    std::unordered_map<std::uint64_t, Repeated> positions_;

    // The game whose repetitions are being read.
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

RepetitionSummary summarize_repetitions(store::StoreReader& reader, GameMatcher& matcher,
                                        std::uint32_t min_count, std::size_t top,
                                        std::stop_token stop) {
    return Summary(reader, matcher, min_count, top, std::move(stop)).run();
}

}  // namespace fendex::query
