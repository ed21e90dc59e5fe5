// What the server asks for answers: a service plans each request at once, and the server runs the
// plan in the pool that fits its cost.
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
    kLookUp,  // below a millisecond: answered by the thread that read the request
    kSums,    // up to some 100 ms: sums over columns of all games
    kScan,    // seconds: reads games
};

struct Task {
    Cost cost = Cost::kLookUp;
    /// A name from a short list, for metrics and the log: "/api/v1/tree".
    std::string route;
    /// Differs whenever the answer may differ, apart from its encoding; empty: not known, then the
    /// answer has no ETag.
    std::string version = {};
    /// Works the answer out. Throws Refusal, store::StoreError, query::FilterError, base::Stopped
    /// after a stop was requested, or any other exception.
    std::function<Answer(std::stop_token)> run;
};

/// Any thread may call it, several at once.
class Service {
  public:
    virtual ~Service() = default;

    /// Checks a request and says how it is answered. Takes microseconds. Throws like a task.
    [[nodiscard]] virtual Task plan(std::shared_ptr<const Request> request) = 0;
    /// Called for GET /health: throws, like a task, if requests cannot be answered now.
    virtual void require_health() {}
    /// Returns lines that GET /metrics has in addition to the server's, as Prometheus reads them.
    [[nodiscard]] virtual std::string metrics() { return {}; }
    /// Returns the answer to a request that failed, in the form that its clients expect. Must not
    /// throw. `path` may be invalid.
    [[nodiscard]] virtual Answer refused(std::string_view path, const Refusal& why) const = 0;
    /// The same for what plan() or run() threw, except Refusal.
    [[nodiscard]] virtual Answer failed(std::string_view path, std::exception_ptr why) const = 0;
};

}  // namespace fendex::serve
