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

namespace fendex::ingest {

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

}  // namespace fendex::ingest
