// What a Database and the Hits that it handed out share: the readers of one database, each used by
// one question at a time. Safe for any number of threads.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "fendex/fendex.hpp"
#include "store/store_reader.hpp"

namespace fendex {

class Database::State {
  public:
    explicit State(std::string path) : path_(std::move(path)) {}

    [[nodiscard]] const std::string& path() const { return path_; }

    /// A reader that returns to the pool when the lease ends. It sees what was committed before.
    class Lease {
      public:
        Lease(std::shared_ptr<State> state, std::unique_ptr<store::StoreReader> reader)
            : state_(std::move(state)), reader_(std::move(reader)) {}
        Lease(Lease&&) noexcept = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (reader_) state_->give_back(std::move(reader_));
        }
        [[nodiscard]] store::StoreReader& operator*() const { return *reader_; }

      private:
        std::shared_ptr<State> state_;
        std::unique_ptr<store::StoreReader> reader_;
    };
    [[nodiscard]] static Lease lease(const std::shared_ptr<State>& state);

  private:
    void give_back(std::unique_ptr<store::StoreReader> reader);

    std::string path_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<store::StoreReader>> idle_;
};

/// Calls act() and throws what it throws as Error.
template <typename Act>
decltype(auto) with_errors(Act&& act);
[[noreturn]] void rethrow_as_error();

template <typename Act>
decltype(auto) with_errors(Act&& act) {
    try {
        return std::forward<Act>(act)();
    } catch (...) {
        rethrow_as_error();
    }
}

/// Throws Error(kStopped) if the token was requested.
void require_going_on(const std::stop_token& stop);

}  // namespace fendex
