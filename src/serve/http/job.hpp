// A task on its way: it is run, in a pool or at once, and then pulled for the pieces of its answer.
// It belongs to one thread at a time, except that any thread may ask it to stop.
#pragma once

#include <exception>
#include <memory>
#include <stop_token>
#include <string>

#include "serve/http/pool.hpp"
#include "serve/http/service.hpp"

namespace fendex::serve {

class Job {
  public:
    explicit Job(Task task) : task_(std::move(task)) {}

    /// Runs the task, unless a stop was requested. The answer or the failure is set afterwards.
    void run();
    /// Asks for the next piece of an answer that goes on. `piece` or the failure is set afterwards;
    /// `goes_on` is whether there is more.
    void pull();

    std::stop_source stop{std::nostopstate};  // tasks that run in a pool have a state
    Pool* pool = nullptr;                     // null: it is run by the thread that read the request
    Pool::Place place;

    Answer answer;
    std::exception_ptr failure;
    std::string piece;
    bool goes_on = false;

  private:
    Task task_;
};

}  // namespace fendex::serve
