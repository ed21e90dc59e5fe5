// What tag pairs say, as numbers: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "codec/game_facts.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// A result as the standard or match_result() has it, blanks around it allowed; kUnknown for
/// anything else.
codec::Result result_of_tag(std::string_view value);
/// "2851" -> 2851; 0 for anything that is no rating.
std::uint16_t elo_of(std::string_view value);
/// "1851.06.21" -> 18510621, "1998.??.??" -> 19980000; 0 for anything that is no date.
std::uint32_t date_of(std::string_view value);
/// By the estimated length of a game, base + 40 increments, as Lichess classes them: under 3
/// minutes bullet, under 8 blitz, under 25 rapid, else classical; a day or more a move is
/// correspondence.
codec::TimeClass time_class_of(std::string_view value);

/// Result, ratings, date and time control of a game that has these tag pairs; `marker` is the
/// result where no tag names one.
void read_facts(std::span<const store::TagPair> tags, codec::Result marker,
                codec::GameFacts& facts);
/// The same for a game that is stored with the result `stored`, which a tag contradicts only if it
/// names another one as the standard writes it: the programs that made format 4 took other
/// spellings for none.
void read_stored_facts(std::span<const store::TagPair> tags, codec::Result stored,
                       codec::GameFacts& facts);

}  // namespace fendex::replay
