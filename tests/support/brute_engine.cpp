#include "support/brute_engine.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "chess/mirrored.hpp"
#include "chess/variant_rules.hpp"
#include "replay/opening_names.hpp"
#include "replay/stored_walk.hpp"
#include "store/best_games.hpp"
#include "support/brute_players.hpp"
#include "support/brute_store.hpp"

namespace fendex::test {

using store::Engine;
using store::GameId;
using store::GameOrder;
using store::RankedGame;

namespace {

struct Ply {
    std::uint64_t key = 0;
    chess::Move next;
};

/// A game with its number in the database.
struct Played {
    GameId number = 0;
    codec::GameFacts facts;
    std::vector<Ply> plies;
};

}  // namespace

/// In order.
struct PlayedGames {
    std::uint64_t offset = 0;
    std::vector<Played> games;
    std::map<std::uint64_t, std::vector<std::size_t>> by_key;  // indices of games, ascending

    [[nodiscard]] GameId id(const Played& game) const { return game.number + offset; }
};

std::shared_ptr<const PlayedGames> played_games(store::StoreReader& reader, std::uint64_t offset) {
    const auto out = std::make_shared<PlayedGames>();
    out->offset = offset;
    reader.for_each_moves(1, [&](GameId number, const store::StoredMoves& moves) {
        Played& game = out->games.emplace_back();
        game.number = number;
        replay::with_walk(number, moves, [&](auto& walk) {
            for (;; walk.advance()) {
                game.plies.push_back({walk.position().key(), walk.next_move()});
                if (walk.at_end()) break;
            }
        });
        return true;
    });
    for (std::size_t i = 0; i < out->games.size(); ++i) {
        Played& game = out->games[i];
        game.facts = reader.facts(game.number);
        for (const Ply& ply : game.plies) {
            auto& with_key = out->by_key[ply.key];
            if (with_key.empty() || with_key.back() != i) with_key.push_back(i);
        }
    }
    return out;
}

namespace {

codec::GameFacts exchanged(codec::GameFacts facts) {
    std::swap(facts.white_elo, facts.black_elo);
    if (facts.result == codec::Result::kWhiteWins) {
        facts.result = codec::Result::kBlackWins;
    } else if (facts.result == codec::Result::kBlackWins) {
        facts.result = codec::Result::kWhiteWins;
    }
    return facts;
}

bool is_decided(const codec::GameFacts& facts) {
    return facts.result == codec::Result::kWhiteWins || facts.result == codec::Result::kBlackWins;
}

class BruteEngine final : public Engine {
  public:
    BruteEngine(store::LocalReader& inner, std::shared_ptr<const PlayedGames> content)
        : inner_(inner), content_(std::move(content)) {}

    void prepare(const store::GameFilter& filter, std::stop_token stop) override {
        inner_.engine().prepare(filter, stop);
    }
    std::uint64_t count_games(const store::GameFilter& filter, std::stop_token) override {
        ++round_trips();
        return fitting(filter).size();
    }

    std::vector<std::uint64_t> count_by_variant(std::stop_token) override {
        ++round_trips();
        std::vector<std::uint64_t> counts(chess::kVariants);
        for (const Played& game : content_->games) {
            ++counts[static_cast<std::size_t>(game.facts.variant)];
        }
        return counts;
    }

    std::vector<RankedGame> games(const store::GameFilter& filter, GameOrder order,
                                  std::optional<RankedGame> after, std::size_t most,
                                  std::stop_token) override {
        ++round_trips();
        std::vector<RankedGame> out;
        for (const Played* game : fitting(filter)) out.push_back(ranked(order, *game));
        return page(std::move(out), after, most);
    }

    std::vector<RankedGame> ranks(const store::GameFilter& filter, GameOrder order,
                                  std::span<const GameId> games, std::stop_token) override {
        ++round_trips();
        const std::set<GameId> wanted(games.begin(), games.end());
        std::vector<RankedGame> out;
        for (const Played* game : fitting(filter)) {
            if (wanted.contains(content_->id(*game))) out.push_back(ranked(order, *game));
        }
        return out;
    }

    std::unique_ptr<store::Players> players(const store::GameFilter& filter,
                                            std::stop_token) override {
        ++round_trips();
        return brute_players(named_games(filter), name_joins(inner_));
    }

    std::vector<OpeningTally> openings(const store::GameFilter& filter, std::stop_token) override {
        ++round_trips();
        std::map<std::string, codec::Tally> tallies;
        for (const Played* game : fitting(filter)) {
            codec::Tally& tally = tallies[opening_of(*game)];
            ++tally.occurrences;
            tally.add_game(game->facts);
        }
        std::vector<OpeningTally> out;
        for (const auto& [opening, tally] : tallies) out.push_back({opening, tally});
        return out;
    }

    std::array<SideSums, 2> side_sums(std::span<const std::string> names,
                                      const store::GameFilter& filter, std::stop_token) override {
        ++round_trips();
        const std::set<std::string> players = joined_with(names, name_joins(inner_));
        std::array<SideSums, 2> out;
        for (const chess::Color color : {chess::Color::kWhite, chess::Color::kBlack}) {
            out[chess::index(color)] = sums_of_side(color, players, filter);
        }
        return out;
    }

    std::vector<FactsOfGame> latest_games(std::span<const std::string> names, chess::Color color,
                                          const store::GameFilter& filter, std::size_t most,
                                          std::stop_token) override {
        ++round_trips();
        const std::set<std::string> players = joined_with(names, name_joins(inner_));
        std::vector<FactsOfGame> out;
        for (const GameWithNames& game : named_games(filter)) {
            if (!chess::has_standard_rules(game.facts.variant)) continue;
            if (players.contains(game.player(color))) out.push_back({game.id, game.facts});
        }
        std::stable_sort(out.begin(), out.end(),
                         [](const auto& a, const auto& b) { return a.facts.date > b.facts.date; });
        if (out.size() > most) out.resize(most);
        std::sort(out.begin(), out.end(),
                  [](const auto& a, const auto& b) { return a.game < b.game; });
        return out;
    }

    std::vector<GameId> games_at_site(std::string_view part, std::size_t most,
                                      std::stop_token) override {
        ++round_trips();
        std::vector<GameId> out;
        for (const Played& game : content_->games) {
            store::GameHeader header;
            inner_.header(game.number, header);
            if (out.size() < most && header.site && header.site->find(part) != header.site->npos) {
                out.push_back(content_->id(game));
            }
        }
        return out;
    }

    std::vector<GameId> possible_games(const store::GameFilter& filter,
                                       std::span<const codec::SignatureCondition> any_of,
                                       const store::GameRange& games, std::size_t most,
                                       std::stop_token) override {
        ++round_trips();
        std::vector<GameId> out;
        for (const Played* game : fitting(filter)) {
            if (out.size() == most) break;
            const GameId id = content_->id(*game);
            const auto signature = inner_.signatures({game->number, game->number}).front();
            const auto may_hold = [&](const auto& each) { return each.may_hold(signature); };
            if (id >= games.first && id <= games.last &&
                std::any_of(any_of.begin(), any_of.end(), may_hold)) {
                out.push_back(id);
            }
        }
        return out;
    }

    std::vector<GameId> games_for_clock(const store::GameFilter& filter, std::uint32_t clock,
                                        GameId after, std::size_t most, std::stop_token) override {
        ++round_trips();
        std::vector<GameId> out;
        for (const Played* game : fitting(filter)) {
            if (out.size() == most) break;
            store::StoredMoves moves;
            inner_.moves(game->number, moves);
            if (content_->id(*game) > after && replay::has_positions(moves) &&
                (moves.facts.plies >= clock || !moves.start.empty())) {
                out.push_back(content_->id(*game));
            }
        }
        return out;
    }

    std::vector<Reached> reached(Targets targets, const store::GameFilter& filter, GameOrder order,
                                 std::optional<RankedGame> after, std::size_t most,
                                 std::stop_token) override {
        ++round_trips();
        std::map<RankedGame, std::uint32_t> last_plies;
        std::vector<RankedGame> games;
        for (const auto& [game, found] : occurrences(targets, filter)) {
            games.push_back(ranked(order, *game));
            for (const Occurrence& each : found) {
                std::uint32_t& last = last_plies[games.back()];
                last = std::max(last, each.ply);
            }
        }
        std::vector<Reached> out;
        for (const RankedGame& each : page(std::move(games), after, most)) {
            out.push_back({each, last_plies.at(each)});
        }
        return out;
    }

    std::vector<GameId> in_variations(Targets targets, const store::GameFilter& filter,
                                      GameId after, std::size_t most, std::stop_token) override {
        ++round_trips();
        std::set<GameId> found;
        for (const Target& target : targets) {
            for (const GameId game : inner_.games_with_variations(target.key)) found.insert(game);
        }
        std::vector<GameId> out;
        for (const Played* game : fitting(filter)) {
            const GameId id = content_->id(*game);
            if (found.contains(game->number) && id > after && out.size() < most) out.push_back(id);
        }
        return out;
    }

    std::vector<Counts> counts(std::span<const std::vector<Target>> questions,
                               const store::GameFilter& filter, std::stop_token) override {
        ++round_trips();
        std::vector<Counts> out;
        for (const std::vector<Target>& targets : questions) {
            const auto found = occurrences(targets, filter);
            Counts& counts = out.emplace_back();
            counts.games = found.size();
            for (const auto& [game, each] : found) counts.occurrences += each.size();
        }
        return out;
    }

    Tree tree(Targets targets, const store::GameFilter& filter, const TreeLists& lists,
              std::stop_token) override {
        ++round_trips();
        struct Group {
            codec::Tally tally;
            codec::NamedGames top;
            codec::NamedGames recent;
        };
        std::map<std::uint16_t, Group> groups;
        Tree out;
        for (const auto& [game, found] : occurrences(targets, filter)) {
            std::map<std::uint16_t, bool> exchange;  // by move, whether all are mirrored
            bool all_mirrored = true;
            for (const Occurrence& each : found) {
                chess::Move next = each.next;
                if (each.mirrored && next != codec::kGameEndsHere) next = chess::mirrored(next);
                const auto known = exchange.try_emplace(next.bits(), true).first;
                known->second = known->second && each.mirrored;
                all_mirrored = all_mirrored && each.mirrored;
                const codec::NamedGames none(lists.most);
                ++groups.try_emplace(next.bits(), Group{{}, none, none})
                      .first->second.tally.occurrences;
                ++out.total.occurrences;
            }
            out.total.add_game(all_mirrored ? exchanged(game->facts) : game->facts);
            for (const auto& [move, mirrored] : exchange) {
                Group& group = groups.at(move);
                group.tally.add_game(mirrored ? exchanged(game->facts) : game->facts);
                const codec::GameRanks ranks = codec::ranks_of(game->facts);
                group.top.offer(content_->id(*game), ranks.rating);
                group.recent.offer(content_->id(*game), ranks.date.number());
            }
        }
        std::vector<store::RankedLists> named;
        for (const auto& [move, group] : groups) {
            out.moves.push_back({chess::Move::from_bits(move), group.tally, {}});
            named.push_back({group.top.entries(), group.recent.entries()});
        }
        store::add_lists(named, lists, out);
        return out;
    }

    std::optional<std::size_t> last_reached(std::span<const std::uint64_t> keys,
                                            const Earlier& earlier, std::stop_token) override {
        ++round_trips();
        for (std::size_t i = keys.size(); i-- > 0;) {
            if (!earlier_games(keys[i], earlier).empty()) return i;
        }
        return std::nullopt;
    }

    Tree earlier_tree(std::uint64_t key, const Earlier& earlier, std::stop_token) override {
        ++round_trips();
        Tree tree;
        std::map<std::uint16_t, codec::Tally> moves;
        std::optional<RankedGame> latest;
        for (const auto& [game, found] : earlier_games(key, earlier)) {
            tree.total.add_game(game->facts);
            std::set<std::uint16_t> played;
            for (const Occurrence& each : found) played.insert(each.next.bits());
            for (const std::uint16_t bits : played) moves[bits].add_game(game->facts);
            const RankedGame other = ranked(GameOrder::kDate, *game);
            if (!latest || other < *latest) latest = other;
        }
        for (const auto& [bits, tally] : moves) {
            tree.moves.push_back({chess::Move::from_bits(bits), tally, {}});
        }
        if (latest) tree.recent.push_back({latest->game, {}, latest->rank});
        return tree;
    }

    std::vector<GameId> earlier_ends(std::uint64_t key, std::uint32_t plies, const Earlier& earlier,
                                     std::stop_token) override {
        ++round_trips();
        std::vector<GameId> out;
        for (const auto& [game, found] : earlier_games(key, earlier)) {
            if (game->facts.plies == plies && game->plies.back().key == key) {
                out.push_back(content_->id(*game));
            }
        }
        return out;
    }

    std::vector<Month> months(Targets targets, const store::GameFilter& filter,
                              std::stop_token) override {
        ++round_trips();
        std::map<std::uint32_t, Month> months;
        for (const auto& [game, found] : occurrences(targets, filter)) {
            if (!game->facts.date.has_month()) continue;
            const std::uint32_t month = game->facts.date.month_number();
            months[month].month = month;
            ++months[month].results[game->facts.result];
        }
        std::vector<Month> out;
        for (const auto& [number, month] : months) out.push_back(month);
        return out;
    }

    std::vector<RepetitionOfGame> repetitions(const RepetitionQuestion& question, GameId from,
                                              std::size_t most, std::stop_token) override {
        ++round_trips();
        std::vector<RepetitionOfGame> out;
        for (const Played* game : fitting(question.filter)) {
            const GameId id = content_->id(*game);
            if (id < from || (question.game && id != *question.game)) continue;
            if (question.decided && !is_decided(game->facts)) continue;
            if (out.size() >= most) break;
            for (store::Repetition& each : repetitions_of(*game)) {
                if (question.key && each.key != *question.key) continue;
                if (each.plies.size() < question.min_count) continue;
                out.push_back({std::move(each), game->facts});
            }
        }
        return out;
    }

    std::vector<QuietRunOfGame> quiet_runs(const QuietRunQuestion& question, GameId from,
                                           std::size_t most, std::stop_token) override {
        ++round_trips();
        std::vector<QuietRunOfGame> out;
        for (const Played* game : fitting(question.filter)) {
            const GameId id = content_->id(*game);
            if (id < from || (question.game && id != *question.game)) continue;
            if (question.decided && !is_decided(game->facts)) continue;
            if (out.size() >= most) break;
            for (store::QuietRun run : inner_.quiet_runs(game->number)) {
                if (question.seventy_five && !run.ply75) continue;
                run.game = id;
                out.push_back({run, game->facts});
            }
        }
        return out;
    }

    RepetitionSums repetition_sums(const store::GameFilter& filter, std::uint32_t min_count,
                                   const RepetitionLists& most, std::stop_token) override {
        ++round_trips();
        RepetitionSums out;
        std::map<std::uint64_t, RepetitionSums::Position> positions;
        for (const Played* game : fitting(filter)) {
            ++out.games;
            const bool drawn = game->facts.result == codec::Result::kDraw;
            if (drawn) ++out.draws;
            std::size_t highest = 0;
            bool ends = false;
            std::optional<store::Repetition> longest;
            const auto length = [](const store::Repetition& of) {
                return of.plies.back() - of.plies.front();
            };
            for (const store::Repetition& each : repetitions_of(*game)) {
                highest = std::max(highest, each.plies.size());
                ends = ends || (each.plies.size() >= 3 && each.plies.back() == game->facts.plies);
                if (each.plies.size() < min_count) continue;
                auto& position = positions[each.key];
                if (position.games++ == 0) {
                    position.key = each.key;
                    position.game = each.game;
                    position.ply = each.plies.front();
                }
                if (!longest || length(each) > length(*longest)) longest = each;
            }
            if (highest >= 2) ++out.twofold;
            if (highest >= 3) ++out.threefold;
            if (highest >= 5) ++out.fivefold;
            if (ends && drawn) ++out.draws_by_repetition;
            if (longest) out.shuffles.push_back(*longest);
            const auto runs = inner_.quiet_runs(game->number);
            if (!runs.empty()) ++out.fifty_moves;
            if (std::any_of(runs.begin(), runs.end(),
                            [](const auto& run) { return run.ply75.has_value(); })) {
                ++out.seventy_five_moves;
            }
        }
        std::stable_sort(
            out.shuffles.begin(), out.shuffles.end(), [](const auto& a, const auto& b) {
                return a.plies.back() - a.plies.front() > b.plies.back() - b.plies.front();
            });
        if (out.shuffles.size() > most.shuffles) out.shuffles.resize(most.shuffles);
        for (const auto& [key, position] : positions) out.positions.push_back(position);
        std::sort(out.positions.begin(), out.positions.end(), [](const auto& a, const auto& b) {
            return std::tuple(b.games, a.game, a.ply) < std::tuple(a.games, b.game, b.ply);
        });
        if (out.positions.size() > most.positions) out.positions.resize(most.positions);
        return out;
    }

  private:
    struct Occurrence {
        std::uint32_t ply = 0;
        chess::Move next;
        bool mirrored = false;
    };

    std::vector<const Played*> fitting(const store::GameFilter& filter) {
        std::vector<const Played*> out;
        auto game = content_->games.begin();
        for (const RankedGame& each :
             inner_.engine().games(filter, GameOrder::kId, std::nullopt, SIZE_MAX, {})) {
            while (game->number != each.game) ++game;
            out.push_back(&*game);
        }
        return out;
    }

    std::vector<std::pair<const Played*, std::vector<Occurrence>>> occurrences(
        Targets targets, const store::GameFilter& filter) {
        std::map<std::size_t, std::vector<Occurrence>> found;
        for (const Target& target : targets) {
            const auto games = content_->by_key.find(target.key);
            if (games == content_->by_key.end()) continue;
            for (const std::size_t game : games->second) {
                const std::vector<Ply>& plies = content_->games[game].plies;
                for (std::size_t ply = 0; ply < plies.size(); ++ply) {
                    if (plies[ply].key != target.key) continue;
                    found[game].push_back(
                        {static_cast<std::uint32_t>(ply), plies[ply].next, target.mirrored});
                }
            }
        }
        std::vector<std::pair<const Played*, std::vector<Occurrence>>> out;
        for (const Played* game : fitting(filter)) {
            const auto known = found.find(static_cast<std::size_t>(game - content_->games.data()));
            if (known != found.end()) out.emplace_back(game, std::move(known->second));
        }
        return out;
    }

    std::vector<GameWithNames> named_games(const store::GameFilter& filter) {
        std::vector<GameWithNames> out;
        for (const Played* game : fitting(filter)) {
            store::GameHeader header;
            inner_.header(game->number, header);
            out.push_back({content_->id(*game), game->facts, std::string(header.white.value_or("")),
                           std::string(header.black.value_or("")), opening_of(*game)});
        }
        return out;
    }

    /// The opening of the last position that has one.
    static std::string opening_of(const Played& game) {
        std::string out;
        for (const Ply& ply : game.plies) {
            if (const auto named = replay::opening_of(ply.key)) out = named->text;
        }
        return out;
    }

    SideSums sums_of_side(chess::Color color, const std::set<std::string>& players,
                          const store::GameFilter& filter) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, codec::ResultCounts> scores;
        std::map<std::string, codec::ResultCounts> openings;
        std::map<std::uint32_t, SideSums::Month> months;
        for (const GameWithNames& game : named_games(filter)) {
            if (!players.contains(game.player(color))) continue;
            const codec::GameFacts& facts = game.facts;
            const bool white = color == chess::Color::kWhite;
            const std::uint32_t other = white ? facts.black_elo : facts.white_elo;
            const std::uint32_t own = white ? facts.white_elo : facts.black_elo;
            ++scores[{facts.date.year(), other / kRatingStep * kRatingStep}][facts.result];
            ++openings[game.opening][facts.result];
            if (own == 0 || facts.date.month() == 0) continue;
            SideSums::Month& month = months[facts.date.month_number()];
            month.month = facts.date.month_number();
            ++month.games;
            if (facts.date < month.date) continue;
            month.date = facts.date;
            month.game = game.id;
            month.rating = own;
        }
        SideSums out;
        for (const auto& [of, results] : scores)
            out.scores.push_back({of.first, of.second, results});
        for (const auto& [opening, results] : openings) out.openings.push_back({opening, results});
        for (const auto& [number, month] : months) out.months.push_back(month);
        return out;
    }

    std::vector<std::pair<const Played*, std::vector<Occurrence>>> earlier_games(
        std::uint64_t key, const Earlier& earlier) {
        const Target targets[] = {{key}};
        auto out = occurrences(targets, earlier.filter);
        std::erase_if(out, [&](const auto& each) {
            const bool is_before =
                earlier.before.year() == 0 ||
                codec::is_certainly_before(each.first->facts.date, earlier.before);
            return !is_before || std::binary_search(earlier.except.begin(), earlier.except.end(),
                                                    content_->id(*each.first));
        });
        return out;
    }

    RankedGame ranked(GameOrder order, const Played& game) const {
        return {store::rank_of(order, game.facts), content_->id(game)};
    }
    static std::vector<RankedGame> page(std::vector<RankedGame> games,
                                        std::optional<RankedGame> after, std::size_t most) {
        std::sort(games.begin(), games.end());
        if (after) std::erase_if(games, [&](const auto& each) { return !(*after < each); });
        if (games.size() > most) games.resize(most);
        return games;
    }

    std::vector<store::Repetition> repetitions_of(const Played& game) {
        std::vector<store::Repetition> out = inner_.repetitions(game.number);
        for (store::Repetition& each : out) each.game = content_->id(game);
        std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
            return static_cast<std::int64_t>(a.key) < static_cast<std::int64_t>(b.key);
        });
        return out;
    }

    store::LocalReader& inner_;
    std::shared_ptr<const PlayedGames> content_;
};

}  // namespace

std::unique_ptr<Engine> brute_engine(store::LocalReader& reader,
                                     std::shared_ptr<const PlayedGames> games) {
    return std::make_unique<BruteEngine>(reader, std::move(games));
}

}  // namespace fendex::test
