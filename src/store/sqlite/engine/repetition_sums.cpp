#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/sqlite/engine/engine.hpp"

namespace fendex::store {

namespace {

bool is_decided(codec::Result result) {
    return result == codec::Result::kWhiteWins || result == codec::Result::kBlackWins;
}

std::uint32_t length_of(const Repetition& each) { return each.plies.back() - each.plies.front(); }

/// Collects the rows of one game after the other for visit().
template <typename Row, typename Value>
class RowsOfGames {
  public:
    template <typename Question>
    RowsOfGames(LocalReader& reader, FittingGames& fitting, const Question& question, GameId from,
                const std::function<bool(std::span<const Row>)>& visit, base::StopCheck& stop)
        : reader_(reader),
          fitting_(fitting),
          game_(question.game),
          from_(from),
          decided_(question.decided),
          visit_(visit),
          stop_(stop) {}

    /// Takes a value of the current game or a later one, if it is wanted. Returns whether to go on.
    bool take(const Value& value, bool is_wanted = true) {
        stop_();
        if (value.game != last_) {
            if (!end_game()) return false;
            if (game_ && value.game != *game_) return value.game < *game_;
            last_ = value.game;
            fits_ = last_ >= from_;
            if (!fits_) return true;
            facts_ = reader_.facts(last_);
            fits_ = (!decided_ || is_decided(facts_.result)) && fitting_.contain(last_, stop_);
        }
        if (fits_ && is_wanted) rows_.push_back({value, facts_});
        return true;
    }
    /// Must be called after the last value.
    bool end_game() {
        more_ = more_ && (rows_.empty() || visit_(rows_));
        rows_.clear();
        return more_;
    }

  private:
    LocalReader& reader_;
    FittingGames& fitting_;
    std::optional<GameId> game_;
    GameId from_;
    bool decided_;
    const std::function<bool(std::span<const Row>)>& visit_;
    base::StopCheck& stop_;
    GameId last_ = 0;
    bool fits_ = false;
    bool more_ = true;
    codec::GameFacts facts_;
    std::vector<Row> rows_;
};

struct Repeated {
    std::uint64_t games = 0;
    GameId game = 0;  // the first of them
    std::uint32_t ply = 0;
};

class Summary {
  public:
    Summary(LocalReader& reader, FittingGames& fitting, std::uint32_t min_count,
            const Engine::RepetitionLists& most, base::StopCheck& stop)
        : reader_(reader), fitting_(fitting), min_count_(min_count), most_(most), stop_(stop) {}

    Engine::RepetitionSums run() {
        count_games();
        reader_.for_each_repetition(1, 2, [&](const Repetition& each) {
            stop_();
            if (each.game != game_) begin_game(each.game);
            if (fits_) add(each);
            return true;
        });
        end_game();
        GameId last = 0;
        reader_.for_each_quiet_run(1, [&](const QuietRun& run) {
            stop_();
            add(run, run.game != last);
            last = run.game;
            return true;
        });
        list_positions();
        keep_longest();
        return std::move(out_);
    }

  private:
    bool fits(GameId game) { return fitting_.contain(game, stop_); }

    void count_games() {
        const GameId last = reader_.last_game();
        for (GameId id = 1; id <= last; ++id) {
            stop_();
            if (!reader_.has_game(id)) continue;
            const codec::GameFacts facts = reader_.facts(id);
            if (!fits(id)) continue;
            ++out_.games;
            if (facts.result == codec::Result::kDraw) ++out_.draws;
        }
    }

    void begin_game(GameId game) {
        end_game();
        game_ = game;
        facts_ = reader_.facts(game);
        fits_ = fits(game);
        highest_ = 0;
        ends_on_repetition_ = false;
        longest_ = {};
    }

    void add(const Repetition& each) {
        highest_ = std::max(highest_, each.plies.size());
        if (each.plies.size() >= 3 && each.plies.back() == facts_.plies) ends_on_repetition_ = true;
        if (each.plies.size() < min_count_) return;
        Repeated& repeated = positions_[each.key];
        if (repeated.games++ == 0) {
            repeated.game = each.game;
            repeated.ply = each.plies.front();
        }
        if (longest_.plies.empty() || length_of(each) > length_of(longest_)) longest_ = each;
    }

    void end_game() {
        if (!fits_) return;
        fits_ = false;
        ++out_.twofold;
        if (highest_ >= 3) ++out_.threefold;
        if (highest_ >= 5) ++out_.fivefold;
        if (ends_on_repetition_ && facts_.result == codec::Result::kDraw) {
            ++out_.draws_by_repetition;
        }
        if (longest_.plies.empty()) return;
        out_.shuffles.push_back(std::move(longest_));
        // Drop the shorter ones from time to time, so that the list stays short.
        if (out_.shuffles.size() >= 2 * most_.shuffles + 1000) keep_longest();
    }

    void keep_longest() {
        std::ranges::stable_sort(out_.shuffles, [](const auto& a, const auto& b) {
            return length_of(a) > length_of(b);
        });
        if (out_.shuffles.size() > most_.shuffles) out_.shuffles.resize(most_.shuffles);
    }

    /// A game with several runs counts at most once for each limit.
    void add(const QuietRun& run, bool first_of_game) {
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

    void list_positions() {
        out_.positions.reserve(positions_.size());
        for (const auto& [key, of] : positions_) {
            out_.positions.push_back({key, of.games, of.game, of.ply});
        }
        const auto before = [](const auto& a, const auto& b) {
            return std::tuple(b.games, a.game, a.ply) < std::tuple(a.games, b.game, b.ply);
        };
        const std::size_t n = std::min(most_.positions, out_.positions.size());
        std::partial_sort(out_.positions.begin(),
                          out_.positions.begin() + static_cast<std::ptrdiff_t>(n),
                          out_.positions.end(), before);
        out_.positions.resize(n);
    }

    LocalReader& reader_;
    FittingGames& fitting_;
    std::uint32_t min_count_;
    Engine::RepetitionLists most_;
    base::StopCheck& stop_;
    Engine::RepetitionSums out_;
    std::unordered_map<std::uint64_t, Repeated> positions_;

    // The game whose repetitions are being read.
    GameId game_ = 0;
    bool fits_ = false;
    codec::GameFacts facts_;
    std::size_t highest_ = 0;  // number of occurrences
    bool ends_on_repetition_ = false;
    Repetition longest_;
    bool run_fits_ = false;
    bool seventy_five_ = false;
};

/// Returns about the first `most` rows of whole games.
template <typename Row, typename ForEach>
std::vector<Row> first_rows(std::size_t most, ForEach for_each) {
    std::vector<Row> out;
    for_each([&](std::span<const Row> rows) {
        out.insert(out.end(), rows.begin(), rows.end());
        return out.size() < most;
    });
    return out;
}

}  // namespace

std::vector<Engine::RepetitionOfGame> LocalEngine::repetitions(const RepetitionQuestion& question,
                                                               GameId from, std::size_t most,
                                                               std::stop_token stop) {
    return first_rows<RepetitionOfGame>(most, [&](const auto& visit) {
        for_each_repetition(question, from, visit, std::move(stop));
    });
}

void LocalEngine::for_each_repetition(
    const RepetitionQuestion& question, GameId from,
    const std::function<bool(std::span<const RepetitionOfGame>)>& visit, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> fits = fitting(question.filter, check);
    RowsOfGames<RepetitionOfGame, Repetition> rows(reader_, *fits, question, from, visit, check);
    const auto take = [&](const Repetition& each) { return rows.take(each); };
    if (question.key) {
        reader_.for_each_repetition_of(*question.key, question.min_count, take);
    } else {
        reader_.for_each_repetition(std::max(question.game.value_or(1), from), question.min_count,
                                    take);
    }
    rows.end_game();
}

std::vector<Engine::QuietRunOfGame> LocalEngine::quiet_runs(const QuietRunQuestion& question,
                                                            GameId from, std::size_t most,
                                                            std::stop_token stop) {
    return first_rows<QuietRunOfGame>(most, [&](const auto& visit) {
        for_each_quiet_run(question, from, visit, std::move(stop));
    });
}

void LocalEngine::for_each_quiet_run(
    const QuietRunQuestion& question, GameId from,
    const std::function<bool(std::span<const QuietRunOfGame>)>& visit, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> fits = fitting(question.filter, check);
    RowsOfGames<QuietRunOfGame, QuietRun> rows(reader_, *fits, question, from, visit, check);
    reader_.for_each_quiet_run(std::max(question.game.value_or(1), from),
                               [&](const QuietRun& each) {
                                   return rows.take(each, !question.seventy_five || each.ply75);
                               });
    rows.end_game();
}

Engine::RepetitionSums LocalEngine::repetition_sums(const GameFilter& filter,
                                                    std::uint32_t min_count,
                                                    const RepetitionLists& most,
                                                    std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    return Summary(reader_, *fitting(filter, check), min_count, most, check).run();
}

}  // namespace fendex::store
