// The state that a Database shares with its copies and the Hits that it returned.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "base/stop_check.hpp"
#include "fendex/fendex.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex {

class Database::State {
  public:
    explicit State(const std::string& path) : store_(store::file_store(path)) {}

    /// Returns the store for an import. The import closes idle readers that it would have to wait
    /// for.
    [[nodiscard]] store::Store& store() const { return *store_; }
    /// Returns a reader of what is committed now. Safe for any number of threads.
    [[nodiscard]] store::Reader reader() const { return store_->reader(); }

  private:
    std::shared_ptr<store::Store> store_;
};

/// Throws base::Stopped if a stop was requested.
inline void require_going_on(const std::stop_token& stop) {
    if (stop.stop_requested()) throw base::Stopped();
}

[[noreturn]] void rethrow_as_error();

/// Calls act() and rethrows every exception as an Error.
template <typename Act>
decltype(auto) with_errors(Act&& act) {
    try {
        return std::forward<Act>(act)();
    } catch (...) {
        rethrow_as_error();
    }
}

}  // namespace fendex
