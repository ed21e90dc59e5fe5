#include "replay/occurrence_reader.hpp"

#include "replay/stored_walk.hpp"
#include "store/store_error.hpp"

namespace fendex::replay {

std::optional<chess::Move> OccurrenceReader::move_from(std::uint64_t key, store::GameId game) {
    if (!reader_.moves(game, moves_)) store::throw_no_game(game);
    std::optional<chess::Move> next;
    with_walk(game, moves_, [&](auto& walk) {
        for (;; walk.advance()) {
            if (!next && walk.position().key() == key) {
                next = walk.at_end() ? codec::kGameEndsHere : walk.next_move();
            }
            if (walk.at_end()) break;
        }
    });
    return next;
}

}  // namespace fendex::replay
