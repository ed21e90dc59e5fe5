#include "ingest/duplicate_filter.hpp"

#include <algorithm>

#include "ingest/leave_out.hpp"
#include "store/game_identity.hpp"

namespace fendex::ingest {

namespace {

using store::GameId;
using store::NewGames;

constexpr std::size_t kGamesBetweenCalls = 1024;

std::string_view tag_of(const NewGames& batch, const store::NewGame& game, std::string_view name) {
    for (const store::TagPair& tag : game.tags.of(batch.tags)) {
        if (tag.name == name) return tag.value;
    }
    return {};
}

}  // namespace

DuplicateFilter::DuplicateFilter(store::StoreReader& reader, store::StoreWriter& writer,
                                 const std::function<void()>& progress)
    : writer_(writer) {
    store::for_each_hash(reader, [&](const store::GameHashes& hashes, const store::StoredMoves&) {
        hashes_.emplace(hashes.game, hashes.id);
        if (hashes_.size() % kGamesBetweenCalls == 0) progress();
    });
}

bool DuplicateFilter::apply(NewGames& batch) {
    first_ = writer_.next_game();
    of_batch_.clear();
    std::vector<GameId> equal;
    for (const store::NewGame& game : batch.games) {
        const GameId found = equal_game(batch, game);
        equal.push_back(found < first_ ? found : kLeftOut);
    }
    return leave_out(equal, batch);
}

/// Returns an equal game, or kNewGame; remembers this one then.
GameId DuplicateFilter::equal_game(const NewGames& batch, const store::NewGame& game) {
    std::string text;
    if (store::can_be_compared(game.facts)) {
        const std::string_view white = tag_of(batch, game, "White");
        const std::string_view black = tag_of(batch, game, "Black");
        const std::string_view moves = game.moves.of(batch.moves);
        const std::uint64_t hash = store::hash_of_game(
            store::hash_of_players(store::hash_of_name(white), store::hash_of_name(black)),
            store::hash_of_moves(game.facts, game.start, moves), game.facts);
        text = store::text_of_game(store::text_of_players(white, black),
                                   store::text_of_moves(game.facts, game.start, moves), game.facts);
        const auto [begin, end] = hashes_.equal_range(hash);
        const auto found = std::find_if(
            begin, end, [&](const auto& known) { return text_of(known.second) == text; });
        if (found != end) return found->second;
        hashes_.emplace(hash, first_ + of_batch_.size());
    }
    of_batch_.push_back(std::move(text));
    return kNewGame;
}

std::string DuplicateFilter::text_of(GameId game) {
    if (game >= first_) return of_batch_[game - first_];
    if (!writer_.game(game, stored_)) return {};
    return store::text_of_game(
        store::text_of_players(store::tag_of(stored_, "White"), store::tag_of(stored_, "Black")),
        store::text_of_moves(stored_.moves.facts, stored_.moves.start, stored_.moves.moves),
        writer_.facts(game));
}

}  // namespace fendex::ingest
