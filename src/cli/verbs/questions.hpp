// The positions a command line asks for: FENs, moves from the start, keys, files of FENs; one after
// the other, so that a file of any length can be asked.
#pragma once

#include <deque>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/arguments.hpp"
#include "cli/options/say.hpp"
#include "cli/output/output.hpp"
#include "cli/output/question_label.hpp"
#include "cli/verbs/verbs.hpp"
#include "query/position_search.hpp"

namespace fendex::cli {

/// A FEN as it was given, and where.
struct FenRecord {
    std::string text;
    std::string where;  // "positions.fen:12", empty for the command line
};

/// A word that ends with .fen or .epd, in whatever case, is a file: no FEN does.
bool is_record_file(const std::string& word);

/// What to say where a file was given, and nothing to ask is in it.
inline constexpr const char* kNoneInFile = "which position? There is none in the file";

/// FENs and files of the command line, then another file ("-" is standard input). A file has a
/// record a line; empty lines and those that begin with # are none. Records are read when they are
/// asked for.
class FenRecords {
  public:
    /// Throws UsageError where a file cannot be opened.
    FenRecords(const std::vector<std::string>& words, const std::optional<std::string>& file);
    std::optional<FenRecord> next();

    /// There is something to ask, if only an empty file.
    bool given() const { return given_; }

  private:
    struct Source {
        std::string text;  // a FEN, or the name of a file
        std::unique_ptr<std::ifstream> file;
        std::istream* lines = nullptr;  // empty: a FEN
        std::size_t line = 0;
    };
    void add_file(const std::string& name);

    std::deque<Source> sources_;
    bool given_ = false;
};

/// --fens.
Option fens_option();

/// A position that is asked for, with what EPD says of it.
struct AskedPosition {
    std::optional<chess::AnyPosition> position;  // empty: the error says why
    std::string error;
    CarriedOperations operations;
    /// "positions.fen:12: ", as errors and hints begin; empty for what was not asked for.
    std::string where;
};
/// Its FEN is of `variant`, or of the one that it tells by itself, and can be asked for with
/// `match`.
std::optional<AskedPosition> next_position(FenRecords& records,
                                           std::optional<chess::Variant> variant,
                                           query::Match match = query::Match::kExact);

/// The positions of a command line, in its order: FENs, files and --fens, each after the moves that
/// are given, if any; without a FEN, the start after those moves.
class AskedPositions {
  public:
    /// `option` names the moves in messages. With `or_start` the start is asked for if there are
    /// neither FENs nor moves.
    AskedPositions(const Arguments& arguments, std::string option, std::vector<std::string> moves,
                   bool or_start);
    std::optional<AskedPosition> next();
    /// There is a FEN or a file to ask, if only an empty one.
    bool has_records() const { return records_.given(); }

  private:
    FenRecords records_;
    std::optional<chess::Variant> variant_;
    query::Match match_;
    std::string option_;
    std::vector<std::string> moves_;
    bool start_;                           // is still to be asked for
    std::optional<AskedPosition> before_;  // the moves that are still to be played from here
    std::size_t next_moves_ = 0;
};

/// Answers one question after the other: next() gives them, with their errors and operations;
/// answer(question, label) says whether there was anything to say. Returns the exit status: a
/// question that is none is reported, and the others are answered. `output` is written out behind
/// each, and but for the second no question is read before its forerunner is answered: another
/// program may ask what it learns from the answers. Throws UsageError where there is no question at
/// all.
template <typename Next, typename Answer>
int answer_each(Next next, Answer answer, Output& output, Format format, const char* none) {
    auto question = next();
    if (!question) throw UsageError(none);
    auto following = next();
    const bool several = following.has_value();
    bool found = false;
    bool failed = false;
    for (std::int64_t number = 1; question; ++number) {
        if (question->error.empty()) {
            found |= answer(*question, QuestionLabel(several ? std::optional(number) : std::nullopt,
                                                     std::move(question->operations), format));
        } else {
            say(question->error);
            failed = true;
        }
        if (several) output.flush();
        question = following ? std::exchange(following, std::nullopt) : next();
    }
    return failed ? kError : found ? kFound : kNothingFound;
}

/// The variant that --variant names, where it is given: of FENs, and of the start. Throws
/// UsageError.
std::optional<chess::Variant> variant_asked(const Arguments& arguments);

/// The position that a FEN in any dialect is, of this variant or of the one it tells by itself.
/// Throws UsageError.
chess::AnyPosition position_of(const std::string& fen, std::optional<chess::Variant> variant);
/// Where a game of the variant, or of standard chess, begins.
chess::AnyPosition start_asked(std::optional<chess::Variant> variant);

/// --match.
Option match_option();

/// Sixteen hex digits. Throws UsageError.
std::uint64_t parse_key(const std::string& text);

}  // namespace fendex::cli
