// When two games are the same: their players, as base::fold() makes names comparable, date, result,
// variant, start and moves are equal. Other tags do not count. Hashes only propose: equal games
// have equal hashes, and the texts decide.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "codec/game_facts.hpp"
#include "store/records.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

/// Returns whether a game can be the same as another: not if it has no moves or they are unknown.
bool can_be_compared(const codec::GameFacts& facts);

std::uint64_t hash_of_name(std::string_view name);
std::uint64_t hash_of_players(std::uint64_t white, std::uint64_t black);
/// Variant, start and moves. `facts` need its variant and plies only.
std::uint64_t hash_of_moves(const codec::GameFacts& facts, std::string_view start,
                            std::string_view moves);
/// Hashes everything that identifies a game.
std::uint64_t hash_of_game(std::uint64_t players, std::uint64_t moves,
                           const codec::GameFacts& facts);

/// Texts that are equal where what they are of is.
std::string text_of_players(std::string_view white, std::string_view black);
std::string text_of_moves(const codec::GameFacts& facts, std::string_view start,
                          std::string_view moves);
std::string text_of_game(const std::string& players, const std::string& moves,
                         const codec::GameFacts& facts);

/// The value of a game's first tag of this name; empty where it has none.
std::string_view tag_of(const StoredGame& game, std::string_view name);

/// What a game is proposed for.
struct GameHashes {
    GameId id = 0;
    codec::GameFacts facts;
    std::uint64_t players = 0;
    std::uint64_t moves = 0;
    std::uint64_t game = 0;
};

/// Calls visit for every game that can be compared, in order. `moves` live until it returns.
void for_each_hash(StoreReader& reader,
                   const std::function<void(const GameHashes&, const StoredMoves& moves)>& visit);

}  // namespace fendex::store
