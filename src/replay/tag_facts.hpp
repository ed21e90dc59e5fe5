// Reads numbers from tag pairs. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "codec/game_facts.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// The version of the rules by which these functions read. It grows with each change that gives
/// some value another meaning. A database without a version was made by version 1, which took the
/// first number of a time control as seconds, and the first number of "31.12.1999" as a year.
inline constexpr std::uint64_t kTagFactRule = 2;

/// Reads a result in the spelling of the standard or of match_result(), perhaps with blanks around
/// it; kUnknown for anything else.
codec::Result result_of_tag(std::string_view value);
/// "2851" -> 2851; 0 for anything that is not a rating.
std::uint16_t elo_of(std::string_view value);
/// "1851.06.21" -> 18510621, "1998.??.??" -> 19980000; 0 for anything that does not begin with the
/// four digits of a year.
codec::Date date_of(std::string_view value);
/// Reads "Rated Blitz game" and "Casual Rapid game", as Lichess names events.
codec::Mode mode_of(std::string_view event);

/// Reads result, ratings, date, time control and mode of a game with these tag pairs; `marker` is
/// the result if no tag names one.
void read_facts(std::span<const store::TagPair> tags, codec::Result marker,
                codec::GameFacts& facts);
/// Like read_facts(), for a game that is stored with the result `stored`. A tag overrides it only
/// if it names another result in the spelling of the standard, because programs for format 4 did
/// not read other spellings.
void read_stored_facts(std::span<const store::TagPair> tags, codec::Result stored,
                       codec::GameFacts& facts);

}  // namespace fendex::replay
