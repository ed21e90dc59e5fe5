// The state that a Database shares with its copies and the Hits that it returned.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "fendex/fendex.hpp"
#include "store/store.hpp"

namespace fendex {

class Database::State {
  public:
    explicit State(std::string path) : path_(std::move(path)), store_(store::Store::at(path_)) {}

    [[nodiscard]] const std::string& path() const { return path_; }
    /// Returns a reader of what is committed now. Safe for any number of threads.
    [[nodiscard]] store::Reader reader() const { return store_->reader(); }

  private:
    std::string path_;
    std::shared_ptr<store::Store> store_;
};

[[noreturn]] void rethrow_as_error();

/// Calls act() and throws what it throws as Error.
template <typename Act>
decltype(auto) with_errors(Act&& act) {
    try {
        return std::forward<Act>(act)();
    } catch (...) {
        rethrow_as_error();
    }
}

}  // namespace fendex
