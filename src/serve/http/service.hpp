// The interface by which the server gets answers. A service plans each request at once; the server
// then runs the task in the pool for its cost.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "serve/http/answer.hpp"
#include "serve/http/request.hpp"

namespace fendex::serve {

enum class Cost {
    kLookUp,  // below a millisecond: the thread that read the request runs it
    kSums,    // up to some 100 ms: sums over columns of all games
    kScan,    // seconds: reads games
};

struct Task {
    Cost cost = Cost::kLookUp;
    /// A name from a short list, for metrics and the log: "/api/v1/tree".
    std::string route;
    /// A text that changes whenever the answer may change, apart from its encoding. Empty if it is
    /// not known; then the answer has no ETag.
    std::string version = {};
    /// Returns the answer. Throws Refusal, store::StoreError, query::FilterError, base::Stopped
    /// after a stop was requested, or any other exception.
    std::function<Answer(std::stop_token)> run;
};

/// Several threads may call it at once.
class Service {
  public:
    virtual ~Service() = default;

    /// Checks a request and returns the task that answers it. Takes microseconds. Throws the same
    /// exceptions as a task.
    [[nodiscard]] virtual Task plan(std::shared_ptr<const Request> request) = 0;
    /// Called for GET /health. Throws the exceptions of a task if requests cannot be answered now.
    virtual void require_health() {}
    /// Returns the cost of metrics().
    [[nodiscard]] virtual Cost cost_of_metrics() const { return Cost::kLookUp; }
    /// Returns lines in the format of Prometheus. GET /metrics has them after those of the server.
    [[nodiscard]] virtual std::string metrics() { return {}; }
    /// Returns the answer to a refused request, in the form that clients of the path expect. Must
    /// not throw. `path` may be invalid.
    [[nodiscard]] virtual Answer refused(std::string_view path, const Refusal& why) const = 0;
    /// Returns the answer after plan() or run() threw anything but a Refusal. Must not throw.
    [[nodiscard]] virtual Answer failed(std::string_view path, std::exception_ptr why) const = 0;
};

}  // namespace fendex::serve
