// The fields of a question that were given, by name, with their values as texts. Each surface
// makes one from what it reads (the parameters of an address, the members of JSON); questions are
// read from it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/filter.hpp"
#include "ask/pasted_position.hpp"
#include "chess/any_position.hpp"
#include "store/engine.hpp"
#include "store/game_filter.hpp"

namespace fendex::ask {

/// A question cannot be understood. what() says why, and what to give instead.
class QuestionError : public std::invalid_argument {
  public:
    QuestionError(std::string code, std::string field, const std::string& what,
                  std::string detail = {}, std::string text = {})
        : std::invalid_argument(what),
          code_(std::move(code)),
          field_(std::move(field)),
          detail_(std::move(detail)),
          text_(std::move(text)) {}
    /// For programs: "bad_fen", "bad_move" ...
    [[nodiscard]] const std::string& code() const noexcept { return code_; }
    /// The field that is wrong.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }
    /// Which part of the value is wrong, for programs: of a FEN "side", "castling" ...; may be
    /// empty.
    [[nodiscard]] const std::string& detail() const noexcept { return detail_; }
    /// The word of the value that is wrong: "Nf6"; may be empty.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

  private:
    std::string code_;
    std::string field_;
    std::string detail_;
    std::string text_;
};

class Given {
  public:
    void add(std::string name, std::string value) {
        values_.emplace_back(std::move(name), std::move(value));
    }

    /// Returns the value of a field; null if it was not given.
    [[nodiscard]] const std::string* find(std::string_view name) const;
    /// Returns the values of a field that may be repeated, in their order.
    [[nodiscard]] std::vector<std::string_view> all(std::string_view name) const;
    /// Returns the value of a field; empty if it was not given.
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const { return text(name) == "true"; }

    /// Throws store::FilterError.
    [[nodiscard]] store::GameFilter filter() const;
    /// Throws store::FilterError.
    [[nodiscard]] store::GameOrder order() const;
    /// Throws QuestionError.
    [[nodiscard]] Match match() const;
    [[nodiscard]] chess::FenDialect dialect() const;
    /// Returns the variant of positions. Throws QuestionError if its rules are not known.
    [[nodiscard]] std::optional<chess::Variant> variant() const;

  private:
    std::vector<std::pair<std::string, std::string>> values_;
};

/// Returns the fields that a filter of the library sets.
[[nodiscard]] Given given_of(const Filter& filter);

/// A position and moves from it: fields fen, play, moves, variant.
struct Line {
    chess::Variant variant = chess::Variant::kStandard;  // may be Chess960, too
    chess::AnyPosition start;
    std::vector<chess::Move> moves;
    chess::AnyPosition end;
};

/// Returns whether a position is given.
[[nodiscard]] bool has_position(const Given& given);
/// Returns the line, by default the start of the variant. `words` names the fields in messages.
/// Throws QuestionError, also if the position does not allow the match.
[[nodiscard]] Line line_of(const Given& given, Match match = Match::kExact,
                           const PasteWords& words = {"moves", "match=board"});

}  // namespace fendex::ask
