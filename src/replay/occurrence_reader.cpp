#include "replay/occurrence_reader.hpp"

#include "replay/stored_walk.hpp"
#include "store/store_error.hpp"

namespace fendex::replay {

std::optional<chess::Move> OccurrenceReader::move_from(std::uint64_t key, store::GameId game) {
    if (!reader_.moves(game, moves_)) store::throw_no_game(game);
    std::optional<chess::Move> next;
    for_each_position(game, moves_, [&](const auto& walk) {
        if (!next && walk.position().key() == key) next = walk.next_move();
    });
    return next;
}

}  // namespace fendex::replay
