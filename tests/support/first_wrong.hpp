// Checks many things quickly, when an assertion for each would be slow.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::test {

/// Keeps the description of the first failed check and counts failures:
///     FirstWrong wrong;
///     for (...) wrong.check(a == b, [&] { return "item " + std::to_string(i); });
///     CHECK(wrong.text() == "");
class FirstWrong {
  public:
    /// Returns `right`. Calls describe() only for the first failure.
    template <typename Describe>
    bool check(bool right, Describe describe) {
        if (!right && failures_++ == 0) first_ = describe();
        return right;
    }

    /// Returns the first failure and the number of failures; empty if there was none.
    std::string text() const {
        return failures_ < 2 ? first_ : first_ + " (first of " + std::to_string(failures_) + ")";
    }

  private:
    std::string first_;
    std::uint64_t failures_ = 0;
};

}  // namespace fendex::test
