// Finds the start and the variant of a game from its tag pairs. A pure function, for imports and
// for checks of stored games.
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
    /// A problem of the tag pair "Variant" or "FEN".
    struct Problem {
        std::string_view tag;
        std::string reason;
        std::string text;
        bool warning = false;  // nothing is lost
    };

    chess::Variant variant = chess::Variant::kStandard;
    std::optional<chess::AnyPosition> position;  // empty if the variant is kOther
    bool elsewhere = false;                      // not the variant's start: the game stores a FEN
    std::vector<Problem> problems;
};

/// Returns whether the tags name the variant: by a Variant tag other than "" and "?", or by a FEN
/// that only one variant has.
bool say_variant(std::span<const store::TagPair> tags);

GameStart start_of(std::span<const store::TagPair> tags);
/// Returns the FEN that a game with this start stores; empty if it stores none.
std::string stored_fen(const GameStart& start);
/// Returns the start of a game that is stored with this variant and this FEN. Usually that is
/// start_of(). If that does not match the stored values, an earlier program may have stored the
/// game. A program for format 4 treated all castling rights that standard chess does not have as
/// Chess960; another one treated the FEN "?" as a broken FEN. In these cases the function returns
/// what that program read. Moves are stored as indexes among the legal ones, so they can be
/// replayed only from the stored start.
GameStart start_of_stored(std::span<const store::TagPair> tags, chess::Variant variant,
                          std::string_view fen);

}  // namespace fendex::replay
