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
/// and what to do with it, unless its beginning has a tag pair or legal moves. Some other inputs
/// pass, because reading them will report the problem: a short input of blanks, one of comments,
/// and one that cannot be read that far. `variant` is the variant of games whose tags name none. If
/// `head` is not null, it receives the beginning of the text.
std::unique_ptr<pgn::ByteSource> require_pgn(std::unique_ptr<pgn::ByteSource> text,
                                             const std::string& path, chess::Variant variant,
                                             std::string* head = nullptr);

}  // namespace fendex::ingest
