// Reads a question of the C interface from JSON. Each member must have the right type; unknown
// members are errors. Errors are Error(kQuestion) and name the member.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fendex/fendex.hpp"

namespace fendex {

class JsonQuestion {
  public:
    explicit JsonQuestion(const std::string& text);

    // Each function also notes that the member is known.
    std::string text(const char* name);
    bool flag(const char* name);
    std::optional<std::uint64_t> number(const char* name);
    Filter filter();
    /// The position, match and filter of find, count and tree.
    Question position();

    /// Throws if the question has a member that no function has read.
    void require_nothing_else() const;

  private:
    const nlohmann::json* member(const char* name);

    nlohmann::json members_;
    std::vector<std::string> known_;
};

/// "limit" and "offset".
struct Page {
    Page() = default;
    explicit Page(JsonQuestion& question);
    std::uint64_t offset = 0;
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace fendex
