// Two games are identical if their players (compared by base::fold()), date, result, variant, start
// and moves are equal. Other tags do not count. Identical games have equal hashes; games with equal
// hashes must be compared by their texts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "codec/game_facts.hpp"
#include "store/records.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

/// Returns whether a game can be identical to another; false if it has no moves, or its rules are
/// unknown.
bool can_be_compared(const codec::GameFacts& facts);

std::uint64_t hash_of_name(std::string_view name);
std::uint64_t hash_of_players(std::uint64_t white, std::uint64_t black);
/// Hashes variant, start and moves. Uses only variant and plies of `facts`.
std::uint64_t hash_of_moves(const codec::GameFacts& facts, std::string_view start,
                            std::string_view moves);
/// Hashes everything that identifies a game.
std::uint64_t hash_of_game(std::uint64_t players, std::uint64_t moves,
                           const codec::GameFacts& facts);

/// Return texts that are equal if and only if the players, the moves (with variant and start), or
/// the whole games are equal.
std::string text_of_players(std::string_view white, std::string_view black);
std::string text_of_moves(const codec::GameFacts& facts, std::string_view start,
                          std::string_view moves);
std::string text_of_game(const std::string& players, const std::string& moves,
                         const codec::GameFacts& facts);

/// Returns the value of the game's first tag with this name; empty if there is none.
std::string_view tag_of(const StoredGame& game, std::string_view name);

/// The hashes of a game, by which possible duplicates are found.
struct GameHashes {
    GameId id = 0;
    codec::GameFacts facts;
    std::uint64_t players = 0;
    std::uint64_t moves = 0;
    std::uint64_t game = 0;
};

/// Calls visit() for every game that can be compared, in order. `moves` is valid until visit()
/// returns.
void for_each_hash(StoreReader& reader,
                   const std::function<void(const GameHashes&, const StoredMoves& moves)>& visit);

}  // namespace fendex::store
