// The rule by which two records are one game although their headers or last moves differ.
//
// The records must begin with the same moves, up to the end of the shorter one or one ply before
// it. How many plies they must share depends on their headers: kFewestSharedPlies, and more for
// each header that is unknown or differs (kPlies...). Short games, above all short draws, are often
// played again, so only records with nearly the same headers are one short game; no two
// games go on alike for long, so long ones may lack any header. Records in which both players have
// other names are never one game.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/name_fit.hpp"
#include "codec/date.hpp"
#include "codec/game_facts.hpp"

namespace fendex::query {

/// Shorter games may share all moves by chance, so they are compared only for identity.
inline constexpr std::uint32_t kFewestSharedPlies = 20;

// By how many plies the shared moves must be longer. Those for unknown players and for unknown,
// near and other dates count twice if the shorter game is drawn, because draws are repeated.
inline constexpr std::uint32_t kPliesUnknownPlayer = 6;  // for each player
inline constexpr std::uint32_t kPliesOtherPlayer = 40;   // one of the two
inline constexpr std::uint32_t kPliesPartOfDate = 4;     // one date is a part of the other
inline constexpr std::uint32_t kPliesNearDate = 8;
inline constexpr std::uint32_t kPliesUnknownDate = 6;
inline constexpr std::uint32_t kPliesOtherDate = 40;
inline constexpr std::uint32_t kPliesUnknownEvent = 4;
inline constexpr std::uint32_t kPliesOtherEvent = 8;
inline constexpr std::uint32_t kPliesOtherRound = 12;  // of one event
inline constexpr std::uint32_t kPliesOtherAddress = 40;
inline constexpr std::uint32_t kPliesOtherResult = 8;
inline constexpr std::uint32_t kPliesCutShort = 6;
inline constexpr std::uint32_t kPliesOtherLastMove = 10;

/// Returns whether a tag has a known value.
[[nodiscard]] bool says_something(std::string_view value);

enum class DateFit {
    kOther,
    kUnknown,
    kNear,  // at most kMostDaysApart, or one digit differs, or day and month are exchanged
    kPart,  // what is known of both is equal
    kSame,
};
inline constexpr int kMostDaysApart = 14;
[[nodiscard]] DateFit dates_fit(codec::Date a, codec::Date b);

enum class TextFit {
    kOther,
    kUnknown,
    kNear,  // half of the letters of one are in words that are alike in the other
    kSame,
};
/// Compares names of events or places.
[[nodiscard]] TextFit texts_fit(std::string_view a, std::string_view b);

/// How the headers of two records fit.
struct HeaderFit {
    base::NameFit white = base::NameFit::kSame;
    base::NameFit black = base::NameFit::kSame;
    DateFit date = DateFit::kSame;
    TextFit event = TextFit::kSame;  // or of the sites, if that is better
    bool other_round = false;        // both are known
    bool other_address = false;      // both sites are addresses on the web
    bool other_result = false;       // both are known
    bool drawn = false;              // the result of the shorter game
};

/// How the moves of two records end.
enum class MovesFit { kSame, kCutShort, kOtherLastMove };

/// Returns how many plies two records must share to be one game; empty if they never are.
[[nodiscard]] std::optional<std::uint32_t> plies_needed(const HeaderFit& headers, MovesFit moves);

/// Returns how certain it is that records that share enough plies are one game: 50 if they share
/// just as many as needed; each 10 plies more halve the distance to 100.
[[nodiscard]] unsigned certainty(std::uint32_t shared, std::uint32_t needed);

}  // namespace fendex::query
