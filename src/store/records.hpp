// Values that cross the border of the store: what an import hands in, and what a reader gives back.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/game_facts.hpp"
#include "codec/game_signature.hpp"

namespace fendex::store {

/// Numbered from 1 in the order of the input.
using GameId = std::uint64_t;

struct TagPair {
    std::string_view name;
    std::string_view value;  // UTF-8
};

/// A range of a vector or string of the batch.
struct Range {
    std::size_t begin = 0;
    std::size_t size = 0;
};

struct NewGame {
    codec::GameFacts facts;
    codec::GameSignature signature;
    std::string_view start;  // canonical FEN of the start, empty for the standard one
    Range tags;              // in NewGames::tags
    Range moves;             // in NewGames::moves
};

struct NewRepetition {
    GameId game = 0;
    std::uint64_t key = 0;
    std::vector<std::uint32_t> plies;
};

struct ImportError {
    std::optional<GameId> game;  // empty: outside any game
    std::uint64_t byte = 0;      // in the uncompressed text
    std::uint64_t line = 0;
    std::optional<std::uint32_t> ply;  // plies that could be read before it
    std::string reason;
    std::string text;  // what could not be read
};

/// A row of table `ply`; the texts are in NewGames::ply_text one behind the other.
struct PlyRow {
    GameId game = 0;
    std::uint32_t ply = 0;
    std::uint64_t key = 0;
    std::size_t text = 0;
    std::uint8_t san_size = 0;  // 0 at the start
    std::uint8_t uci_size = 0;
    std::uint8_t fen_size = 0;
    std::uint8_t epd_size = 0;
};

/// Games in the order of the input, as a worker read them.
struct NewGames {
    GameId first = 1;  // id of games[0]; the others follow
    std::vector<NewGame> games;
    std::vector<TagPair> tags;
    std::string moves;
    std::vector<NewRepetition> repetitions;
    std::vector<ImportError> errors;
    std::vector<PlyRow> ply_rows;
    std::string ply_text;
    std::deque<std::string> owned;  // texts that are not views of the input
    std::uint64_t plies = 0;
    std::uint64_t positions = 0;  // plies and starts of the games that could be replayed
    std::uint64_t fingerprint = 0;
};

/// What a packed game needs to be replayed.
struct StoredMoves {
    codec::GameFacts facts;  // plies, variant and result only
    std::string start;       // canonical FEN, empty for the standard one
    std::string moves;
};

}  // namespace fendex::store
