#include "ingest/overlap_filter.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "chess/zobrist.hpp"
#include "ingest/leave_out.hpp"
#include "replay/stored_walk.hpp"
#include "store/game_identity.hpp"

namespace fendex::ingest {

namespace {

using store::GameId;
using store::NewGame;
using store::NewGames;

bool has_tags(const store::StoredGame& stored, std::span<const store::TagPair> tags) {
    return std::equal(stored.tags.begin(), stored.tags.end(), tags.begin(), tags.end(),
                      [](const auto& a, const store::TagPair& b) {
                          return a.first == b.name && a.second == b.value;
                      });
}

/// Hashes moves and the values of tags. value_of(tag) returns the value of an element of `tags`.
template <typename Tags, typename ValueOf>
std::uint64_t hash_of(std::uint64_t moves, const Tags& tags, ValueOf value_of) {
    std::uint64_t hash = moves;
    for (const auto& tag : tags) {
        hash = chess::zobrist::mix(hash) + std::hash<std::string_view>{}(value_of(tag));
    }
    return hash;
}

/// Returns whether the stored game begins with these tags, of which the last may be cut off.
bool begins_with_tags(const store::StoredGame& stored, std::span<const store::TagPair> tags,
                      bool has_moves) {
    if (tags.size() > stored.tags.size()) return false;
    for (std::size_t i = 0; i < tags.size(); ++i) {
        const auto& [name, value] = stored.tags[i];
        const bool is_cut = i + 1 == tags.size() && !has_moves;
        if (name != tags[i].name || !(is_cut ? std::string_view(value).starts_with(tags[i].value)
                                             : value == tags[i].value)) {
            return false;
        }
    }
    return true;
}

std::vector<chess::Move> moves_of(GameId id, const store::StoredMoves& stored) {
    std::vector<chess::Move> moves;
    replay::with_walk(id, stored, [&](auto& walk) {
        for (; !walk.at_end(); walk.advance()) moves.push_back(walk.next_move());
    });
    return moves;
}

}  // namespace

OverlapFilter::OverlapFilter(store::Store& store, const std::vector<store::StoredSource>& sources,
                             const std::function<void()>& progress)
    : reader_(store.reader()) {
    for (const store::StoredSource& source : sources) {
        if (source.games == 0) continue;
        const store::GameRange range{source.first_game, source.first_game + source.games - 1};
        ranges_.push_back(range);
        reader_->for_each_game(range.first, [&](GameId id, const store::StoredGame& game) {
            if (id > range.last) return false;
            progress();
            const store::StoredMoves& moves = game.moves;
            const std::uint64_t hash = store::hash_of_moves(moves.facts, moves.start, moves.moves);
            by_hash_.emplace(
                hash_of(hash, game.tags,
                        [](const auto& tag) -> std::string_view { return tag.second; }),
                id);
            return true;
        });
    }
}

bool OverlapFilter::apply(NewGames& batch, bool is_cut, bool all_known) {
    std::vector<GameId> equal;
    for (const NewGame& game : batch.games) equal.push_back(equal_game(batch, game));
    if (is_cut && !equal.empty() && equal.back() == kNewGame &&
        begins_as_stored(batch, batch.games.back())) {
        equal.back() = kLeftOut;
    }
    if (all_known) std::ranges::replace(equal, kNewGame, kLeftOut);
    const bool last_left_out = leave_out(equal, batch);
    // The text between known games is known too, and may be cut off at its end.
    if (batch.games.empty())
        std::erase_if(batch.errors, [](const auto& each) { return !each.game; });
    return last_left_out;
}

/// Returns a stored game with these tags and moves, or kNewGame. Of several each is returned once,
/// in their order, and the last one after that.
GameId OverlapFilter::equal_game(const NewGames& batch, const NewGame& game) {
    const std::string_view moves = game.moves.of(batch.moves);
    const std::span<const store::TagPair> tags = game.tags.of(batch.tags);
    const std::uint64_t hash = hash_of(store::hash_of_moves(game.facts, game.start, moves), tags,
                                       [](const store::TagPair& tag) { return tag.value; });
    const auto [begin, end] = by_hash_.equal_range(hash);
    auto first = end;
    bool has_more = false;
    for (auto each = begin; each != end; ++each) {
        if (!reader_->game(each->second, stored_) || stored_.moves.start != game.start ||
            stored_.moves.moves != moves || stored_.moves.facts.plies != game.facts.plies ||
            stored_.moves.facts.variant != game.facts.variant || !has_tags(stored_, tags)) {
            continue;
        }
        has_more = first != end;
        if (first == end || each->second < first->second) first = each;
    }
    if (first == end) return kNewGame;
    const GameId found = first->second;
    if (has_more) by_hash_.erase(first);
    return found;
}

bool OverlapFilter::begins_as_stored(const NewGames& batch, const NewGame& game) {
    const store::StoredMoves cut{game.facts, std::string(game.start),
                                 std::string(game.moves.of(batch.moves))};
    const std::vector<chess::Move> moves = moves_of(0, cut);
    bool found = false;
    for (const store::GameRange& range : ranges_) {
        reader_->for_each_game(range.first, [&](GameId id, const store::StoredGame& stored) {
            if (id > range.last) return false;
            // The tag with its start may have been cut off.
            const bool same_start = stored.moves.start == cut.start || moves.empty();
            if (same_start && stored.moves.facts.plies >= moves.size() &&
                begins_with_tags(stored, game.tags.of(batch.tags), !moves.empty())) {
                const std::vector<chess::Move> all = moves_of(id, stored.moves);
                found = all.size() >= moves.size() &&
                        std::equal(moves.begin(), moves.end(), all.begin());
            }
            return !found;
        });
    }
    return found;
}

}  // namespace fendex::ingest
