// Ends what connections are doing soon after stop() has become true, also in the middle of a
// statement that takes minutes (PRAGMA integrity_check, CREATE INDEX): such a statement throws
// Interrupted. SQLite rolls back the transaction of a statement that was writing.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

struct sqlite3;

namespace fendex::store {

class Interrupter {
  public:
    /// Calls stop() now and then in a thread of its own, until the object goes. An empty `stop`
    /// interrupts nothing. The connections must live longer.
    Interrupter(std::vector<sqlite3*> connections, std::function<bool()> stop);
    ~Interrupter();
    Interrupter(const Interrupter&) = delete;
    Interrupter& operator=(const Interrupter&) = delete;

  private:
    void watch();

    std::vector<sqlite3*> connections_;
    std::function<bool()> stop_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool is_over_ = false;
    std::thread thread_;
};

}  // namespace fendex::store
