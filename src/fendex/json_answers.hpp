// The questions of the C interface, and their answers as JSON: fendex.h says what they are.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "ask/given.hpp"
#include "fendex/state.hpp"

namespace fendex {

/// Answers whose databases are open.
struct OpenAnswers {
    using Add = std::function<void(std::string object)>;
    /// Adds the next answers, about `most`. Returns false if there are no more.
    std::function<bool(std::uint64_t most, const Add& add)> read;
    /// Skips the next answers. Empty: they are read to be skipped.
    std::function<void(std::uint64_t answers)> skip = {};
};

/// The answers to one question, found one by one. One thread at a time.
class JsonAnswers {
  public:
    using Opener = std::function<OpenAnswers()>;
    /// `open` is called when the first answer is fetched. The question says which page is wanted.
    JsonAnswers(const ask::Given& question, Opener open, std::stop_token stop);

    /// Returns the next object, without a line end; empty after the last one. Throws Error.
    [[nodiscard]] std::optional<std::string> next();

  private:
    bool read(std::uint64_t most);
    void skip(std::uint64_t answers);

    Opener open_;
    std::stop_token stop_;
    OpenAnswers answers_;
    std::uint64_t skipped_;  // answers before "offset" that are still to be skipped
    std::uint64_t left_;
    std::uint64_t batch_ = 4;  // few at first, so that the first answer comes soon
    std::deque<std::string> objects_;
    std::exception_ptr failure_;
};

/// Throws Error(kQuestion), which names the member, if the question is invalid.
[[nodiscard]] JsonAnswers json_answers(const OpenedDatabase& database, const std::string& text,
                                       const std::stop_token& stop);

/// Returns an object that describes the questions: for each the members that it takes.
[[nodiscard]] std::string described_questions();

}  // namespace fendex
