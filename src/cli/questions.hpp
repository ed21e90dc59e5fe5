// The positions a command line asks for: FENs, moves from the start, keys, files of FENs; one after
// the other, so that a file of any length can be asked.
#pragma once

#include <deque>
#include <fstream>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

/// A FEN as it was given, and where.
struct FenRecord {
    std::string text;
    std::string where;  // "positions.fen:12", empty for the command line
};

/// FENs of the command line, then those of a file ("-" is standard input), a record a line; empty
/// lines and those that begin with # are none.
class FenRecords {
  public:
    FenRecords(std::vector<std::string> words, const std::optional<std::string>& file);
    std::optional<FenRecord> next();

  private:
    std::deque<std::string> given_;
    std::string file_name_;
    std::ifstream file_;
    std::istream* lines_ = nullptr;
    std::size_t line_ = 0;
};

/// Shells split an unquoted FEN into words: what has ranks begins one, what follows belongs to it.
std::vector<std::string> join_fens(const std::vector<std::string>& words);

/// The position that a FEN in any dialect is. Throws UsageError.
chess::Position position_of(const std::string& fen);

/// The position after the moves that an option gives, as in "1.e4 c5 2.Nf3" or "e2e4 c7c5". Throws
/// UsageError.
chess::Position position_after(const chess::Position& start, const std::string& option,
                               const std::string& moves);

/// --match.
Option match_option();

/// Sixteen hex digits. Throws UsageError.
std::uint64_t parse_key(const std::string& text);

}  // namespace fendex::cli
