// A pool of threads for work that takes longer than a look-up. It admits a limited number of jobs;
// each waits, runs, or rests between two runs.
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
    /// A place in the pool. Its destructor gives the place back. The pool must outlive it.
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

    /// `niceness`: that of its threads, 0 to 19. With a higher value, other threads run first.
    Pool(PoolOptions options, int niceness);
    ~Pool() { end(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// Returns a place, which is empty if the pool is full. Any thread.
    [[nodiscard]] Place enter();
    /// Queues a run; the caller must have a place. The work must not throw. Any thread.
    void run(std::function<void()> work);
    [[nodiscard]] std::size_t taken() const;
    /// Runs the queued work, then ends the threads.
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
