// The positions that a command line asks for: FENs, moves from the start, keys, files of FENs. They
// are read one after the other, so files may have any length.
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

/// A FEN and where it was given.
struct FenRecord {
    std::string text;
    std::string where;  // "positions.fen:12", empty for the command line
};

/// The message for a file without positions.
inline constexpr const char* kNoneInFile = "which position? There is none in the file";

/// The FENs and files of the command line, then another file ("-" is standard input). A file has
/// one record per line; empty lines and lines that begin with # are skipped. Each record is read
/// when it is needed.
class FenRecords {
  public:
    /// Throws UsageError if a file cannot be opened.
    FenRecords(const std::vector<std::string>& words, const std::optional<std::string>& file);
    [[nodiscard]] std::optional<FenRecord> next();

    /// Returns whether there are FENs or files, even empty ones.
    bool given() const { return given_; }

  private:
    struct Source {
        std::string text;  // a FEN, or the name of a file
        std::unique_ptr<std::ifstream> file;
        std::istream* lines = nullptr;  // null: a FEN
        std::size_t line = 0;
    };
    void add_file(const std::string& name);

    std::deque<Source> sources_;
    bool given_ = false;
};

/// Returns the FENs and files of the command line: that of --fen, then the words after the
/// databases.
std::vector<std::string> position_words(const Arguments& arguments);

Option fen_option();
Option fens_option();

/// A position in question, with its EPD operations.
struct PositionRequest {
    std::optional<chess::AnyPosition> position;  // empty: the error says why
    std::string error;
    CarriedOperations operations;
    /// "positions.fen:12: ", which begins errors and hints; empty for the command line.
    std::string where;
};
/// Reads the next record as a FEN of `variant`; if that is empty, of the variant that the FEN
/// shows. The position must allow `match`.
[[nodiscard]] std::optional<PositionRequest> next_position(
    FenRecords& records, std::optional<chess::Variant> variant,
    query::Match match = query::Match::kExact);

/// The positions of a command line: --fen, FENs and files in their order, --fens. If moves are
/// given, they are played from each position, or from the start if there is none.
class PositionRequests {
  public:
    /// `option` names the moves in messages. If `or_start` and there are neither FENs nor moves,
    /// the start is the only position.
    PositionRequests(const Arguments& arguments, std::string option, std::vector<std::string> moves,
                     bool or_start);
    [[nodiscard]] std::optional<PositionRequest> next();
    /// Returns whether there are FENs or files, even empty ones.
    bool has_records() const { return records_.given(); }

  private:
    FenRecords records_;
    std::optional<chess::Variant> variant_;
    query::Match match_;
    std::string option_;
    std::vector<std::string> moves_;
    bool start_;                             // the start has not been returned yet
    std::optional<PositionRequest> before_;  // moves remain to be played from here
    std::size_t next_moves_ = 0;
};

/// Answers questions one after the other and returns the exit status. next() returns a question,
/// with its error and operations; answer(question, label) returns whether anything was found. A
/// faulty question is reported, and the others are still answered. If there are several questions,
/// `output` is flushed after each answer. The first two questions are read before the first answer,
/// each later one after the answer before it: another program can use an answer for its next
/// question. Throws UsageError with `none` if there is no question.
template <typename Next, typename Answer>
[[nodiscard]] int answer_each(Next next, Answer answer, Output& output, Format format,
                              const char* none) {
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

/// Returns the variant of --variant, if given. FENs and the start are of this variant. Throws
/// QuestionError.
std::optional<chess::Variant> variant_asked(const Arguments& arguments);

/// Returns the position of a FEN in any dialect. If no variant is given, the FEN shows it. Throws
/// UsageError.
chess::AnyPosition position_of(const std::string& fen, std::optional<chess::Variant> variant);
/// Returns the starting position of the variant, or of standard chess.
chess::AnyPosition start_asked(std::optional<chess::Variant> variant);

/// Reads sixteen hex digits. Throws UsageError.
[[nodiscard]] std::uint64_t parse_key(const std::string& text);

}  // namespace fendex::cli
