#include "ingest/known_positions.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <variant>

#include "codec/packed_position.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::ingest {

void KnownPositions::keep_known(store::NewGames& batch) {
    reader_->refresh();
    const auto is_unknown = [&](const store::NewRecord& record) {
        codec::BitReader bits(record.bits.of(batch.record_bits));
        chess::AnyPosition position;
        return !codec::get_position(bits, position) || !is_known(position);
    };
    batch.unknown_records += std::erase_if(batch.records, is_unknown);
}

/// Replays the candidates, because some share only a part of the key.
bool KnownPositions::is_known(const chess::AnyPosition& position) {
    const std::unique_ptr<store::CandidateCursor> cursor =
        reader_->local()->candidates(position.key());
    store::Candidate candidate;
    store::GameId last = 0;
    while (cursor->next(candidate)) {
        if (candidate.game == last) continue;
        last = candidate.game;
        if (has_reached(candidate.game, position)) return true;
    }
    return false;
}

bool KnownPositions::has_reached(store::GameId game, const chess::AnyPosition& position) {
    if (!reader_->moves(game, moves_)) return false;
    bool found = false;
    replay::with_walk(game, moves_, [&](auto& walk) {
        using Board = std::decay_t<decltype(walk.position())>;
        const Board* wanted = nullptr;
        if constexpr (std::is_same_v<Board, chess::Position>) {
            wanted = position.standard();
        } else {
            wanted = position.of_variant();
        }
        if (wanted == nullptr) return;
        for (;; walk.advance()) {
            found = walk.position().key() == wanted->key() && walk.position().same_as(*wanted);
            if (found || walk.at_end()) return;
        }
    });
    return found;
}

}  // namespace fendex::ingest
