// A bounded pool of threads for work that takes longer than a look-up. It admits a limited number
// of pieces of work, which wait, run, or rest between two runs.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "serve/http/server.hpp"

namespace fendex::serve {

class Pool {
  public:
    /// A place in the pool, given back when it is destroyed. The pool must outlive it.
    class Place {
      public:
        Place() = default;
        explicit Place(Pool* pool) : pool_(pool) {}
        Place(Place&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
        Place& operator=(Place&& other) noexcept {
            std::swap(pool_, other.pool_);
            return *this;
        }
        ~Place() {
            if (pool_ != nullptr) pool_->leave();
        }
        explicit operator bool() const { return pool_ != nullptr; }

      private:
        Pool* pool_ = nullptr;
    };

    /// `niceness`: how far its threads stand back behind others when processors are short, 0 to 19.
    Pool(PoolOptions options, int niceness);
    ~Pool() { end(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// Any thread. Returns no place if the pool is full.
    [[nodiscard]] Place enter();
    /// Queues a run for somebody who has a place. The work must not throw. Any thread.
    void run(std::function<void()> work);
    [[nodiscard]] std::size_t taken() const;
    /// Runs what is queued and ends the threads.
    void end();

  private:
    void leave();
    void work(int niceness);

    const std::size_t most_;
    mutable std::mutex mutex_;
    std::condition_variable more_;
    std::deque<std::function<void()>> waiting_;
    std::size_t taken_ = 0;
    bool ended_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace fendex::serve
