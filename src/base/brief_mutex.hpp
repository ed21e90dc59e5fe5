// A mutex for work that takes some microseconds.
#pragma once

#include <mutex>
#include <thread>

namespace fendex::base {

/// Like std::mutex, but a thread that has to wait does not sleep at once: to sleep and to be woken
/// would take longer than the work that it waits for.
class BriefMutex {
  public:
    void lock() {
        constexpr int kTries = 100;
        for (int i = 0; i < kTries; ++i) {
            if (mutex_.try_lock()) return;
            std::this_thread::yield();
        }
        mutex_.lock();
    }
    void unlock() { mutex_.unlock(); }

  private:
    std::mutex mutex_;
};

}  // namespace fendex::base
