// The exception for a value of a filter that cannot be used.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace fendex::store {

/// A field of a filter has a value that cannot be used. what() is the field's name, a colon, and
/// what is wrong with the value.
class FilterError : public std::invalid_argument {
  public:
    FilterError(std::string_view field, const std::string& problem)
        : std::invalid_argument(std::string(field) + ": " + problem), field_(field) {}

    /// The name of the field, as the command line's option has it; "sort" for an order.
    [[nodiscard]] const std::string& field() const noexcept { return field_; }

  private:
    std::string field_;
};

}  // namespace fendex::store
