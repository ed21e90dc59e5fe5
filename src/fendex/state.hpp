// The open database behind the library's objects and the C interface.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "ask/sources.hpp"
#include "base/stop_check.hpp"
#include "fendex/fendex.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex {

/// Throws base::Stopped if a stop was requested.
inline void require_going_on(const std::stop_token& stop) {
    if (stop.stop_requested()) throw base::Stopped();
}

/// A database that the library has open.
struct OpenedDatabase {
    std::string path;
    /// An import closes idle readers that it would have to wait for.
    std::shared_ptr<store::Store> store;

    /// Opens what is committed now. Safe for any number of threads. Throws base::Stopped.
    [[nodiscard]] std::shared_ptr<ask::Sources> sources(const store::GameFilter& filter,
                                                        const std::stop_token& stop) const {
        require_going_on(stop);
        std::vector<ask::OpenDatabase> open;
        open.push_back(ask::open_database(path, 0, store));
        return std::make_shared<ask::Sources>(std::move(open), filter, stop);
    }
};

struct Database::State : OpenedDatabase {};

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
