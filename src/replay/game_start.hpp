// Where a game begins and by what rules it is played, as its tag pairs say. A pure function, for
// whoever reads a game and whoever checks one that is stored.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"
#include "store/records.hpp"

namespace fendex::replay {

struct GameStart {
    /// Something about a tag pair, which is "Variant" or "FEN".
    struct Problem {
        std::string_view tag;
        std::string reason;
        std::string text;
    };

    chess::Variant variant = chess::Variant::kStandard;
    std::optional<chess::AnyPosition> position;  // empty where the variant is kOther
    bool elsewhere = false;                      // not the variant's start: the game stores a FEN
    std::vector<Problem> problems;
};

/// Whether tags say by what rules the game is played: the tag Variant, but for "" and "?", or a FEN
/// that only one variant has.
bool say_variant(std::span<const store::TagPair> tags);

GameStart start_of(std::span<const store::TagPair> tags);
/// The FEN that a game with this start stores; empty if it stores none.
std::string stored_fen(const GameStart& start);
/// The start of a game that is stored with this variant and this FEN: start_of(), or, if that is
/// not what is stored, what the programs that made format 4 read in the same tags, if that is. They
/// took every castling right that standard chess does not have for one of Chess960. The moves are
/// stored as places among the legal ones: they can be replayed from the stored start only.
GameStart start_of_stored(std::span<const store::TagPair> tags, chess::Variant variant,
                          std::string_view fen);

}  // namespace fendex::replay
