// A task that is carried out: run() works out the answer, in a pool or at once, and pull() its
// further pieces. For one thread at a time, but any thread may ask it to stop.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "serve/http/content_coding.hpp"
#include "serve/http/pool.hpp"
#include "serve/http/service.hpp"

namespace fendex::serve {

class Job {
  public:
    Job(Task task, const Coding& coding) : task_(std::move(task)), coding_(coding) {}

    /// Takes a place in the pool that will run the task. Returns false if the pool is full.
    [[nodiscard]] bool enter(Pool& pool);
    /// Returns the pool that runs the task; null if the thread that read the request does.
    [[nodiscard]] Pool* pool() const { return pool_; }
    /// Requests that the task ends early. Any thread.
    void request_stop() { stop_.request_stop(); }

    /// Runs the task, unless a stop was requested. Sets the answer, in the coding for the client,
    /// or the failure.
    void run();
    /// Gets the next piece of an answer that goes on. Sets `piece` or the failure, and whether the
    /// answer goes on after this piece.
    void pull();

    Answer answer;  // without its `more`
    std::exception_ptr failure;
    std::string piece;
    bool goes_on = false;

  private:
    Task task_;
    Coding coding_;
    std::unique_ptr<base::Compressor> gzip_;
    std::function<bool(std::string&)> more_;
    Pool* pool_ = nullptr;
    Pool::Place place_;
    std::stop_source stop_{std::nostopstate};  // look-ups are not stopped
};

}  // namespace fendex::serve
