#include "store/sqlite/engine/reached_games.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "replay/stored_walk.hpp"
#include "store/sqlite/engine/engine.hpp"
#include "store/sqlite/engine/ranked_games.hpp"

namespace fendex::store {

namespace {

/// The candidates of several keys, game by game.
class GamesInOrder {
  public:
    GamesInOrder(LocalReader& reader, Engine::Targets targets) {
        for (std::uint32_t i = 0; i < targets.size(); ++i) {
            Stream stream{i, reader.candidates(targets[i].key), {}};
            if (stream.cursor->next(stream.front)) streams_.push_back(std::move(stream));
        }
    }

    /// Goes to the next game; returns false after the last one. `out.targets` become those with
    /// candidates in the game. `out.last_ply` becomes the last ply of these candidates, or empty if
    /// it is not known.
    bool next(Engine::Reached& out) {
        if (streams_.empty()) return false;
        const GameId game = std::ranges::min_element(streams_, [](const auto& a, const auto& b) {
                                return a.front.game < b.front.game;
                            })->front.game;
        out.game = {0, game};
        out.targets.clear();
        out.last_ply = 0;
        for (std::size_t i = 0; i < streams_.size();) {
            Stream& stream = streams_[i];
            bool more = true;
            if (stream.front.game == game) out.targets.push_back(stream.target);
            while (more && stream.front.game == game) {
                out.last_ply = out.last_ply && stream.front.ply
                                   ? std::optional(std::max(*out.last_ply, *stream.front.ply))
                                   : std::nullopt;
                more = stream.cursor->next(stream.front);
            }
            if (more) {
                ++i;
            } else {
                streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        return true;
    }

  private:
    struct Stream {
        std::uint32_t target;  // its index
        std::unique_ptr<CandidateCursor> cursor;
        Candidate front;
    };
    std::vector<Stream> streams_;
};

/// Returns the games of occurrences, ascending.
std::vector<std::uint32_t> games_of(std::span<const replay::Occurrence> occurrences) {
    std::vector<std::uint32_t> games;
    for (const replay::Occurrence& each : occurrences) {
        games.push_back(static_cast<std::uint32_t>(each.game));
    }
    sort_and_unite(games);
    return games;
}

class FoundGames final : public Engine::ReachedGames {
  public:
    FoundGames(LocalReader& reader, std::shared_ptr<FittingGames> fitting, Engine::Targets targets,
               GameId after, std::stop_token stop)
        : reader_(reader),
          fitting_(std::move(fitting)),
          targets_(targets.begin(), targets.end()),
          after_(after),
          stop_(std::move(stop)) {
        if (is_one_position(targets) &&
            known_games_of_position(reader, targets.front().key) != nullptr) {
            use_sets(after);
        } else {
            candidates_.emplace(reader, targets);
        }
    }

    bool next(Engine::Reached& out) override {
        constexpr unsigned kMostMisfits = 1000;
        while (candidates_ && candidates_->next(out)) {
            stop_();
            const GameId game = out.game.game;
            if (game <= after_) continue;
            if (fitting_->contain(game, stop_)) return true;
            if (may_use_sets_ && ++misfits_ >= kMostMisfits) use_sets(game);
        }
        if (games_.empty()) return false;
        stop_();
        out.game = {0, games_.back()};
        games_.pop_back();
        out.targets.clear();
        out.last_ply.reset();
        out.once = sets_ && !sets_->repeated.contains(out.game.game);
        return true;
    }

  private:
    /// Switches to the intersection of the games of the position with those that fit. This is
    /// faster than testing many candidates that do not fit. If few games fit, these are replayed.
    /// Does nothing if there are no sets.
    void use_sets(GameId after) {
        may_use_sets_ = false;  // either now or never
        if (const auto found = occurrences_in_few_games(reader_, *fitting_, targets_, stop_)) {
            candidates_.reset();
            games_ = games_of(*found);
            return begin_games(after);
        }
        sets_ = games_of_targets(reader_, targets_, stop_);
        if (!sets_) return;
        games_ = (sets_->all & fitting_->all(stop_)).numbers();
        for (const GameId game : sets_->unverified) {
            if (fitting_->contain(game, stop_)) games_.push_back(static_cast<std::uint32_t>(game));
        }
        candidates_.reset();
        begin_games(after);
    }

    void begin_games(GameId after) {
        std::erase_if(games_, [&](std::uint32_t game) { return game <= after; });
        sort_and_unite(games_);
        std::ranges::reverse(games_);
    }

    LocalReader& reader_;
    std::shared_ptr<FittingGames> fitting_;
    std::vector<Engine::Target> targets_;
    GameId after_;
    base::StopCheck stop_;
    std::optional<GamesInOrder> candidates_;  // empty if `games_` are used
    unsigned misfits_ = 0;                    // candidates that the filter excluded
    bool may_use_sets_ = true;
    // Used instead of `candidates_` if the sets are already known, or after many misfits; null if
    // the games that fit were replayed.
    std::shared_ptr<const PositionGames> sets_;
    std::vector<std::uint32_t> games_;  // that fit, last first
};

/// Adds the unverified games that fit to those of the sets. Returns these games, ascending.
std::vector<std::uint32_t> games_of_sets(const PositionGames& sets, FittingGames& fitting,
                                         base::StopCheck& stop) {
    std::vector<std::uint32_t> games = fitting.of(sets.all, stop);
    for (const GameId game : sets.unverified) {
        if (fitting.contain(game, stop)) games.push_back(static_cast<std::uint32_t>(game));
    }
    sort_and_unite(games);
    return games;
}

}  // namespace

bool is_one_position(Engine::Targets targets) {
    return targets.size() == 1 && !targets.front().mirrored;
}

std::shared_ptr<const PositionGames> games_of_targets(LocalReader& reader, Engine::Targets targets,
                                                      base::StopCheck& stop) {
    if (!is_one_position(targets)) return nullptr;
    return games_of_position(reader, targets.front().key, stop);
}

std::vector<Candidate> candidates_of(const PositionGames& games) {
    std::vector<Candidate> out;
    for (const GameId game : games.unverified) out.push_back({game, std::nullopt, {}});
    return out;
}

std::vector<replay::Occurrence> occurrences_of(LocalReader& reader, FittingGames& fitting,
                                               Engine::Targets targets, base::StopCheck& stop) {
    replay::OccurrenceReader occurrences(reader);
    std::vector<replay::Occurrence> out;
    const auto fits = [&](GameId game) { return fitting.contain(game, stop); };
    for (const Engine::Target& target : targets) {
        reader.for_each_candidate_group(target.key, [&](std::span<const Candidate> candidates) {
            occurrences.append(target, candidates, fits, out, stop);
        });
    }
    return out;
}

std::optional<std::vector<replay::Occurrence>> occurrences_in_few_games(LocalReader& reader,
                                                                        FittingGames& fitting,
                                                                        Engine::Targets targets,
                                                                        base::StopCheck& stop) {
    // To read the row of a game and to replay it takes as long as reading so many postings.
    constexpr std::uint64_t kPostingsOfReplay = 1000;
    // The sample may show up to four times too many games. If the games that fit lie close
    // together, it may be further off; then the answer only takes longer.
    constexpr std::uint64_t kSafety = 4;
    if (fitting.takes_all()) return std::nullopt;
    const bool has_sets =
        is_one_position(targets) && known_games_of_position(reader, targets.front().key) != nullptr;
    if (has_sets) return std::nullopt;
    std::uint64_t reached = 0;
    for (const Engine::Target& target : targets) reached += reader.pieces(target.key)->games();
    if (!fitting.prefers_bits(reached)) return std::nullopt;
    if (is_one_position(targets) && fitting.prefers_fact_test()) {
        const std::uint64_t few = reached / kPostingsOfReplay;
        const FactTest& test = fitting.fact_test().value();
        if (test.seem_to_be_more_than(kSafety * few, reader, stop)) return std::nullopt;
    }
    const GameSet& all = fitting.all(stop);
    if (all.size() > reached / kPostingsOfReplay) return std::nullopt;
    std::vector<replay::Occurrence> out;
    const std::vector<std::uint32_t> numbers = all.numbers();
    const std::vector<GameId> games(numbers.begin(), numbers.end());
    auto expected = games.begin();
    reader.moves(games, [&](GameId game, const StoredMoves& moves) {
        stop();
        if (game != *expected++) throw_no_game(*std::prev(expected));
        replay::for_each_position(game, moves, [&](const auto& at) {
            const std::uint64_t key = at.position().key();
            for (const Engine::Target& target : targets) {
                if (key == target.key) out.push_back({game, at.next_move(), target.mirrored});
            }
        });
    });
    if (expected != games.end()) throw_no_game(*expected);
    return out;
}

std::vector<std::uint32_t> games_that_reached(LocalReader& reader, FittingGames& fitting,
                                              Engine::Targets targets, base::StopCheck& stop) {
    std::vector<std::uint32_t> games;
    std::vector<replay::Occurrence> found;
    if (auto few = occurrences_in_few_games(reader, fitting, targets, stop)) {
        found = std::move(*few);
    } else if (const auto sets = games_of_targets(reader, targets, stop)) {
        games = fitting.of(sets->all, stop);
        replay::OccurrenceReader(reader).append(
            targets.front(), candidates_of(*sets),
            [&](GameId game) { return fitting.contain(game, stop); }, found, stop);
    } else {
        found = occurrences_of(reader, fitting, targets, stop);
    }
    const std::vector<std::uint32_t> replayed = games_of(found);
    games.insert(games.end(), replayed.begin(), replayed.end());
    sort_and_unite(games);
    return games;
}

std::unique_ptr<Engine::ReachedGames> LocalEngine::find(Targets targets, const GameFilter& filter,
                                                        GameId after, std::stop_token stop) {
    base::StopCheck check(stop);
    return std::make_unique<FoundGames>(reader_, fitting(filter, check), targets, after,
                                        std::move(stop));
}

std::vector<Engine::Reached> LocalEngine::reached(Targets targets, const GameFilter& filter,
                                                  GameOrder order, std::optional<RankedGame> after,
                                                  std::size_t most, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    check();
    const std::shared_ptr<FittingGames> fits = fitting(filter, check);
    std::vector<Reached> out;
    const auto few = occurrences_in_few_games(reader_, *fits, targets, check);
    const auto sets = few ? nullptr : games_of_targets(reader_, targets, check);
    const std::vector<std::uint32_t> games =
        few    ? games_of(*few)
        : sets ? games_of_sets(*sets, *fits, check)
               : games_of(occurrences_of(reader_, *fits, targets, check));
    // Only as many games are verified as are returned.
    const bool verify = sets && !sets->unverified.empty();
    replay::OccurrenceReader occurrences(reader_);
    for (const RankedGame& each :
         first_games(reader_, order, games, after, verify ? games.size() : most, check)) {
        check();
        if (out.size() == most) break;
        if (verify && !sets->all.contains(each.game) &&
            !occurrences.move_from(targets.front().key, each.game)) {
            continue;
        }
        out.push_back({each});
    }
    return out;
}

std::vector<GameId> LocalEngine::in_variations(Targets targets, const GameFilter& filter,
                                               GameId after, std::size_t most,
                                               std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> fits = fitting(filter, check);
    std::vector<GameId> games;
    for (const Target& target : targets) {
        const std::vector<GameId> found = reader_.games_with_variations(target.key);
        games.insert(games.end(), std::ranges::upper_bound(found, after), found.end());
    }
    sort_and_unite(games);
    std::vector<GameId> out;
    for (const GameId game : games) {
        if (out.size() == most) break;
        check();
        if (fits->contain(game, check)) out.push_back(game);
    }
    return out;
}

}  // namespace fendex::store
