// What is wrong among many things, where an assertion for each would be slow.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::test {

/// Keeps a description of the first check that failed, and counts the failures:
///     FirstWrong wrong;
///     for (...) wrong.check(a == b, [&] { return "item " + std::to_string(i); });
///     CHECK(wrong.text() == "");
class FirstWrong {
  public:
    /// Returns `right`. describe() is called for the first failure only.
    template <typename Describe>
    bool check(bool right, Describe describe) {
        if (!right && failures_++ == 0) first_ = describe();
        return right;
    }

    /// The first failure, and how many there were; empty if there was none.
    std::string text() const {
        return failures_ < 2 ? first_ : first_ + " (first of " + std::to_string(failures_) + ")";
    }

  private:
    std::string first_;
    std::uint64_t failures_ = 0;
};

}  // namespace fendex::test
