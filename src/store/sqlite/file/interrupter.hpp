// Ends the work of connections soon after stop() returns true, even inside a statement that takes
// minutes (PRAGMA integrity_check, CREATE INDEX). The statement throws Interrupted. If it was
// writing, SQLite rolls back its transaction.
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
    /// Calls stop() from time to time in a thread of its own, until the object is destroyed. If
    /// `stop` is empty, it does nothing. The connections must outlive the object.
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
