#include "store/sqlite/file/interrupter.hpp"

#include <chrono>
#include <utility>

#include "store/sqlite/file/api.hpp"

namespace fendex::store {

namespace {

constexpr auto kTimeBetweenLooks = std::chrono::milliseconds(50);

}  // namespace

Interrupter::Interrupter(std::vector<sqlite3*> connections, std::function<bool()> stop)
    : connections_(std::move(connections)), stop_(std::move(stop)) {
    if (stop_) thread_ = std::thread([this] { watch(); });
}

Interrupter::~Interrupter() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void Interrupter::watch() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kTimeBetweenLooks, [this] { return is_over_; })) {
        if (!stop_()) continue;
        // Repeated in each round, because later statements must end, too.
        for (sqlite3* const connection : connections_) sqlite3_interrupt(connection);
    }
}

}  // namespace fendex::store
