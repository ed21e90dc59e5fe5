// Questions and answers of the library as JSON: the names of the members are in fendex.h.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "fendex/fendex.hpp"

namespace fendex {

/// The answers to one question, found one by one. One thread at a time.
class JsonAnswers {
  public:
    virtual ~JsonAnswers() = default;
    /// Returns the next object, without a line end; empty after the last one.
    [[nodiscard]] virtual std::optional<std::string> next() = 0;
};

/// Throws Error(kQuestion), which names the member, if the question is invalid.
[[nodiscard]] std::unique_ptr<JsonAnswers> ask(const Database& database, const std::string& text,
                                               std::stop_token stop);

}  // namespace fendex
