// Checks whether an input is PGN at all. Databases, programs, lists of positions and prose are
// recognised by their beginning, before anything is stored.
#pragma once

#include <memory>
#include <string>

#include "chess/types.hpp"
#include "pgn/byte_source.hpp"

namespace fendex::ingest {

/// How much of a text is examined.
inline constexpr std::size_t kCheckedBytes = std::size_t{64} << 10;

/// Returns a source of the same text. Throws pgn::SourceError, which says what the text looks like
/// and what to do with it, unless its beginning has a tag pair or legal moves. A short input of
/// blanks passes, and so do one of comments and one that cannot be read so far; reading them will
/// report the problem. `variant` is that of games that do not name theirs. `head`, if not null,
/// gets the beginning of the text.
std::unique_ptr<pgn::ByteSource> require_pgn(std::unique_ptr<pgn::ByteSource> text,
                                             const std::string& path, chess::Variant variant,
                                             std::string* head = nullptr);

}  // namespace fendex::ingest
