#include "serve/http/server_state.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace fendex::serve {

namespace {

PoolOptions with_threads(PoolOptions options) {
    if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
    return options;
}

// Look-ups and sums run before scans if there are not enough processors.
constexpr int kScanNiceness = 10;

}  // namespace

ServerState::ServerState(ServerOptions with, Service& asked)
    : options(std::move(with)),
      service(asked),
      guard(options.address, options.host_names, options.origins),
      bodies(options.all_bodies_bytes),
      sums(with_threads(options.sums), 0),
      scans(with_threads(options.scans), kScanNiceness) {}

}  // namespace fendex::serve
