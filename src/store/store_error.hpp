#pragma once

#include <exception>
#include <stdexcept>
#include <string_view>

namespace fendex::store {

/// The database cannot be opened, read or written, or is not what it should be. what() names the
/// file and says what is wrong.
class StoreError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// sqlite3_interrupt() has ended a statement (store/interrupter.hpp). No StoreError: what handles
/// damage must not take it for damage.
class Interrupted : public std::exception {
  public:
    const char* what() const noexcept override { return "interrupted"; }
};

/// What to do about an errno of a write: the end of a message, empty for errors that are not about
/// space.
std::string_view advice_on_space(int error);

}  // namespace fendex::store
