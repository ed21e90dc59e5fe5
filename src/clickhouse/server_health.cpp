#include "clickhouse/server_health.hpp"

#include <chrono>
#include <future>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/stop_check.hpp"
#include "clickhouse/hosts.hpp"
#include "clickhouse/tables.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

/// Much longer than a healthy server takes, but shorter than the usual limit of those who collect
/// metrics, 10 s.
constexpr std::chrono::seconds kTimeToAnswer{3};

/// Returns where the servers are, as far as that is known; none if no server says so.
std::vector<Endpoint> servers_of(Connection& entry) {
    try {
        const std::optional<Layout> layout = layout_of_tables(entry);
        if (!layout || !layout->is_cluster()) return entry.url().endpoints;
        HostFinder finder(entry, layout->cluster);
        std::vector<Endpoint> out;
        for (std::size_t i = 0; i < finder.hosts().size(); ++i) {
            const Connection* found = nullptr;
            try {
                found = finder.connection(i);
            } catch (const store::StoreError&) {
                // It refuses the user, and is asked again below.
            }
            out.push_back(found != nullptr ? found->url().endpoints.front()
                                           : Endpoint{finder.hosts()[i].name,
                                                      entry.url().endpoints.front().port});
        }
        return out;
    } catch (const store::StoreError&) {
        return {};
    }
}

bool answers_in_time(Connection server) {
    try {
        return answers(server);
    } catch (const base::Stopped&) {
        return false;
    }
}

}  // namespace

std::vector<store::ServerState> HealthOfServers::look(Connection entry) {
    std::stop_source patience;
    entry.set_stop(patience.get_token());
    std::future<std::vector<Endpoint>> seen = std::async(std::launch::async, [&] {
        try {
            return servers_of(entry);
        } catch (const base::Stopped&) {
            return std::vector<Endpoint>();
        }
    });
    if (seen.wait_for(kTimeToAnswer) == std::future_status::timeout) patience.request_stop();
    std::vector<Endpoint> servers = seen.get();
    {
        const std::lock_guard lock(mutex_);
        if (!servers.empty()) known_ = servers;
        servers = known_.empty() ? entry.url().endpoints : known_;
    }
    // All at once, because those that are away take their time.
    std::stop_source limit;
    std::vector<std::future<bool>> asked;
    for (const Endpoint& each : servers) {
        Connection server = entry.at(each);
        server.set_stop(limit.get_token());
        asked.push_back(std::async(std::launch::async, answers_in_time, std::move(server)));
    }
    const auto end = std::chrono::steady_clock::now() + kTimeToAnswer;
    for (const std::future<bool>& each : asked) each.wait_until(end);
    limit.request_stop();
    std::vector<store::ServerState> out;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        out.push_back({to_text(servers[i]), asked[i].get()});
    }
    return out;
}

}  // namespace fendex::clickhouse
