// The exception for a value of a filter that cannot be used.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace fendex::store {

/// A field of a filter has a value that cannot be used. what() is the field's name, a colon, and
/// the problem with the value.
class FilterError : public std::invalid_argument {
  public:
    FilterError(std::string_view field, const std::string& problem)
        : std::invalid_argument(std::string(field) + ": " + problem), field_(field) {}

    /// Returns the field's name, which is the name of the command line's option; "sort" for an
    /// order.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }

  private:
    std::string field_;
};

}  // namespace fendex::store
