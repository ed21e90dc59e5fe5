#pragma once

#include <stdexcept>

namespace fendex::store {

/// The database cannot be opened, read or written, or is not what it should be. what() names the
/// file and says what is wrong.
class StoreError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace fendex::store
