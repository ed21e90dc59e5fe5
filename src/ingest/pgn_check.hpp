// Is an input PGN at all? Databases, programs, lists of positions and prose are told from it by
// their beginning, before anything is stored.
#pragma once

#include <memory>
#include <string>

#include "chess/types.hpp"
#include "pgn/byte_source.hpp"

namespace fendex::ingest {

/// How much of a text is looked at.
inline constexpr std::size_t kCheckedBytes = std::size_t{64} << 10;

/// A source of the same text. Throws pgn::SourceError, which says what the text looks like and what
/// can be done with it, unless its beginning has a tag pair or legal moves. An input without
/// anything but blanks and comments passes, and so does one that cannot be read so far: what there
/// is to say about these is said when they are read. `variant`: of games that do not say theirs.
std::unique_ptr<pgn::ByteSource> require_pgn(std::unique_ptr<pgn::ByteSource> text,
                                             const std::string& path, chess::Variant variant);

}  // namespace fendex::ingest
