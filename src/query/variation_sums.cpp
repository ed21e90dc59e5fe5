#include "query/variation_sums.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/stop_check.hpp"
#include "query/position_replay.hpp"
#include "query/variation_moves.hpp"
#include "replay/stored_walk.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

namespace {

using store::GameId;

/// The moves that a game played from a position.
struct PlayedMoves {
    bool reached = false;
    std::set<std::uint16_t> moves;
};

PlayedMoves played_from(const Question::Target& target, GameId game,
                        const store::StoredMoves& moves) {
    PlayedMoves out;
    replay::for_each_position(game, moves, [&](const auto& walk) {
        if (!matches(target, walk.position())) return;
        out.reached = true;
        if (!walk.at_end()) out.moves.insert(walk.next_move().bits());
    });
    return out;
}

class VariationSums {
  public:
    VariationSums(store::LocalReader& reader, const Question::Target& target,
                  store::Engine::Tree& sums)
        : reader_(reader), target_(target), sums_(sums) {
        for (const store::Engine::PlayedMove& each : sums.moves) add_place(each.next.bits()) = each;
    }

    void add(GameId game, const store::StoredMoves& moves, const VariationMoves& variations) {
        const PlayedMoves played = played_from(target_, game, moves);
        const codec::GameFacts facts = reader_.facts(game);
        if (!played.reached) sums_.total.add_game(facts);
        sums_.total.occurrences += variations.reached;
        for (const auto& [bits, times] : variations.moves) {
            store::Engine::PlayedMove& move = add_place(bits);
            move.tally.occurrences += times;
            if (!played.moves.contains(bits)) move.tally.add_game(facts);
        }
    }
    void finish() {
        sums_.moves.clear();
        for (auto& [bits, played] : moves_) sums_.moves.push_back(std::move(played));
    }

  private:
    store::Engine::PlayedMove& add_place(std::uint16_t bits) {
        store::Engine::PlayedMove& played = moves_[bits];
        played.next = chess::Move::from_bits(bits);
        return played;
    }

    store::LocalReader& reader_;
    const Question::Target& target_;
    store::Engine::Tree& sums_;
    std::map<std::uint16_t, store::Engine::PlayedMove> moves_;  // by Move::bits()
};

/// Returns the games that may have the position, in variations or not, in the order of numbers.
std::vector<GameId> games_with(store::StoreReader& reader, PositionSearch& search,
                               const Question& question, base::StopCheck& check,
                               const std::stop_token& stop) {
    constexpr std::size_t kListedAtOnce = 32 * 1024;
    const store::GameFilter& filter = search.matcher().filter();
    std::vector<GameId> games;
    const auto reached = reader.engine().find(question.keys(), filter, 0, stop);
    for (store::Engine::Reached each; reached->next(each);) {
        check();
        games.push_back(each.game.game);
    }
    const std::size_t of_games = games.size();
    GameId last = 0;
    for (bool more = true; more;) {
        const std::vector<GameId> some =
            reader.engine().in_variations(question.keys(), filter, last, kListedAtOnce, stop);
        games.insert(games.end(), some.begin(), some.end());
        if (!some.empty()) last = some.back();
        more = some.size() == kListedAtOnce;
    }
    std::inplace_merge(games.begin(), games.begin() + static_cast<std::ptrdiff_t>(of_games),
                       games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

}  // namespace

void add_variations(store::StoreReader& reader, PositionSearch& search, const Question& question,
                    store::Engine::Tree& sums, const std::stop_token& stop) {
    add_variations(
        reader, search, question, sums, [](GameId) { return true; },
        [](GameId, const codec::GameFacts&) {}, stop);
}

void add_variations(store::StoreReader& reader, PositionSearch& search, const Question& question,
                    store::Engine::Tree& sums, const CountsGame& counts, const FoundGame& found,
                    const std::stop_token& stop) {
    store::LocalReader& local = store::require(reader, store::Capability::kVariationScan);
    VariationReader variations(local);
    if (variations.empty()) return;
    base::StopCheck check(stop);
    VariationSums all(local, question.targets.front(), sums);
    std::vector<GameId> games = games_with(reader, search, question, check, stop);
    std::erase_if(games, [&](GameId game) { return !counts(game); });
    variations.read(
        games, question.targets.front(),
        [&](GameId game, const store::StoredMoves& moves, const VariationMoves& of_game) {
            all.add(game, moves, of_game);
            if (of_game.reached != 0) found(game, local.facts(game));
        },
        check);
    all.finish();
}

}  // namespace fendex::query
