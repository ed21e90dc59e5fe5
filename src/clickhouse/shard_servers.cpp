#include "clickhouse/shard_servers.hpp"

#include <algorithm>
#include <utility>

#include "store/store_error.hpp"

namespace fendex::clickhouse {

ShardServers::ShardServers(Connection& entry, std::string cluster)
    : cluster_(std::move(cluster)), finder_(entry, cluster_), gone_(finder_.hosts().size()) {
    const std::vector<Host>& hosts = finder_.hosts();
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (i != 0 && hosts[i].shard == hosts[i - 1].shard) {
            gone_[i - 1] = gone_[i] = true;
        } else {
            places_.insert(places_.end(), hosts[i].weight, i);
        }
    }
}

Connection* ShardServers::server_of(std::span<const std::uint64_t> keys) {
    if (places_.empty() || keys.empty()) return nullptr;
    const auto host_of = [&](std::uint64_t key) { return places_[key % places_.size()]; };
    const std::size_t host = host_of(keys.front());
    const auto is_elsewhere = [&](std::uint64_t key) { return host_of(key) != host; };
    if (gone_[host] || std::ranges::any_of(keys, is_elsewhere)) return nullptr;
    Connection* connection = nullptr;
    try {
        connection = finder_.connection(host);
    } catch (const store::StoreError&) {
        // The entry's error says more, if it cannot ask the shard either.
    }
    gone_[host] = connection == nullptr;
    return connection;
}

}  // namespace fendex::clickhouse
