#include "query/sequence_text.hpp"

#include <charconv>
#include <utility>

#include "base/cut.hpp"
#include "query/move_text.hpp"

namespace fendex::query {

namespace {

/// What a step says, word by word.
class StepReader {
  public:
    /// `is_first` is about a step that follows no other.
    StepReader(std::string_view text, bool is_first) : rest_(text), is_first_(is_first) {}

    /// Empty if all is well.
    std::string read() {
        for (std::string_view word = next_word(); !word.empty(); word = next_word()) {
            if (std::string error = read_word(word); !error.empty()) return error;
            any_ = true;
        }
        if (!any_) return "a board, material or a move is missing";
        if (!quiet_) return {};
        if (move_.captures == MoveCondition::Captures::kOnly) return "a capture is not quiet";
        move_.needs_move = true;
        move_.captures = MoveCondition::Captures::kNone;
        return {};
    }

    /// Sets what the words say of the position, besides what is there.
    void add_to(PatternText& pattern) const {
        if (board_) pattern.board = board_;
        if (!material_.empty()) pattern.material = material_;
    }
    const MoveCondition& move() const { return move_; }
    std::optional<std::uint32_t> within() const { return within_; }
    bool has_board() const { return board_.has_value(); }
    bool has_material() const { return !material_.empty(); }

  private:
    std::string_view next_word() { return base::cut_word<' ', '\t'>(rest_); }

    std::string read_word(std::string_view word) {
        if (word == "any") return {};
        if (word == "quiet") {
            quiet_ = true;
            return {};
        }
        if (word == "white") return set_side(chess::Color::kWhite);
        if (word == "black") return set_side(chess::Color::kBlack);
        if (word == "within") return read_within(next_word());
        if (word.find('/') != std::string_view::npos) {
            if (board_) return quoted(word) + " is a second board";
            board_ = word;
            return {};
        }
        if (is_material(word)) {
            if (!material_.empty()) material_ += ' ';
            material_ += word;
            return {};
        }
        if (move_.needs_move) return quoted(word) + " is a second move; a step has one";
        std::string error = read_move_condition(word, move_);
        return error.empty() ? error : quoted(word) + ", " + error;
    }

    static bool is_material(std::string_view word) {
        if (word == "opposite" || word.find_first_of("vV") != std::string_view::npos) return true;
        // "R>=1" or "R-r>=1"
        const std::size_t op = word.find_first_of("=!<>");
        return (op == 1 || (op == 3 && word[1] == '-')) &&
               chess::kFenLetters.find(word[0]) != std::string_view::npos;
    }

    std::string set_side(chess::Color side) {
        if (move_.side && *move_.side != side) return "white and black cannot both be to move";
        move_.side = side;
        return {};
    }

    std::string read_within(std::string_view word) {
        if (is_first_) return "within is of a step that follows another";
        std::uint32_t plies = 0;
        const char* const end = word.data() + word.size();
        const auto [after, failure] = std::from_chars(word.data(), end, plies);
        if (failure != std::errc() || after != end || plies == 0) {
            return "within takes a number of plies, 1 or more, not " + quoted(word);
        }
        within_ = plies;
        return {};
    }

    std::string_view rest_;
    bool is_first_;
    bool any_ = false;
    bool quiet_ = false;
    std::optional<std::string_view> board_;
    std::string material_;
    MoveCondition move_;
    std::optional<std::uint32_t> within_;
};

struct StepResult {
    std::optional<PatternStep> step;
    std::string_view field;
    std::string error;
};

/// Makes a step of its words and of the pattern that is given besides them.
StepResult make_step(const StepReader& words, PatternText pattern) {
    words.add_to(pattern);
    PatternResult result = parse_pattern(pattern);
    if (!result.pattern) return {std::nullopt, result.field, std::move(result.error)};
    MoveCondition move = words.move();
    move.captures_explode = pattern.variant == chess::Variant::kAtomic;
    PatternStep step{*std::move(result.pattern), {move}};
    if (pattern.either_side) step.moves.push_back(move.mirrored());
    if (words.within()) step.within = *words.within();
    return {std::move(step), {}, {}};
}

/// Names the part of a step that is wrong.
std::string error_in_pattern(const StepReader& words, const StepResult& result) {
    PatternText pattern;
    words.add_to(pattern);
    return quoted(result.field == "pattern" ? *pattern.board : *pattern.material) + ", " +
           result.error;
}

StepResult first_step(const SequenceText& text) {
    StepReader words(text.move ? *text.move : "any", true);
    if (std::string error = words.read(); !error.empty()) return {std::nullopt, "move", error};
    if (words.has_board() && text.pattern.board) {
        return {std::nullopt, "move", "the board is in pattern already"};
    }
    if (words.has_material() && text.pattern.material) {
        return {std::nullopt, "move", "there is material already"};
    }
    StepResult result = make_step(words, text.pattern);
    const bool is_in_words = result.field == "pattern" ? words.has_board() : words.has_material();
    if (!result.error.empty() && is_in_words) {
        return {std::nullopt, "move", error_in_pattern(words, result)};
    }
    return result;
}

StepResult later_step(const SequenceText& text, std::string_view then, std::size_t number) {
    const std::string where = "step " + std::to_string(number) + ": ";
    StepReader words(then, false);
    if (std::string error = words.read(); !error.empty()) {
        return {std::nullopt, "then", where + error};
    }
    StepResult result = make_step(
        words, {.either_side = text.pattern.either_side, .variant = text.pattern.variant});
    if (!result.error.empty()) {
        return {std::nullopt, "then", where + error_in_pattern(words, result)};
    }
    if (!words.within()) result.step->within = text.within;
    return result;
}

}  // namespace

SequenceResult parse_sequence(const SequenceText& text) {
    std::vector<PatternStep> steps;
    for (std::size_t i = 0; i <= text.then.size(); ++i) {
        StepResult result = i == 0 ? first_step(text) : later_step(text, text.then[i - 1], i + 1);
        if (!result.step) return {std::nullopt, result.field, std::move(result.error)};
        steps.push_back(*std::move(result.step));
    }
    if (!text.move && text.then.empty()) {
        return {PatternSequence(std::move(steps.front().position)), {}, {}};
    }
    return {PatternSequence(std::move(steps)), {}, {}};
}

}  // namespace fendex::query
