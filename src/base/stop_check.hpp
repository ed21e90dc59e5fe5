// Lets long work end early: it checks a std::stop_token now and then, and throws.
#pragma once

#include <exception>
#include <stop_token>
#include <utility>

namespace fendex::base {

/// The work was stopped before it was done: there is no result.
class Stopped : public std::exception {
  public:
    const char* what() const noexcept override { return "stopped before it was done"; }
};

/// Call it once in each step: it throws Stopped soon after a stop was requested. Belongs to one
/// thread.
class StopCheck {
  public:
    explicit StopCheck(std::stop_token token) : token_(std::move(token)) {}

    void operator()() {
        if (calls_++ % kCallsPerLook == 0 && token_.stop_requested()) throw Stopped();
    }

  private:
    static constexpr unsigned kCallsPerLook = 64;

    std::stop_token token_;
    unsigned calls_ = 0;
};

}  // namespace fendex::base
