// Imports of the C interface: fendex.h says what the texts hold.
#pragma once

#include <functional>
#include <string>

namespace fendex {

/// Imports what a text names and returns the counts as JSON. Calls going_on(progress) from
/// time to time; if it returns false, the import is stopped. It may be empty. Throws Error.
[[nodiscard]] std::string import_by_json(const std::string& database, const std::string& text,
                                         const std::function<bool(const std::string&)>& going_on);

}  // namespace fendex
