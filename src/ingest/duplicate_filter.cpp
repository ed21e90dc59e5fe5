#include "ingest/duplicate_filter.hpp"

#include <algorithm>

#include "store/fingerprint.hpp"
#include "store/game_identity.hpp"

namespace fendex::ingest {

namespace {

using store::GameId;
using store::NewGames;

/// The games of a batch by the numbers that they came with, and those that they get: 0 where they
/// are left out.
class Renumbering {
  public:
    Renumbering(GameId first, std::vector<GameId> ids) : first_(first), ids_(std::move(ids)) {}

    GameId operator()(GameId came_with) const { return ids_[came_with - first_]; }
    GameId by_posting(std::uint32_t number) const {
        return ids_[(number - codec::Posting::game_number(first_)) &
                    (codec::Posting::kMaxGames - 1)];
    }

    /// Of records that name a game, those stay whose game does.
    template <typename Record>
    void apply(std::vector<Record>& records) const {
        std::erase_if(records, [&](const Record& each) { return (*this)(each.game) == 0; });
        for (Record& each : records) each.game = (*this)(each.game);
    }
    void apply(std::vector<store::ImportError>& errors) const {
        std::erase_if(errors,
                      [&](const auto& each) { return each.game && (*this)(*each.game) == 0; });
        for (store::ImportError& each : errors) {
            if (each.game) each.game = (*this)(*each.game);
        }
    }

  private:
    GameId first_;
    std::vector<GameId> ids_;
};

std::string_view moves_of(const NewGames& batch, const store::NewGame& game) {
    return std::string_view(batch.moves).substr(game.moves.begin, game.moves.size);
}

std::string_view tag_of(const NewGames& batch, const store::NewGame& game, std::string_view name) {
    for (std::size_t i = 0; i < game.tags.size; ++i) {
        const store::TagPair& tag = batch.tags[game.tags.begin + i];
        if (tag.name == name) return tag.value;
    }
    return {};
}

}  // namespace

DuplicateFilter::DuplicateFilter(store::StoreReader& reader, store::StoreWriter& writer)
    : writer_(writer) {
    store::for_each_hash(reader, [&](const store::GameHashes& hashes, const store::StoredMoves&) {
        hashes_.emplace(hashes.game, hashes.id);
    });
}

std::uint64_t DuplicateFilter::apply(NewGames& batch, std::vector<codec::Posting>& postings) {
    first_ = writer_.next_game();
    of_batch_.clear();
    GameId next = first_;
    std::vector<GameId> ids;
    for (const store::NewGame& game : batch.games) {
        ids.push_back(is_known(batch, game, next) ? 0 : next++);
    }
    if (!ids.empty()) last_game_ = ids.back() == 0 ? std::nullopt : std::optional(ids.back());
    const std::uint64_t left_out = batch.games.size() - (next - first_);
    const Renumbering renumbering(batch.first, ids);
    std::size_t i = 0;
    std::erase_if(batch.games, [&](const auto&) { return ids[i++] == 0; });
    renumbering.apply(batch.repetitions);
    renumbering.apply(batch.quiet_runs);
    renumbering.apply(batch.errors);
    renumbering.apply(batch.ply_rows);
    std::erase_if(postings,
                  [&](const auto& each) { return renumbering.by_posting(each.game()) == 0; });
    batch.first = first_;
    batch.plies = batch.fingerprint = 0;
    batch.positions = postings.size();
    for (codec::Posting& each : postings) {
        const GameId id = renumbering.by_posting(each.game());
        each = {each.key, each.next(), codec::Posting::game_number(id), each.ply()};
        batch.plies += each.ply() != 0 ? 1U : 0U;
        batch.fingerprint += store::GameFingerprint(id).term(each.ply(), each.key);
    }
    return left_out;
}

/// Whether there is such a game; remembers it as game `next` where there is not.
bool DuplicateFilter::is_known(const NewGames& batch, const store::NewGame& game, GameId next) {
    std::string text;
    if (store::can_be_compared(game.facts)) {
        const std::string_view white = tag_of(batch, game, "White");
        const std::string_view black = tag_of(batch, game, "Black");
        const std::string_view moves = moves_of(batch, game);
        const std::uint64_t hash = store::hash_of_game(
            store::hash_of_players(store::hash_of_name(white), store::hash_of_name(black)),
            store::hash_of_moves(game.facts, game.start, moves), game.facts);
        text = store::text_of_game(store::text_of_players(white, black),
                                   store::text_of_moves(game.facts, game.start, moves), game.facts);
        const auto [begin, end] = hashes_.equal_range(hash);
        if (std::any_of(begin, end,
                        [&](const auto& known) { return text_of(known.second) == text; })) {
            return true;
        }
        hashes_.emplace(hash, next);
    }
    of_batch_.push_back(std::move(text));
    return false;
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
