#include "serve/database_service.hpp"

#include <algorithm>

namespace fendex::serve {

namespace {

/// Returns the value of a label, escaped for Prometheus.
std::string label_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\' || c == '"') escaped += '\\';
        c == '\n' ? escaped += "\\n" : escaped += c;
    }
    return escaped;
}

class Lines {
  public:
    void describe(const std::string& name, const char* type, const char* help) {
        name_ = name;
        text_ += "# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
    }
    void add(const std::string& database, const std::string& more, std::uint64_t value) {
        text_ += name_ + "{database=\"" + label_text(database) + '"' + more + "} " +
                 std::to_string(value) + '\n';
    }
    const std::string& text() const { return text_; }

  private:
    std::string name_;
    std::string text_;
};

void add_servers(const Databases& databases, Lines& lines) {
    const auto servers = databases.servers();
    const auto has_servers = [](const auto& each) { return !each.empty(); };
    if (std::ranges::none_of(servers, has_servers)) return;
    lines.describe("fendex_cluster_server_up", "gauge",
                   "Whether a server of a cluster answers: 1 or 0.");
    for (std::size_t i = 0; i < servers.size(); ++i) {
        for (const store::ServerState& each : servers[i]) {
            lines.add(databases.name(i), ",server=\"" + label_text(each.name) + '"',
                      each.is_up ? 1 : 0);
        }
    }
}

}  // namespace

Cost DatabaseService::cost_of_metrics() const {
    return databases_.has_clusters() ? Cost::kSums : Cost::kLookUp;
}

void DatabaseService::require_health() { static_cast<void>(databases_.open()); }

std::string DatabaseService::metrics() {
    std::vector<OpenDatabase> open;
    try {
        open = databases_.open();
    } catch (const store::StoreError&) {
        // The server's own numbers are still printed: they matter most at such times.
    }
    Lines lines;
    lines.describe("fendex_games", "gauge", "Games of a database.");
    for (const OpenDatabase& each : open) lines.add(each.name, "", each.reader->info().games);
    lines.describe("fendex_cache_requests_total", "counter",
                   "Requests for results that are kept until the next commit, by success.");
    for (const OpenDatabase& each : open) {
        const store::SnapshotCache::Counts counts = each.reader->snapshot_cache().counts();
        lines.add(each.name, ",result=\"hit\"", counts.found);
        lines.add(each.name, ",result=\"miss\"", counts.missed);
    }
    add_servers(databases_, lines);
    return lines.text();
}

}  // namespace fendex::serve
