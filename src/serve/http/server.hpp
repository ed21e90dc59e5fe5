// An HTTP/1.1 server on Boost.Beast: connections, limits, time limits, pools of threads, headers.
// It knows nothing of chess or databases.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "serve/http/service.hpp"

namespace fendex::serve {

struct PoolOptions {
    unsigned threads = 0;    // 0: as many as the machine has
    std::size_t most = 256;  // requests that wait, run, or wait for clients; others get 503
};

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 9002;  // 0: any free one
    unsigned threads = 0;       // 0: as many as the machine has
    /// Names that requests may have in Host, besides loopback names and `address`.
    std::vector<std::string> host_names = {};
    /// Origins that may send requests, besides loopback origins and https://lichess.org; "*": all.
    std::vector<std::string> origins = {};
    bool log = false;  // one line a request on standard error
    PoolOptions sums = {};
    PoolOptions scans = {0, 64};

    std::size_t most_connections = 10'000;
    std::size_t head_bytes = std::size_t{16} << 10;
    std::size_t body_bytes = std::size_t{8} << 20;
    std::size_t all_bodies_bytes = std::size_t{256} << 20;
    std::chrono::milliseconds arrival{15'000};  // for a request to arrive
    std::chrono::milliseconds idle{60'000};     // between requests; for a client to read some bytes
    std::chrono::milliseconds work{30'000};     // for an answer to be computed
    std::chrono::milliseconds drain{10'000};    // for requests in flight after stop()
};

class Server {
  public:
    /// Listens on the address. If that fails, throws std::runtime_error that names it. The service
    /// must outlive the server.
    Server(ServerOptions options, Service& service);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    /// Serves until stop() is called and requests in flight are answered.
    void run();
    /// Ends run(): takes no new requests and finishes those in flight. Any thread.
    void stop();

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace fendex::serve
