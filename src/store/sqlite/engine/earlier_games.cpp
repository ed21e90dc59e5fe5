// Games that were played before another one, and reached a position. The games of a position with
// few postings are replayed and compared; those of one with more are counted by equal keys.
#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "replay/occurrence_reader.hpp"
#include "store/sqlite/engine/engine.hpp"

namespace fendex::store {

namespace {

bool is_earlier(LocalReader& reader, const Engine::Earlier& earlier, GameId game) {
    if (std::ranges::binary_search(earlier.except, game)) return false;
    return earlier.before.year() == 0 ||
           codec::is_certainly_before(reader.facts(game).date, earlier.before);
}

/// Returns whether the sums of the store may include games that count. A date with unknown parts is
/// a lower bound of the days that it allows.
bool has_early_sums(const PositionTotals& totals, codec::Date before) {
    return std::ranges::any_of(totals.sums, [&](const codec::Tally& sums) {
        return before.year() == 0 || (sums.last_date != 0 && sums.first_date < before.first_day());
    });
}

/// Sums up occurrences in games that count, in the order of games and moves.
Engine::Tree tree_of(LocalReader& reader, const std::vector<replay::Occurrence>& occurrences) {
    Engine::Tree tree;
    std::map<std::uint16_t, codec::Tally> moves;
    std::pair<std::uint64_t, GameId> latest;
    const replay::Occurrence* before = nullptr;
    for (const replay::Occurrence& each : occurrences) {
        const bool same_game = before != nullptr && before->game == each.game;
        const codec::GameFacts facts = reader.facts(each.game);
        codec::Tally& of_move = moves[each.next.bits()];
        if (!same_game) tree.total.add_game(facts);
        if (!same_game || before->next != each.next) of_move.add_game(facts);
        const std::pair rank(codec::rank_by_date(facts), ~each.game);
        if (tree.recent.empty() || rank > latest) {
            latest = rank;
            tree.recent = {{each.game, each.next, rank.first}};
        }
        before = &each;
    }
    for (const auto& [bits, tally] : moves) {
        tree.moves.push_back({chess::Move::from_bits(bits), tally, {}});
    }
    return tree;
}

}  // namespace

std::optional<std::size_t> LocalEngine::last_reached(std::span<const std::uint64_t> keys,
                                                     const Earlier& earlier, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    for (std::size_t i = keys.size(); i-- > 0;) {
        check();
        const auto totals = totals_of_position(reader_, keys[i]);
        if (has_early_sums(*totals, earlier.before) ||
            std::ranges::any_of(totals->candidates, [&](const Candidate& each) {
                return is_earlier(reader_, earlier, each.game);
            })) {
            return i;
        }
    }
    return std::nullopt;
}

Engine::Tree LocalEngine::earlier_tree(std::uint64_t key, const Earlier& earlier,
                                       std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> games = fitting(earlier.filter, check);
    const auto fits = [&](GameId game) { return games->contain(game, check); };
    replay::OccurrenceReader reader(reader_);
    std::vector<replay::Occurrence> found;
    std::vector<Candidate> counted;
    const auto add = [&](std::span<const Candidate> candidates) {
        counted.clear();
        std::ranges::copy_if(candidates, std::back_inserter(counted), [&](const Candidate& each) {
            check();
            return is_earlier(reader_, earlier, each.game);
        });
        reader.append({key}, counted, fits, found, check);
    };
    const auto totals = totals_of_position(reader_, key);
    if (has_early_sums(*totals, earlier.before)) {
        reader_.for_each_candidate_group(key, add);
    } else {
        add(totals->candidates);
    }
    std::ranges::sort(found, {},
                      [](const auto& each) { return std::pair(each.game, each.next.bits()); });
    return tree_of(reader_, found);
}

std::vector<GameId> LocalEngine::earlier_ends(std::uint64_t key, std::uint32_t plies,
                                              const Earlier& earlier, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    std::vector<GameId> out;
    reader_.for_each_candidate_group(key, [&](std::span<const Candidate> candidates) {
        for (const Candidate& each : candidates) {
            check();
            if (each.ply && (*each.ply != plies || each.next != codec::kGameEndsHere)) continue;
            if (reader_.facts(each.game).plies == plies &&
                is_earlier(reader_, earlier, each.game)) {
                out.push_back(each.game);
            }
        }
    });
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace fendex::store
