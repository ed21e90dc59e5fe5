// Conditions on players, events, dates, ratings and the like; all must hold. Plain values, which
// are passed to a store.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/game_facts.hpp"

namespace fendex::store {

/// The numbers from low to high, including both.
struct NumberRange {
    std::uint32_t low = 0;
    std::uint32_t high = std::numeric_limits<std::uint32_t>::max();

    bool contains(std::uint32_t number) const { return number >= low && number <= high; }
    bool is_everything() const { return *this == NumberRange{}; }
    bool operator==(const NumberRange&) const = default;
};

struct GameFilter {
    // Names are compared without regard to case and accents. Each word is a prefix of a word of the
    // game's name, in any order. `termination` is a prefix of the whole value.
    std::string white;
    std::string black;
    // The whole name. If the database does not have this name, names match that differ only in
    // case, accents and punctuation marks.
    std::string white_named;
    std::string black_named;
    std::string player;    // white or black
    std::string opponent;  // the opponent of `player`, with either colour; empty: any
    std::string event;
    /// The whole name of the event, as it is, or a name that is joined with it;
    /// store::kUnknownName: the event is unknown.
    std::string event_named;
    std::string site;
    std::string termination;
    /// ECO codes from..to, compared by prefix: "B9" to "B9" is B90 to B99.
    std::optional<std::pair<std::string, std::string>> eco;
    // The opening that the moves reached: words of its name, in any order, and ECO codes as in
    // `eco`.
    std::string opening;
    std::optional<std::pair<std::string, std::string>> opening_eco;
    std::optional<codec::Result> result;
    /// As yyyymmdd. A game without a year never fits; unknown months and days count as the first.
    NumberRange date;
    /// A game without the rating never fits.
    NumberRange white_elo;
    NumberRange black_elo;
    /// The mean of both ratings, rounded down, is in one of these ranges. A game with an unknown
    /// rating never fits. No game fits an empty list.
    std::optional<std::vector<NumberRange>> mean_elo;
    NumberRange plies;
    /// A move lost at least so many centipawns (codec/swing.hpp): by the game's own evaluations or,
    /// if it has none, by the records of positions. A game without both never fits. It is a move of
    /// `player`, or of either player if there is no `player` or an `opponent`.
    std::optional<std::uint32_t> swing;
    std::optional<std::uint32_t> white_swing;  // a move of White
    std::optional<std::uint32_t> black_swing;
    std::optional<std::vector<codec::TimeClass>> time_classes;  // one of these
    std::optional<codec::Mode> mode;
    std::optional<std::vector<codec::Mode>> modes;  // one of these
    /// kStandard includes Chess960; kChess960 does not include standard chess. kOther is for games
    /// with unknown rules.
    std::optional<chess::Variant> variant;
    /// The number of a source, its path or the end of its path.
    std::string source;
    std::vector<std::pair<std::string, std::string>> tags;  // name, exact value

    [[nodiscard]] bool is_swing_of_player() const { return !player.empty() && opponent.empty(); }
    [[nodiscard]] bool has_swing() const { return swing || white_swing || black_swing; }
    bool operator==(const GameFilter&) const = default;
};

/// Returns whether a filter for `asked` accepts games of `variant`: kStandard accepts Chess960 too.
constexpr bool is_of_variant(chess::Variant variant, chess::Variant asked) {
    return variant == asked ||
           (asked == chess::Variant::kStandard && variant == chess::Variant::kChess960);
}

/// Returns whether a filter compares nothing but what fine sums (codec/fine_sums.hpp) are apart by:
/// facts of games (codec/game_facts.hpp).
inline bool is_for_fine_sums(const GameFilter& filter) {
    GameFilter rest = filter;
    rest.date = {};
    rest.mean_elo.reset();
    rest.time_classes.reset();
    rest.mode.reset();
    rest.modes.reset();
    rest.variant.reset();
    return rest == GameFilter{};
}

/// Returns whether `range`, as in GameFilter::eco, includes this code.
inline bool has_eco(const std::pair<std::string, std::string>& range, std::string_view eco) {
    return eco >= range.first && !eco.empty() && eco.substr(0, range.second.size()) <= range.second;
}

}  // namespace fendex::store
