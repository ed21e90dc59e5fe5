// The questions of the C interface, and their answers as JSON: fendex.h says what they are.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "fendex/state.hpp"

namespace fendex {

/// The answers to one question, found one by one. One thread at a time.
class JsonAnswers {
  public:
    virtual ~JsonAnswers() = default;
    /// Returns the next object, without a line end; empty after the last one. Throws Error.
    [[nodiscard]] virtual std::optional<std::string> next() = 0;
};

/// Throws Error(kQuestion), which names the member, if the question is invalid.
[[nodiscard]] std::unique_ptr<JsonAnswers> json_answers(const OpenedDatabase& database,
                                                        const std::string& question,
                                                        const std::stop_token& stop);

/// Returns an object that describes the questions: for each the members that it takes.
[[nodiscard]] std::string described_questions();

}  // namespace fendex
