// Describes what is known about a novelty, in the words of annotators: as text, and as a remark in
// the game's PGN.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "query/novelty.hpp"
#include "store/store_reader.hpp"

namespace fendex::emit {

/// The NAG "novelty" of the move.
inline constexpr std::string_view kNoveltyGlyph = "$146";

/// Returns players, place, year and result: "Kramnik - Leko, Linares 2003, 1-0". A surname is the
/// part of a name before the comma, or "?" if unknown. Other unknown parts are left out.
std::string game_in_words(const store::GameHeader& game);

/// Returns "Last known position: 12 games, most recently Kramnik - Leko, Linares 2003, 1-0. Played
/// before: Nf3 (9), d4 (3)", without braces. `last` is the header of known.last.
std::string novelty_comment(const query::KnownPosition& known, const store::GameHeader& last);

/// Returns an annotation (a stream of codec::AnnotationStreamWriter, or empty) with a glyph and a
/// comment after the move that leads to `ply`: after the glyphs that the move has, before its
/// comments and variations. A glyph that the move has already is not repeated. Throws
/// std::invalid_argument if the annotation is damaged.
std::string with_remark(std::string_view annotation, std::uint32_t ply, std::string_view glyph,
                        std::string_view comment);

}  // namespace fendex::emit
