#include "clickhouse/hosts.hpp"

#include <algorithm>
#include <utility>

#include "base/checksum.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/url.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::StoreError;

/// A weight that no cluster has. Places of keys are a table of so many entries per shard.
constexpr std::uint32_t kMostWeight = 1'000'000;
constexpr char kSelectHosts[] =
    "SELECT toUInt32(shard_num), toUInt32(replica_num), toUInt32(shard_weight), host_name,"
    " toUInt8(is_local) FROM system.clusters WHERE cluster IN (SELECT name FROM asked)"
    " ORDER BY shard_num, replica_num";

/// Returns the host of the cluster that is the server at an endpoint: the only one with that name,
/// else the only one that the server's own list, `seen`, marks as local. Empty if neither is
/// unique.
std::optional<Host> host_at(const Endpoint& endpoint, const std::vector<Host>& seen) {
    const auto single = [&](auto fits) -> std::optional<Host> {
        const auto found = std::ranges::find_if(seen, fits);
        if (found == seen.end() || std::ranges::count_if(seen, fits) != 1) return {};
        return *found;
    };
    const std::optional<Host> named =
        single([&](const Host& each) { return each.name == endpoint.host; });
    return named ? named : single([](const Host& each) { return each.is_local; });
}

}  // namespace

std::vector<Host> hosts_of(Connection& connection, std::string_view cluster) {
    RowWriter name;
    name.string(cluster);
    std::vector<Host> out;
    connection.query_server(kSelectHosts, {{"asked", "name String", name.bytes()}},
                            [&](RowReader& in) {
                                AnswerRow row(connection, "system.clusters", in);
                                Host host;
                                host.shard = row.any_u32();
                                host.replica = row.any_u32();
                                host.weight = row.u32("shard_weight", kMostWeight);
                                host.name = row.text();
                                // The name goes into URLs.
                                if (!is_host(host.name)) row.refuse("host_name");
                                host.is_local = row.flag("is_local");
                                out.push_back(std::move(host));
                            });
    return out;
}

bool answers(Connection& server) {
    try {
        server.query_server("SELECT toUInt8(1)", {}, [](RowReader& row) { row.u8(); });
    } catch (const StoreError&) {
        return false;
    }
    return true;
}

bool have_replicas(const std::vector<Host>& hosts) {
    return std::ranges::any_of(hosts, [&](const Host& host) {
        return std::ranges::count(hosts, host.shard, &Host::shard) > 1;
    });
}

std::uint64_t sharding_of(const std::vector<Host>& hosts) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const bool is_first_replica = i == 0 || hosts[i].shard != hosts[i - 1].shard;
        if (is_first_replica) out = base::checksum_seed({out, hosts[i].shard, hosts[i].weight});
    }
    return out;
}

HostFinder::HostFinder(Connection& entry, std::string_view cluster)
    : entry_(entry), cluster_(cluster), hosts_(hosts_of(entry, cluster)), found_(hosts_.size()) {}

Connection* HostFinder::connection(std::size_t host) {
    const std::vector<Endpoint>& endpoints = entry_.url().endpoints;
    const std::string& name = hosts_[host].name;
    for (const Endpoint& each : endpoints) {
        if (each.host == name) reach(each, host);
    }
    reach({name, endpoints.front().port}, host);
    for (const Endpoint& each : endpoints) {
        if (!found_[host]) reach(each, host);
    }
    return found_[host].get();
}

/// Connects to an endpoint unless this was tried, and notes which host it is. If the endpoint has
/// the name of the expected host, it need not say so.
void HostFinder::reach(const Endpoint& endpoint, std::size_t expected) {
    if (std::ranges::find(tried_, endpoint) != tried_.end()) return;
    tried_.push_back(endpoint);
    auto connection = std::make_unique<Connection>(entry_.at(endpoint));
    std::optional<Host> itself;
    try {
        itself = host_at(endpoint, hosts_of(*connection, cluster_));
    } catch (const StoreError& error) {
        if (error.kind() != StoreError::kUnreachable) throw;
        unreachable_ = std::current_exception();
        return;
    }
    std::size_t number = expected;
    if (itself) {
        const auto found =
            std::ranges::find_if(hosts_, [&](const Host& each) { return each.is(*itself); });
        number = static_cast<std::size_t>(found - hosts_.begin());
    } else if (endpoint.host != hosts_[expected].name) {
        return;
    }
    if (number < hosts_.size() && !found_[number]) found_[number] = std::move(connection);
}

void HostFinder::throw_not_found(std::size_t host) const {
    if (unreachable_) std::rethrow_exception(unreachable_);
    throw StoreError(StoreError::kUnreachable,
                     to_text(entry_.url()) + ": cluster '" + std::string(cluster_) +
                         "' has the host " + hosts_[host].name + " (shard " +
                         std::to_string(hosts_[host].shard) +
                         "), but its HTTP port is not known; name all servers: "
                         "clickhouse://HOST:PORT,HOST:PORT/DATABASE");
}

}  // namespace fendex::clickhouse
