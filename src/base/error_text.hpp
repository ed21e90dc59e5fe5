// The system's text for an error number (errno). Thread-safe, unlike strerror().
#pragma once

#include <string>
#include <system_error>

namespace fendex::base {

inline std::string error_text(int error) { return std::generic_category().message(error); }

}  // namespace fendex::base
