#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/key_text.hpp"
#include "chess/mirrored.hpp"
#include "codec/named_games.hpp"
#include "store/best_games.hpp"
#include "store/sqlite/engine/engine.hpp"
#include "store/sqlite/engine/fine_sums.hpp"
#include "store/sqlite/engine/group_sums.hpp"
#include "store/sqlite/engine/position_scan.hpp"
#include "store/sqlite/engine/reached_games.hpp"

namespace fendex::store {

namespace {

using chess::Move;
using codec::GameFacts;
using codec::Tally;

GameFacts exchanged(GameFacts facts) {
    std::swap(facts.white_elo, facts.black_elo);
    if (facts.result == codec::Result::kWhiteWins) {
        facts.result = codec::Result::kBlackWins;
    } else if (facts.result == codec::Result::kBlackWins) {
        facts.result = codec::Result::kWhiteWins;
    }
    return facts;
}

class TreeBuilder {
  public:
    TreeBuilder(LocalReader& reader, const Engine::TreeLists& lists, base::StopCheck& stop)
        : reader_(reader), lists_(lists), stop_(stop) {}

    /// The sums must live until finish().
    void add(const PositionSums& sums) {
        total_.add(sums.total);
        for (const MoveSums& move : sums.moves) {
            Group& to = group_of(move.next.bits());
            to.tally.add(move.tally);
            to.sums.push_back(&move);
        }
    }

    void add(std::vector<replay::Occurrence> occurrences) {
        for (replay::Occurrence& occurrence : occurrences) {
            if (occurrence.mirrored && occurrence.next != codec::kGameEndsHere) {
                occurrence.next = chess::mirrored(occurrence.next);
            }
        }
        // A game that played the move with both colours counts once, as not mirrored.
        const auto earlier = [](const replay::Occurrence& a, const replay::Occurrence& b) {
            return std::tuple(a.next.bits(), a.game, a.mirrored) <
                   std::tuple(b.next.bits(), b.game, b.mirrored);
        };
        if (!std::ranges::is_sorted(occurrences, earlier)) {
            std::ranges::sort(occurrences, earlier);
        }
        Group* group = nullptr;
        const replay::Occurrence* last = nullptr;
        for (const replay::Occurrence& occurrence : occurrences) {
            stop_();
            if (last == nullptr || last->next != occurrence.next)
                group = &group_of(occurrence.next.bits());
            ++group->tally.occurrences;
            const bool again =
                last != nullptr && last->next == occurrence.next && last->game == occurrence.game;
            last = &occurrence;
            if (again) continue;
            const GameFacts facts = facts_of(occurrence);
            group->tally.add_game(facts);
            group->top.offer(occurrence.game, codec::rank_by_rating(facts));
            group->recent.offer(occurrence.game, codec::rank_by_date(facts));
        }
        add_total(std::move(occurrences));
    }

    /// Adds the games of a position that fit, except for the unverified ones. Must be called before
    /// other games are added.
    void add(const PositionGames& position, FittingGames& fitting) {
        std::vector<std::vector<std::uint32_t>> games;
        for (const PositionGames::Group& each : position.groups) {
            games.push_back(fitting.of(each.games, stop_));
        }
        const std::vector<GroupSums> sums = sums_of_groups(reader_, games, named_games(), stop_);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (games[i].empty()) continue;
            Tally tally = sums[i].tally;
            for (const std::uint32_t game : position.groups[i].again) {
                if (fitting.contain(game, stop_)) ++tally.occurrences;
            }
            Group& group = group_of(position.groups[i].next.bits());
            group.tally.add(tally);
            group.top = sums[i].top;
            group.recent = sums[i].recent;
            total_.add(tally);
        }
        for (const std::uint32_t game : position.in_others) {
            if (fitting.contain(game, stop_)) total_.remove_game(reader_.facts(game));
        }
    }
    /// Does the same with sums.
    void add(const PositionScan& scan) {
        for (const PositionScan::Group& each : scan.groups) {
            Group& group = group_of(each.next.bits());
            group.tally.add(each.tally);
            add_named(each.top, each.recent, 0, group);
        }
        total_.add(scan.total);
    }
    /// Does the same with fine sums.
    void add(const FineAnswer& fine) {
        Group* group = nullptr;
        chess::Move next;
        for (const FineAnswer::Sum& each : fine.sums) {
            if (group == nullptr || each.next != next) {
                group = &group_of(each.next.bits());
                next = each.next;
            }
            group->tally.add(each.sum->tally);
            total_.add(each.sum->tally);
            add_named(each.sum->top, each.sum->recent, each.first_game, *group);
        }
        for (const codec::FineSum* sum : fine.again) total_.remove_games(sum->tally);
    }

    std::size_t named_games() const { return lists_.lists == GameLists::kNone ? 0 : lists_.most; }

    Engine::Tree finish() const {
        Engine::Tree tree;
        tree.total = total_;
        if (lists_.lists != GameLists::kNone) {
            tree.top = top_games();
            tree.recent = recent_games();
        }
        for (const auto& [bits, group] : groups_) {
            Engine::PlayedMove& move = tree.moves.emplace_back();
            move.next = Move::from_bits(bits);
            move.tally = group.tally;
            if (!lists_.name_games_of(move.next, move.tally)) continue;
            BestGames best;
            add_top(move.next, group, best);
            move.top = choose_top(best);
        }
        return tree;
    }

  private:
    struct Group {
        Tally tally;
        std::vector<const MoveSums*> sums;
        // The named games that are not in `sums`.
        codec::NamedGames top;
        codec::NamedGames recent;
    };

    static void add_named(const codec::NamedGames& top, const codec::NamedGames& recent,
                          GameId first_game, Group& group) {
        for (const auto& each : top.entries()) {
            group.top.offer(first_game + each.game, each.rank);
        }
        for (const auto& each : recent.entries()) {
            group.recent.offer(first_game + each.game, each.rank);
        }
    }

    Group& group_of(std::uint16_t move) {
        const codec::NamedGames none(named_games());
        return groups_.try_emplace(move, Group{{}, {}, none, none}).first->second;
    }
    GameFacts facts_of(const replay::Occurrence& occurrence) {
        const GameFacts facts = reader_.facts(occurrence.game);
        return occurrence.mirrored ? exchanged(facts) : facts;
    }

    /// Adds games to the total, each once: a game that returned and played another move is in two
    /// groups. A game that had the position with both colours counts as not mirrored.
    void add_total(std::vector<replay::Occurrence> occurrences) {
        total_.occurrences += occurrences.size();
        std::ranges::stable_sort(
            occurrences, [](const replay::Occurrence& a, const replay::Occurrence& b) {
                return std::pair(a.game, a.mirrored) < std::pair(b.game, b.mirrored);
            });
        const replay::Occurrence* last = nullptr;
        for (const replay::Occurrence& occurrence : occurrences) {
            stop_();
            if (last == nullptr || last->game != occurrence.game)
                total_.add_game(facts_of(occurrence));
            last = &occurrence;
        }
    }

    static void add_top(Move move, const Group& group, BestGames& best) {
        for (const MoveSums* sums : group.sums) {
            best.add(move, sums->top_games, std::numeric_limits<std::uint64_t>::max());
        }
        best.add(move, group.top.entries());
    }
    std::vector<Engine::NamedGame> choose_top(BestGames& best) const {
        return best.choose(lists_.most, [&](GameId game) { return reader_.ranks(game).rating; });
    }
    std::vector<Engine::NamedGame> top_games() const {
        BestGames best;
        for (const auto& [bits, group] : groups_) add_top(Move::from_bits(bits), group, best);
        return choose_top(best);
    }
    std::vector<Engine::NamedGame> recent_games() const {
        BestGames best;
        for (const auto& [bits, group] : groups_) {
            const Move move = Move::from_bits(bits);
            for (const MoveSums* sums : group.sums) {
                best.add(move, sums->recent_games, sums->tally.last_date.number());
            }
            best.add(move, group.recent.entries());
        }
        return best.choose(lists_.most,
                           [&](GameId game) { return reader_.ranks(game).date.number(); });
    }

    LocalReader& reader_;
    const Engine::TreeLists& lists_;
    base::StopCheck& stop_;
    Tally total_;
    std::map<std::uint16_t, Group> groups_;
};

/// The tree of fewer games is quickly made again, unless many others were looked at for it.
constexpr std::uint64_t kGamesOfKeptTree = 1000;

std::size_t bytes_of(const Engine::Tree& tree) {
    const auto games = [](const auto& list) { return list.size() * sizeof list.front(); };
    std::size_t bytes = sizeof tree + games(tree.top) + games(tree.recent);
    for (const Engine::PlayedMove& move : tree.moves) bytes += sizeof move + games(move.top);
    return bytes;
}

}  // namespace

Engine::Tree LocalEngine::tree(Targets targets, const GameFilter& filter, const TreeLists& lists,
                               std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> fitting = this->fitting(filter, check);
    if (!is_one_position(targets) || fitting->takes_all()) {
        bool was_scanned = false;
        return new_tree(targets, *fitting, lists, was_scanned, check);
    }
    const std::string key = base::KeyText(fitting->key("tree"))
                                .add(targets.front().key)
                                .add(static_cast<std::uint64_t>(lists.lists))
                                .add(lists.most)
                                .add(lists.min_games)
                                .text();
    if (const auto known = reader_.snapshot_cache().get<Tree>(key)) return *known;
    bool was_scanned = false;
    const auto tree =
        std::make_shared<Tree>(new_tree(targets, *fitting, lists, was_scanned, check));
    if (was_scanned || tree->total.games >= kGamesOfKeptTree) {
        reader_.snapshot_cache().put(key, tree, bytes_of(*tree));
    }
    return *tree;
}

Engine::Tree LocalEngine::new_tree(Targets targets, FittingGames& fitting, const TreeLists& lists,
                                   bool& was_scanned, base::StopCheck& check) {
    TreeBuilder tree(reader_, lists, check);
    const auto fits = [&](GameId game) { return fitting.contain(game, check); };
    std::vector<replay::Occurrence> found;
    std::shared_ptr<const PositionOverview> overview;  // tree.finish() still reads its sums
    if (targets.size() == 1 && fitting.takes_all()) {
        overview = overview_of_position(reader_, targets.front().key);
        for (const PositionSums& sums : overview->sums) tree.add(sums);
        replay::OccurrenceReader(reader_).append(targets.front(), overview->candidates, fits, found,
                                                 check);
    } else if (const auto fine =
                   fine_answer(reader_, targets, fitting.filter(),
                               {.named_games = tree.named_games(), .may_leave_out = true}, check)) {
        tree.add(*fine);
        was_scanned = !fine->left_out.empty();
        tree.add(scan_left_out(reader_, targets.front().key, *fine, fitting,
                               {.named_games = tree.named_games()}, check));
        append_candidates(reader_, targets.front(), *fine, fitting.filter(), found, check);
    } else if (auto few = occurrences_in_few_games(reader_, fitting, targets, check)) {
        found = std::move(*few);
    } else if (!is_one_position(targets)) {
        found = occurrences_of(reader_, fitting, targets, check);
    } else if (const auto games = games_of_position_again(reader_, targets.front().key, check)) {
        tree.add(*games, fitting);
        replay::OccurrenceReader(reader_).append(targets.front(), candidates_of(*games), fits,
                                                 found, check);
    } else {
        const PositionScan scan = scan_position(reader_, targets.front().key, fitting,
                                                {.named_games = tree.named_games()}, check);
        tree.add(scan);
        replay::OccurrenceReader(reader_).append(targets.front(), scan.others, fits, found, check);
    }
    tree.add(std::move(found));
    return tree.finish();
}

}  // namespace fendex::store
