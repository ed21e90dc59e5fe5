// Which games a question is about: conditions on players, events, dates, ratings and the like, all
// of which must hold. Plain values, which are handed to a store.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/game_facts.hpp"

namespace fendex::store {

/// From low to high, both included.
struct NumberRange {
    std::uint32_t low = 0;
    std::uint32_t high = std::numeric_limits<std::uint32_t>::max();

    bool contains(std::uint32_t number) const { return number >= low && number <= high; }
    bool is_everything() const { return *this == NumberRange{}; }
    bool operator==(const NumberRange&) const = default;
};

struct GameFilter {
    // Without regard to case and accents: names by words, each as a beginning, in any order; the
    // termination by how it begins.
    std::string white;
    std::string black;
    std::string player;  // either side
    std::string event;
    std::string site;
    std::string termination;
    /// ECO codes from..to, by their beginnings: "B9" to "B9" is B90 to B99.
    std::optional<std::pair<std::string, std::string>> eco;
    std::optional<codec::Result> result;
    /// As yyyymmdd. A game without year never fits; unknown months and days count as the earliest.
    NumberRange date;
    /// A game without the rating never fits.
    NumberRange white_elo;
    NumberRange black_elo;
    NumberRange plies;
    std::optional<codec::TimeClass> time_class;
    /// kStandard is Chess960 too; kChess960 that alone. kOther: games whose rules are not known.
    std::optional<chess::Variant> variant;
    /// The number of a source, its path or the end of it.
    std::string source;
    std::vector<std::pair<std::string, std::string>> tags;  // name, exact value
};

}  // namespace fendex::store
