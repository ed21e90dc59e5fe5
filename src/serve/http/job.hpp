// A task on its way: it is run, in a pool or at once, and then pulled for the pieces of its answer.
// It belongs to one thread at a time, except that any thread may ask it to stop.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "serve/http/content_coding.hpp"
#include "serve/http/pool.hpp"
#include "serve/http/service.hpp"

namespace fendex::serve {

class Job {
  public:
    Job(Task task, const Coding& coding) : task_(std::move(task)), coding_(coding) {}

    /// Takes a place in the pool that is to run it. Returns false if the pool is full.
    [[nodiscard]] bool enter(Pool& pool);
    /// The pool that runs it; null: the thread that read the request.
    [[nodiscard]] Pool* pool() const { return pool_; }
    /// Asks the task to end early. Any thread.
    void request_stop() { stop_.request_stop(); }

    /// Runs the task, unless a stop was requested. The answer, in the coding for the client, or the
    /// failure is set afterwards.
    void run();
    /// Asks for the next piece of an answer that goes on. `piece` or the failure is set afterwards;
    /// `goes_on` is whether there is more.
    void pull();

    Answer answer;  // its `more` is taken out
    std::exception_ptr failure;
    std::string piece;
    bool goes_on = false;

  private:
    Task task_;
    Coding coding_;
    std::optional<Gzip> gzip_;
    std::function<bool(std::string&)> more_;
    Pool* pool_ = nullptr;
    Pool::Place place_;
    std::stop_source stop_{std::nostopstate};  // look-ups are not stopped
};

}  // namespace fendex::serve
