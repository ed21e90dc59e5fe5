// Finds out what an input is. Games, records of positions, databases, programs, lists of positions
// and prose are recognised by their beginning, before anything is stored.
#pragma once

#include <memory>
#include <string>

#include "chess/types.hpp"
#include "pgn/byte_source.hpp"

namespace fendex::ingest {

/// How much of a text is examined.
inline constexpr std::size_t kCheckedBytes = std::size_t{64} << 10;

enum class TextKind {
    kGames,    // PGN
    kRecords,  // a record of a position in each line (record_lines.hpp)
};

/// A source of the same text, and what it is.
struct RecognisedText {
    std::unique_ptr<pgn::ByteSource> text;
    TextKind kind = TextKind::kGames;
    std::string head;  // the beginning of the text
};

/// Recognises a text by its beginning. Throws pgn::SourceError, which says what the text looks like
/// and what to do with it, unless that has a record, a tag pair or legal moves. Some other inputs
/// pass as games, because reading them will report the problem: a short input of blanks, one of
/// comments, and one that cannot be read that far. `variant` is the variant of games whose tags
/// name none.
RecognisedText recognise_text(std::unique_ptr<pgn::ByteSource> text, const std::string& path,
                              chess::Variant variant);
/// Does the same, and also throws for records.
RecognisedText require_pgn(std::unique_ptr<pgn::ByteSource> text, const std::string& path,
                           chess::Variant variant);

}  // namespace fendex::ingest
